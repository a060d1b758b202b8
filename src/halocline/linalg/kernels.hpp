// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What happens at an edge or a node in solvers of edge operators.
#pragma once

#include "halocline/core/values.hpp"
#include "halocline/loop/kernels.hpp"
#include "halocline/math/functions.hpp"

namespace halocline::linalg {

/// sum_a += w (x_a - x_b) and the opposite at b: of every level.
struct EdgeLaplacian {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& a, const One<V>& b, const One<V>& weight,
                                 One<V>& sum_a, One<V>& sum_b) const {
        const V flux = weight[0] * (a[0] - b[0]);
        sum_a[0] += flux;
        sum_b[0] -= flux;
    }
};

/// sum += what a segment of a dense row gives.
struct SegmentProduct {
    template <class V, int width>
    HALOCLINE_HD void operator()(const Rows<V, width, 1>& x, const Values<V, width>& entries,
                                 One<V>& sum) const {
        for (int k = 0; k < width; ++k) {
            sum[0] += entries[k] * x[k][0];
        }
    }
};

/// size_a += |w|: with the diagonal it bounds the spectrum of D^-1 A by 2 (Gershgorin).
struct EdgeSize {
    static constexpr bool swap_symmetric = true;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& weight, One<V>& size_a, One<V>& size_b) const {
        size_a[0] += abs(weight[0]);
        size_b[0] += abs(weight[0]);
    }
};

/// 1 / (d + sum |w|); 0 where that is 0, so that nodes without edges stay zero.
struct InvertDiagonal {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& size, const One<V>& diagonal,
                                 One<V>& inverse) const {
        const V all = size[0] + diagonal[0];
        inverse[0] = select(all > V(0.0), V(1.0) / select(all > V(0.0), all, V(1.0)), V(0.0));
    }
};

/// What smoothing starts from where the guess is zero.
struct StartSmoothing {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& rhs, const One<V>& inverse, One<V>& guess) const {
        guess[0] = damping * inverse[0] * rhs[0];
    }
};

/// x + omega D^-1 (rhs - A x).
struct Smooth {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& inverse,
                                 const One<V>& rhs, const One<V>& guess, One<V>& next) const {
        const V residual = rhs[0] - (sum[0] + diagonal[0] * guess[0]);
        next[0] = guess[0] + damping * inverse[0] * residual;
    }
};

/// The last smoothing of a preconditioner, and what conjugate gradients want to know of its result z.
struct SmoothAndMultiply {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& inverse,
                                 const One<V>& rhs, const One<V>& guess, const One<V>& residual,
                                 const One<V>& product, One<V>& next,
                                 Values<V, 2>& products) const {
        const V left = rhs[0] - (sum[0] + diagonal[0] * guess[0]);
        next[0] = guess[0] + damping * inverse[0] * left;
        products[0] += next[0] * residual[0];
        products[1] += next[0] * product[0];
    }
};

/// The products of a z that is there already.
struct Multiply {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& z, const One<V>& residual, const One<V>& product,
                                 Values<V, 2>& products) const {
        products[0] += z[0] * residual[0];
        products[1] += z[0] * product[0];
    }
};

struct Residual {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& rhs,
                                 const One<V>& guess, One<V>& residual) const {
        residual[0] = rhs[0] - (sum[0] + diagonal[0] * guess[0]);
    }
};

struct SumChildren {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& child, One<V>& sum) const {
        sum[0] += child[0];
    }
};

/// The coarse right-hand side, and the first smoothing from zero with it.
struct StartLevel {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& inverse, One<V>& rhs,
                                 One<V>& guess) const {
        rhs[0] = sum[0];
        guess[0] = damping * inverse[0] * sum[0];
    }
};

struct Correct {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& correction, One<V>& guess) const {
        guess[0] += correction[0];
    }
};

/// @name Errors of one level, to see how a cycle treats them: A e = -rhs
/// @{
struct StartError {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& error,
                                 const One<V>& inverse, One<V>& rhs, One<V>& guess,
                                 One<V>& energy) const {
        const V product = sum[0] + diagonal[0] * error[0];
        energy[0] += error[0] * product;
        rhs[0] = V(0.0) - product;
        guess[0] = damping * inverse[0] * rhs[0];
    }
};
/// @}

/// @name A K-cycle's two steps (Notay & Vassilevski 2008, doi:10.1002/nla.542, algorithm 3.2)
/// @{

/// v = A c; products: c v, c r.
struct FirstProducts {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& c,
                                 const One<V>& rhs, One<V>& v, Values<V, 2>& products) const {
        v[0] = sum[0] + diagonal[0] * c[0];
        products[0] += c[0] * v[0];
        products[1] += c[0] * rhs[0];
    }
};

/// 0 for 0 / 0: a level whose right-hand side is zero corrects nothing.
template <class V>
HALOCLINE_HD V ratio(const V& above, const V& below) {
    return select(below > V(0.0), above / select(below > V(0.0), below, V(1.0)), V(0.0));
}

/// r - step v, and the first smoothing from zero with it.
struct Reduce {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& products, const One<V>& v,
                                 const One<V>& inverse, One<V>& rhs, One<V>& guess) const {
        rhs[0] -= ratio(products[1], products[0]) * v[0];
        guess[0] = damping * inverse[0] * rhs[0];
    }
};

/// Products of the second direction c with the first product v, with its own one and with r.
struct SecondProducts {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& c,
                                 const One<V>& v, const One<V>& rhs, Values<V, 3>& products) const {
        products[0] += c[0] * v[0];
        products[1] += c[0] * (sum[0] + diagonal[0] * c[0]);
        products[2] += c[0] * rhs[0];
    }
};

