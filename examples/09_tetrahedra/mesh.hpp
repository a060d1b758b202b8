// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A cube of tetrahedra, and the stiffness of linear elements on them.
#pragma once

#include "halocline/halocline.hpp"

/// Adds K u of one tetrahedron; gradients of hat functions are area vectors over six volumes.
struct Stiffness {
    template <class V>
    using Scalar = halocline::Values<V, 1>;
    template <class V>
    using Vector = halocline::Values<V, 3>;

    template <class V>
    HALOCLINE_HD void operator()(const Scalar<V>& u0, const Scalar<V>& u1, const Scalar<V>& u2,
                                 const Scalar<V>& u3, const Vector<V>& x0, const Vector<V>& x1,
                                 const Vector<V>& x2, const Vector<V>& x3, Scalar<V>& sum0,
                                 Scalar<V>& sum1, Scalar<V>& sum2, Scalar<V>& sum3) const {
        const auto from_x0 = [&](const Vector<V>& x) {
            return Vector<V>{{x[0] - x0[0], x[1] - x0[1], x[2] - x0[2]}};
        };
        const auto cross = [](const Vector<V>& a, const Vector<V>& b) {
            return Vector<V>{
                {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
        };
        const auto dot = [](const Vector<V>& a, const Vector<V>& b) {
            return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        };
        const Vector<V> a = from_x0(x1);
        const Vector<V> b = from_x0(x2);
        const Vector<V> c = from_x0(x3);
        const Vector<V> na = cross(b, c);
        const Vector<V> nb = cross(c, a);
        const Vector<V> nc = cross(a, b);
        Vector<V> gradient;
        for (int d = 0; d < 3; ++d) {
            gradient[d] =
                (u1[0] - u0[0]) * na[d] + (u2[0] - u0[0]) * nb[d] + (u3[0] - u0[0]) * nc[d];
        }
        const V six_volumes = dot(a, na);
        const V flow1 = dot(gradient, na) / (V(6.0) * six_volumes);
        const V flow2 = dot(gradient, nb) / (V(6.0) * six_volumes);
        const V flow3 = dot(gradient, nc) / (V(6.0) * six_volumes);
        sum0[0] -= flow1 + flow2 + flow3;
        sum1[0] += flow1;
        sum2[0] += flow2;
        sum3[0] += flow3;
    }
};

/// `n` cubes along each side of a cube of side 1; six tetrahedra share the main diagonal of each.
inline halocline::MeshDeclaration declare_cube(const halocline::Runtime& runtime, long n) {
    const long side = n + 1;
    const long steps[] = {side * side, side, 1};
    const int orders[][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};
    std::vector<halocline::GlobalIndex> corners;
    std::vector<double> x, inside, load;
    for (long node = 0; node < side * side * side; ++node) {
        const long at[] = {node / (side * side), node / side % side, node % side};
        bool is_inside = true;
        bool has_cube = true;
        for (const long i : at) {
            x.push_back(double(i) / double(n));
            is_inside = is_inside && i > 0 && i < n;
            has_cube = has_cube && i < n;
        }
        inside.push_back(is_inside ? 1.0 : 0.0);
        load.push_back(is_inside ? 1.0 / double(n * n * n) : 0.0);
        for (int k = 0; has_cube && k < 6; ++k) {
            const long first = node + steps[orders[k][0]];
            const long second = first + steps[orders[k][1]];
            const long last = node + steps[0] + steps[1] + steps[2];
            // Odd orders turn two corners over: all volumes are positive.
            corners.insert(corners.end(),
                           {node, k < 3 ? first : second, k < 3 ? second : first, last});
        }
    }
    halocline::MeshDeclaration mesh;
    const int nodes = mesh.add_set("nodes", side * side * side);
    const int tetrahedra = mesh.add_set("tetrahedra", long(corners.size() / 4));
    mesh.add_map("corners", tetrahedra, nodes, 4, runtime.block(corners, 4));
    mesh.add_dat("x", nodes, 3, runtime.block(x, 3));
    mesh.add_dat("inside", nodes, 1, runtime.block(inside));
    mesh.add_dat("left", nodes, 1, runtime.block(load));
    mesh.add_dat("direction", nodes, 1, runtime.block(load));
    return mesh;
}
