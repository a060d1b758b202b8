// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The ways in which a kernel names functions of `halocline::math`, with everything in sight that <cmath>
// and POSIX put beside them. Each NAMING_<case> is a kernel; those that would quietly compute with libm
// must not compile.
#include <sys/select.h>

#include <cmath>

#include "halocline/core/values.hpp"
#include "halocline/loop/pack_math.hpp"

namespace math = halocline::math;

namespace {

/// The kernel of docs/kernels.md.
struct Decay {
    double rate;
    template <class V>
    HALOCLINE_HD void operator()(const halocline::Values<V, 1>& age,
                                 halocline::Values<V, 1>& amount) const {
        const V left = amount[0] * math::exp(-rate * age[0]);
        amount[0] = math::select(left > 1e-30 && age[0] >= 0.0, left, V(0.0));
    }
};

struct Kernel {
    template <class V>
    V operator()(V x, V y) const {
#if defined(NAMING_qualified)
        return math::select(x < y && !(y == V(1.0)), math::exp(x), math::pow(math::sin(x), 2));
#elif defined(NAMING_using_names)
        using halocline::math::exp, halocline::math::pow, halocline::math::select,
            halocline::math::sin;
        return select(x < y && !(y == V(1.0)), exp(x), pow(sin(x), 2));
#elif defined(NAMING_use_math)
        HALOCLINE_USE_MATH;
        return select(x < y && !(y == V(1.0)), exp(x), max(pow(sin(x), 2), abs(cbrt(floor(y)))));
#elif defined(NAMING_using_namespace)
        using namespace halocline::math;  // ambiguous for doubles: ::exp would be another function
        return exp(x) + y;
#elif defined(NAMING_unqualified)
        return exp(x) + y;  // no exp for packs in sight: for doubles alone it would be ::exp
#elif defined(NAMING_standard)
        return std::exp(x) + y;
#endif
    }
};

}  // namespace

template void Decay::operator()(const halocline::Values<double, 1>&,
                                halocline::Values<double, 1>&) const;
template void Decay::operator()(const halocline::Values<halocline::Pack, 1>&,
                                halocline::Values<halocline::Pack, 1>&) const;
double of_doubles(double x, double y) { return Kernel{}(x, y); }
halocline::Pack of_packs(halocline::Pack x, halocline::Pack y) { return Kernel{}(x, y); }