/// The two steps' result, where the finer level takes it. Each node finds their lengths by itself: cheaper
/// than a launch that only does that.
struct CorrectTwice {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& first_products,
                                 const Values<V, 3>& second_products, const One<V>& first,
                                 const One<V>& second, One<V>& guess) const {
        const V shared = ratio(second_products[0], first_products[0]);
        const V length = second_products[1] - shared * second_products[0];
        const V along_second = ratio(second_products[2], length);
        const V along_first = ratio(first_products[1], first_products[0]) - shared * along_second;
        guess[0] += along_first * first[0] + along_second * second[0];
    }
};
/// @}

/// @name Conjugate gradients
/// @{

/// product = A p without and with a diagonal; energy = p A p.
struct Product {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& p, One<V>& product,
                                 One<V>& energy) const {
        product[0] = sum[0];
        energy[0] += p[0] * product[0];
    }
};
struct ShiftedProduct {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& p,
                                 One<V>& product, One<V>& energy) const {
        product[0] = sum[0] + diagonal[0] * p[0];
        energy[0] += p[0] * product[0];
    }
};

/// residual = b - A x, where it holds b and `product` A x at first; squares of b and of the residual.
/// Directions of a solve before are no part of this one.
struct Begin {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& inverse, One<V>& product, One<V>& residual,
                                 One<V>& direction, One<V>& rhs, One<V>& guess,
                                 Values<V, 2>& squares) const {
        squares[0] += residual[0] * residual[0];
        residual[0] -= product[0];
        squares[1] += residual[0] * residual[0];
        product[0] = V(0.0);
        direction[0] = V(0.0);
        rhs[0] = residual[0];
        guess[0] = damping * inverse[0] * residual[0];
    }
};

struct Subtract {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& shift, One<V>& value) const {
        value[0] -= shift[0];
    }
};

/// x and residual along p, and the residual as the preconditioner gets it. The step is r z / p A p, of
/// the products of the last preconditioning.
struct Advance {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& products, const One<V>& energy,
                                 const One<V>& p, const One<V>& product, const One<V>& inverse,
                                 One<V>& x, One<V>& residual, One<V>& rhs, One<V>& guess,
                                 One<V>& squares) const {
        const V step = ratio(products[0], energy[0]);
        x[0] += step * p[0];
        residual[0] -= step * product[0];
        rhs[0] = residual[0];
        guess[0] = damping * inverse[0] * residual[0];
        squares[0] += residual[0] * residual[0];
    }
};

/// Resets what the direction update keeps of the last solve.
struct ResetHistory {
    template <class V>
    HALOCLINE_HD void operator()(One<V>& energy, One<V>& along, Values<V, 2>& before) const {
        energy[0] = along[0] = V(0.0);
        before[0] = before[1] = V(0.0);
    }
};

/// p = z + beta p, beta by the ratio of r z to the one before (Fletcher & Reeves).
struct UpdateDirection {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& products, const One<V>& before,
                                 const One<V>& z, One<V>& p) const {
        p[0] = z[0] + ratio(products[0], before[0]) * p[0];
    }
};
/// Keeps r z, by which the next update divides.
struct KeepProduct {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& products, One<V>& along) const {
        along[0] = products[0];
    }
};

/// The same where the preconditioner is not linear: - z A p / p A p makes z orthogonal to p in A, whatever
/// z is (Notay 2000, doi:10.1137/S1064827599362314; Polak & Ribiere's formula in exact arithmetic).
struct UpdateDirectionFlexibly {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& products, const One<V>& energy,
                                 const One<V>& z, One<V>& p) const {
        p[0] = z[0] + (V(0.0) - ratio(products[1], energy[0])) * p[0];
    }
};

/// w = A z and all three products in one reduction: r z, z A z, r r.
struct AllProducts {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& z, const One<V>& residual,
                                 One<V>& w, Values<V, 3>& products) const {
        w[0] = sum[0];
        products[0] += residual[0] * z[0];
        products[1] += z[0] * w[0];
        products[2] += residual[0] * residual[0];
    }
};
struct AllShiftedProducts {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, const One<V>& diagonal, const One<V>& z,
                                 const One<V>& residual, One<V>& w, Values<V, 3>& products) const {
        w[0] = sum[0] + diagonal[0] * z[0];
        products[0] += residual[0] * z[0];
        products[1] += z[0] * w[0];
        products[2] += residual[0] * residual[0];
    }
};

/// share and step from the products and from the step before (Chronopoulos & Gear 1989,
/// doi:10.1016/0377-0427(89)90045-9); state: r z and step of before, zeros at first.
struct SingleReductionSteps {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& products, const Values<V, 2>& before,
                                 Values<V, 2>& steps, Values<V, 2>& after) const {
        const V share = ratio(products[0], before[0]);
        // At first there is no step before; share is 0 then.
        const V energy = products[1] - share * ratio(products[0], before[1]);
        steps[0] = share;
        steps[1] = ratio(products[0], energy);
        after[0] = products[0];
        after[1] = steps[1];
    }
};

/// Directions, x and residual at once, and the residual as the preconditioner gets it.
struct AdvanceAtOnce {
    double damping;
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& steps, const One<V>& z, const One<V>& w,
                                 const One<V>& inverse, One<V>& p, One<V>& product, One<V>& x,
                                 One<V>& residual, One<V>& rhs, One<V>& guess) const {
        p[0] = z[0] + steps[0] * p[0];
        product[0] = w[0] + steps[0] * product[0];
        x[0] += steps[1] * p[0];
        residual[0] -= steps[1] * product[0];
        rhs[0] = residual[0];
        guess[0] = damping * inverse[0] * residual[0];
    }
};
/// @}

}  // namespace halocline::linalg
