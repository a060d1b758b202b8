// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The few vector instructions that C++ has no words for, or that g++ does not find by itself.
// <immintrin.h>, which declares all of them, is 47 thousand lines: a tenth of what a small program takes
// to compile. So g++ is asked for the built-in functions which those declarations stand for; nvcc and
// clang know them by other types.
#pragma once

#include <cstdint>

#include "halocline/core/types.hpp"

#if defined(__AVX__) && \
    (!defined(__GNUC__) || defined(__clang__) || defined(HALOCLINE_GPU_COMPILER))
#include <immintrin.h>
#define HALOCLINE_BUILTINS 0
#elif defined(__AVX__)
#define HALOCLINE_BUILTINS 1
#endif

namespace halocline::detail {

using DoubleLanes = double __attribute__((vector_size(8 * pack_lanes)));
using IntegerLanes = std::int64_t __attribute__((vector_size(8 * pack_lanes)));
using FloatLanes = float __attribute__((vector_size(4 * pack_lanes)));
using NarrowIntegerLanes = std::int32_t __attribute__((vector_size(4 * pack_lanes)));

#if defined(__AVX512F__)
inline constexpr auto all_lanes = static_cast<unsigned char>(0xff);
inline constexpr int current_rounding = 4;
#endif

/// Past the caches; `memory` is aligned to the vector.
inline void stream_register(double* memory, DoubleLanes a) {
#if !defined(__AVX__)
    *reinterpret_cast<DoubleLanes*>(memory) = a;
#elif defined(__AVX512F__)
#if HALOCLINE_BUILTINS
    __builtin_ia32_movntpd512(memory, a);
#else
    _mm512_stream_pd(memory, a);
#endif
#elif HALOCLINE_BUILTINS
    __builtin_ia32_movntpd256(memory, a);
#else
    _mm256_stream_pd(memory, a);
#endif
}

#if defined(__AVX512F__)
/// Half a register.
template <class Half>
inline void stream_half(void* memory, Half a) {
    using Four = long long __attribute__((vector_size(32)));
#if HALOCLINE_BUILTINS
    __builtin_ia32_movntdq256(static_cast<Four*>(memory), Four(a));
#else
    _mm256_stream_si256(static_cast<__m256i*>(memory), __m256i(a));
#endif
}
#endif

#if defined(__AVX512F__)
/// Two aligned halves of a register from memory. g++ would load whole registers around them and shuffle;
/// joined while it is loaded, the second half needs no shuffle.
inline DoubleLanes load_halves(const double* low, const double* high) {
#if HALOCLINE_BUILTINS
    using Half = double __attribute__((vector_size(32)));
    const DoubleLanes whole = __builtin_ia32_pd512_256pd(*reinterpret_cast<const Half*>(low));
    return __builtin_ia32_insertf64x4_mask(whole, *reinterpret_cast<const Half*>(high), 1,
                                           DoubleLanes{}, all_lanes);
#else
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(low)), _mm256_load_pd(high), 1);
#endif
}
#endif

/// Makes streamed stores visible to other threads.
inline void fence_streams() {
#if defined(__AVX__)
    __builtin_ia32_sfence();
#endif
}

inline DoubleLanes sqrt_lanes(DoubleLanes a) {
#if !defined(__AVX__)
    for (int lane = 0; lane < pack_lanes; ++lane) {
        a[lane] = __builtin_sqrt(a[lane]);
    }
    return a;
#elif defined(__AVX512F__)
#if HALOCLINE_BUILTINS
    return __builtin_ia32_sqrtpd512_mask(a, DoubleLanes{}, all_lanes, current_rounding);
#else
    // With a mask of all lanes: g++ 12 warns of its own _mm512_sqrt_pd.
    return _mm512_maskz_sqrt_pd(all_lanes, a);
#endif
#elif HALOCLINE_BUILTINS
    return __builtin_ia32_sqrtpd256(a);
#else
    return _mm256_sqrt_pd(a);
#endif
}

/// a b + c, rounded once where the instruction set can, as `multiply_add` of doubles.
inline DoubleLanes multiply_add_lanes(DoubleLanes a, DoubleLanes b, DoubleLanes c) {
#if !defined(__FMA__)
    return a * b + c;
#elif defined(__AVX512F__)
#if HALOCLINE_BUILTINS
    return __builtin_ia32_vfmaddpd512_mask(a, b, c, all_lanes, current_rounding);
#else
    return _mm512_fmadd_pd(a, b, c);
#endif
#elif HALOCLINE_BUILTINS
    return __builtin_ia32_vfmaddpd256(a, b, c);
#else
    return _mm256_fmadd_pd(a, b, c);
#endif
}

/// Whether a bit is set in any lane.
inline bool any_bit(IntegerLanes a) {
#if defined(__AVX512F__)
    using Wide = long long __attribute__((vector_size(64)));
#if HALOCLINE_BUILTINS
    return __builtin_ia32_ptestmq512(Wide(a), Wide(a), all_lanes) != 0;
#else
    return _mm512_test_epi64_mask(__m512i(a), __m512i(a)) != 0;
#endif
#else
    std::int64_t bits = 0;
    for (int lane = 0; lane < pack_lanes; ++lane) {
        bits |= a[lane];
    }
    return bits != 0;
#endif
}

/// In one instruction: g++ 12 converts halves and joins them.
inline DoubleLanes widen_lanes(FloatLanes a) {
#if !defined(__AVX__) || !HALOCLINE_BUILTINS
    return __builtin_convertvector(a, DoubleLanes);
#elif defined(__AVX512F__)
    return __builtin_ia32_cvtps2pd512_mask(a, DoubleLanes{}, all_lanes, current_rounding);
#else
    return __builtin_ia32_cvtps2pd256(a);
#endif
}
inline IntegerLanes widen_lanes(NarrowIntegerLanes a) {
#if defined(__AVX512F__) && HALOCLINE_BUILTINS
    using Wide = long long __attribute__((vector_size(64)));
    return IntegerLanes(__builtin_ia32_pmovsxdq512_mask(a, Wide{}, all_lanes));
#else
    return __builtin_convertvector(a, IntegerLanes);
#endif
}

}  // namespace halocline::detail

#undef HALOCLINE_BUILTINS
