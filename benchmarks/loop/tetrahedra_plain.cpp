// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Formulae and order of operations are those of the kernels in tetrahedra.cpp.
#include "tetrahedra_plain.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace halocline::benchmarks {

namespace {

using Vector = std::array<double, 3>;

Vector difference(const double* a, const double* b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

PlainPoisson::PlainPoisson(const TetrahedraMesh& mesh, OperatorForm form)
    : form_(form), x_(mesh.x), inside_(mesh.inside), load_(mesh.load) {
    const bool by_edges = form == OperatorForm::edges;
    const std::vector<GlobalIndex>& targets = by_edges ? mesh.ends : mesh.corners;
    targets_.assign(targets.begin(), targets.end());
    weights_ = by_edges ? mesh.edge_weights : mesh.element_weights;
    for (std::vector<double>* values : {&u_, &left_, &direction_, &product_}) {
        values->resize(load_.size());
    }
}

void PlainPoisson::start() {
    squares_ = 0.0;
    for (std::size_t i = 0; i < u_.size(); ++i) {
        u_[i] = 0.0;
        left_[i] = load_[i] * inside_[i];
        direction_[i] = left_[i];
        product_[i] = 0.0;
        squares_ += left_[i] * left_[i];
    }
}

void PlainPoisson::add_by_weights() {
    for (std::size_t t = 0; 4 * t < targets_.size(); ++t) {
        const std::int32_t* node = &targets_[4 * t];
        const double* w = &weights_[6 * t];
        const double a = direction_[static_cast<std::size_t>(node[0])];
        const double b = direction_[static_cast<std::size_t>(node[1])];
        const double c = direction_[static_cast<std::size_t>(node[2])];
        const double d = direction_[static_cast<std::size_t>(node[3])];
        const double ab = w[0] * (a - b);
        const double ac = w[1] * (a - c);
        const double ad = w[2] * (a - d);
        const double bc = w[3] * (b - c);
        const double bd = w[4] * (b - d);
        const double cd = w[5] * (c - d);
        product_[static_cast<std::size_t>(node[0])] += ab + ac + ad;
        product_[static_cast<std::size_t>(node[1])] += bc + bd - ab;
        product_[static_cast<std::size_t>(node[2])] += cd - ac - bc;
        product_[static_cast<std::size_t>(node[3])] -= ad + bd + cd;
    }
}

void PlainPoisson::add_by_coordinates() {
    for (std::size_t t = 0; 4 * t < targets_.size(); ++t) {
        std::array<std::size_t, 4> node{};
        for (std::size_t k = 0; k < 4; ++k) {
            node[k] = static_cast<std::size_t>(targets_[4 * t + k]);
        }
        const double* origin = &x_[3 * node[0]];
        const Vector a = difference(&x_[3 * node[1]], origin);
        const Vector b = difference(&x_[3 * node[2]], origin);
        const Vector c = difference(&x_[3 * node[3]], origin);
        const Vector na = cross(b, c);
        const Vector nb = cross(c, a);
        const Vector nc = cross(a, b);
        const double scale = 1.0 / (6.0 * dot(a, na));
        const double ua = scale * (direction_[node[1]] - direction_[node[0]]);
        const double ub = scale * (direction_[node[2]] - direction_[node[0]]);
        const double uc = scale * (direction_[node[3]] - direction_[node[0]]);
        Vector gradient;
        for (std::size_t d = 0; d < 3; ++d) {
            gradient[d] = ua * na[d] + ub * nb[d] + uc * nc[d];
        }
        const double fa = dot(gradient, na);
        const double fb = dot(gradient, nb);
        const double fc = dot(gradient, nc);
        product_[node[0]] -= fa + fb + fc;
        product_[node[1]] += fa;
        product_[node[2]] += fb;
        product_[node[3]] += fc;
    }
}

void PlainPoisson::add_by_edges() {
    for (std::size_t edge = 0; edge < weights_.size(); ++edge) {
        const auto a = static_cast<std::size_t>(targets_[2 * edge]);
        const auto b = static_cast<std::size_t>(targets_[2 * edge + 1]);
        const double flow = weights_[edge] * (direction_[a] - direction_[b]);
        product_[a] += flow;
        product_[b] -= flow;
    }
}

void PlainPoisson::apply() {
    if (form_ == OperatorForm::weights) {
        add_by_weights();
    } else if (form_ == OperatorForm::coordinates) {
        add_by_coordinates();
    } else {
        add_by_edges();
    }
    energy_ = 0.0;
    for (std::size_t i = 0; i < product_.size(); ++i) {
        product_[i] *= inside_[i];
        energy_ += direction_[i] * product_[i];
    }
}

void PlainPoisson::iterate() {
    apply();
    const double length = squares_ / energy_;
    double squares = 0.0;
    for (std::size_t i = 0; i < u_.size(); ++i) {
        u_[i] += length * direction_[i];
        left_[i] -= length * product_[i];
        squares += left_[i] * left_[i];
    }
    const double share = squares / squares_;
    squares_ = squares;
    for (std::size_t i = 0; i < u_.size(); ++i) {
        direction_[i] = left_[i] + share * direction_[i];
        product_[i] = 0.0;
    }
}

}  // namespace halocline::benchmarks
