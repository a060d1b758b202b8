// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps, restores and compares the buffers of a call.
#include "collectives/verify.hpp"

#include "collectives/byte_types.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace halocline::endpoints {

namespace {

using Bytes = std::vector<std::byte>;

Bytes copy_of(const Region& region) {
    Bytes bytes(region.count * (region.count > 0 ? size_of(region.type) : 0));
    if (!bytes.empty()) {
        pack(region.buffer, region.count, region.type, bytes.data());
    }
    return bytes;
}

void restore(const Region& region, const Bytes& bytes) {
    if (!bytes.empty()) {
        unpack(bytes.data(), region.buffer, region.count, region.type);
    }
}

template <class Real>
std::vector<Real> absolute_sums(const Bytes& summands, MPI_Datatype type, MPI_Comm communicator) {
    std::vector<Real> values(summands.size() / sizeof(Real));
    std::memcpy(values.data(), summands.data(), values.size() * sizeof(Real));
    for (Real& value : values) {
        value = std::abs(value);
    }
    real().Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, MPI_SUM,
                     communicator);
    return values;
}

template <class Real>
bool equal_within(const Bytes& a, const Bytes& b, const std::vector<Real>& scale, int ranks) {
    const std::size_t n = a.size() / sizeof(Real);
    for (std::size_t i = 0; i < n; ++i) {
        Real one;
        Real other;
        std::memcpy(&one, a.data() + i * sizeof(Real), sizeof(Real));
        std::memcpy(&other, b.data() + i * sizeof(Real), sizeof(Real));
        const Real bound = scale.empty() ? std::max(std::abs(one), std::abs(other)) : scale[i];
        if (!sums_agree(one, other, bound, ranks)) {
            return false;
        }
    }
    return true;
}

/// Compares results of rounded arithmetic; called by all ranks, since the bound is a reduction.
template <class Real>
bool same_rounded(const Collective& call, const Bytes& split, const Bytes& plain,
                  const Bytes& summands, MPI_Datatype type) {
    int ranks = 1;
    real().Comm_size(call.communicator(), &ranks);
    std::vector<Real> scale;
    if (!summands.empty()) {
        scale = absolute_sums<Real>(summands, type, call.communicator());
    }
    return equal_within(split, plain, scale, ranks);
}

bool same_result(const Collective& call, const Bytes& split, const Bytes& plain,
                 const Bytes& summands, Rounding rounding) {
    switch (rounding) {
        case Rounding::single_precision:
            return same_rounded<float>(call, split, plain, summands, MPI_FLOAT);
        case Rounding::double_precision:
            return same_rounded<double>(call, split, plain, summands, MPI_DOUBLE);
        case Rounding::unknown:
            return true;  // e.g. 16-byte reals: their order of additions may show, nothing is known
        case Rounding::exact:
            break;
    }
    return split == plain;
}

template <std::size_t n>
bool contains(const MPI_Datatype (&types)[n], MPI_Datatype type) {
    for (const MPI_Datatype known : types) {
        if (known == type) {
            return true;
        }
    }
    return false;
}

}  // namespace

template <class Real>
bool sums_agree(Real a, Real b, Real absolute_sum, int ranks) {
    if (a == b || (std::isnan(a) && std::isnan(b))) {
        return true;
    }
    if (ranks <= 2) {
        return false;
    }
    if (!std::isfinite(absolute_sum)) {
        return true;
    }
    const Real eps = std::numeric_limits<Real>::epsilon();
    return std::abs(a - b) <= static_cast<Real>(ranks - 1) * eps * absolute_sum;
}
template bool sums_agree<float>(float, float, float, int);
template bool sums_agree<double>(double, double, double, int);

Rounding rounding_of(const Reduced& reduced) {
    const MPI_Datatype singles[] = {MPI_FLOAT, MPI_REAL, MPI_REAL4};
    const MPI_Datatype doubles[] = {MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL8};
    const MPI_Datatype single_pairs[] = {MPI_COMPLEX, MPI_C_FLOAT_COMPLEX, MPI_COMPLEX8};
    const MPI_Datatype double_pairs[] = {MPI_DOUBLE_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX16};
    const MPI_Datatype wider[] = {MPI_LONG_DOUBLE, MPI_C_LONG_DOUBLE_COMPLEX, MPI_REAL16,
                                  MPI_COMPLEX32};
    if (reduced.by != Reduced::By::sum && reduced.by != Reduced::By::product) {
        return Rounding::exact;
    }
    const MPI_Datatype type = reduced.values.type;
    const bool sum = reduced.by == Reduced::By::sum;
    if (contains(singles, type) || (sum && contains(single_pairs, type))) {
        return Rounding::single_precision;
    }
    if (contains(doubles, type) || (sum && contains(double_pairs, type))) {
        return Rounding::double_precision;
    }
    // Products of complex numbers cancel, and the widest types have no bound here.
    const bool unknown =
        contains(single_pairs, type) || contains(double_pairs, type) || contains(wider, type);
    return unknown ? Rounding::unknown : Rounding::exact;
}

Comparison run_both_ways(Collective& call, const std::function<int()>& split) {
    Comparison result;
    const Region output = call.output();
    const Reduced reduced = call.reduced();
    const Rounding rounding = rounding_of(reduced);
    const bool rounded_sum = reduced.by == Reduced::By::sum && rounding != Rounding::exact;
    const Bytes summands = rounded_sum ? copy_of(reduced.values) : Bytes{};
    const Bytes before = copy_of(output);
    double start = now();
    split();
    result.split_seconds = now() - start;
    const Bytes by_split = copy_of(output);
    restore(output, before);
    start = now();
    result.code = call.plain();
    result.plain_seconds = now() - start;
    const Bytes by_plain = copy_of(output);
    result.same = same_result(call, by_split, by_plain, summands, rounding);
    return result;
}

}  // namespace halocline::endpoints
