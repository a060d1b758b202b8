// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One function a loop; formulae and order of operations are those of the kernels in airfoil.cpp.
#include "airfoil_plain.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "airfoil_gas.hpp"

namespace halocline::benchmarks {

using airfoil::cfl;
using airfoil::eps;
using airfoil::gam;
using airfoil::gm1;

namespace {

std::vector<std::int32_t> narrow(const std::vector<GlobalIndex>& targets) {
    return {targets.begin(), targets.end()};
}

/// |u . n| + c |n| of one side of a cell.
double wave_speed(const double* a, const double* b, double u, double v, double c) {
    const double dx = b[0] - a[0];
    const double dy = b[1] - a[1];
    return std::fabs(u * dy - v * dx) + c * std::sqrt(dx * dx + dy * dy);
}

/// Mean flux of two states through the face n = (dy, -dx), and `mu` times their difference.
std::array<double, 4> face_flux(double dx, double dy, const double* qa, const double* qb,
                                double mu) {
    const double ria = 1.0 / qa[0];
    const double pa = gm1 * (qa[3] - 0.5 * ria * (qa[1] * qa[1] + qa[2] * qa[2]));
    const double vola = ria * (qa[1] * dy - qa[2] * dx);
    const double rib = 1.0 / qb[0];
    const double pb = gm1 * (qb[3] - 0.5 * rib * (qb[1] * qb[1] + qb[2] * qb[2]));
    const double volb = rib * (qb[1] * dy - qb[2] * dx);
    return {0.5 * (vola * qa[0] + volb * qb[0]) + mu * (qa[0] - qb[0]),
            0.5 * (vola * qa[1] + pa * dy + volb * qb[1] + pb * dy) + mu * (qa[1] - qb[1]),
            0.5 * (vola * qa[2] - pa * dx + volb * qb[2] - pb * dx) + mu * (qa[2] - qb[2]),
            0.5 * (vola * (qa[3] + pa) + volb * (qb[3] + pb)) + mu * (qa[3] - qb[3])};
}

}  // namespace

PlainAirfoil::PlainAirfoil(const AirfoilMesh& mesh)
    : pedge_(narrow(mesh.pedge)),
      pecell_(narrow(mesh.pecell)),
      pbedge_(narrow(mesh.pbedge)),
      pbecell_(narrow(mesh.pbecell)),
      pcell_(narrow(mesh.pcell)),
      x_(mesh.x),
      bound_(mesh.bound),
      qold_(static_cast<std::size_t>(4 * mesh.cells)),
      res_(qold_.size(), 0.0),
      adt_(static_cast<std::size_t>(mesh.cells)) {
    const std::array<double, 4> far = airfoil::far_state();
    q_.reserve(qold_.size());
    for (GlobalIndex cell = 0; cell < mesh.cells; ++cell) {
        q_.insert(q_.end(), far.begin(), far.end());
    }
}

void PlainAirfoil::iterate() {
    save_soln();
    rms_ = 0.0;
    for (int stage = 0; stage < 2; ++stage) {
        adt_calc();
        res_calc();
        bres_calc();
        update();
    }
}

void PlainAirfoil::save_soln() {
    for (std::size_t i = 0; i < q_.size(); ++i) {
        qold_[i] = q_[i];
    }
}

void PlainAirfoil::adt_calc() {
    for (std::size_t cell = 0; cell < adt_.size(); ++cell) {
        const double* q = &q_[4 * cell];
        const double* corner[4];
        for (std::size_t k = 0; k < 4; ++k) {
            corner[k] = &x_[2 * static_cast<std::size_t>(pcell_[4 * cell + k])];
        }
        const double ri = 1.0 / q[0];
        const double u = ri * q[1];
        const double v = ri * q[2];
        const double c = std::sqrt(gam * gm1 * (ri * q[3] - 0.5 * (u * u + v * v)));
        double sum = wave_speed(corner[0], corner[1], u, v, c);
        sum += wave_speed(corner[1], corner[2], u, v, c);
        sum += wave_speed(corner[2], corner[3], u, v, c);
        sum += wave_speed(corner[3], corner[0], u, v, c);
        adt_[cell] = sum * (1.0 / cfl);
    }
}

void PlainAirfoil::res_calc() {
    for (std::size_t edge = 0; 2 * edge < pecell_.size(); ++edge) {
        const double* a = &x_[2 * static_cast<std::size_t>(pedge_[2 * edge])];
        const double* b = &x_[2 * static_cast<std::size_t>(pedge_[2 * edge + 1])];
        const auto left = static_cast<std::size_t>(pecell_[2 * edge]);
        const auto right = static_cast<std::size_t>(pecell_[2 * edge + 1]);
        const double mu = 0.5 * (adt_[left] + adt_[right]) * eps;
        const std::array<double, 4> flux =
            face_flux(a[0] - b[0], a[1] - b[1], &q_[4 * left], &q_[4 * right], mu);
        for (std::size_t d = 0; d < 4; ++d) {
            res_[4 * left + d] += flux[d];
            res_[4 * right + d] -= flux[d];
        }
    }
}

void PlainAirfoil::bres_calc() {
    const std::array<double, 4> far = airfoil::far_state();
    for (std::size_t bedge = 0; bedge < bound_.size(); ++bedge) {
        const double* a = &x_[2 * static_cast<std::size_t>(pbedge_[2 * bedge])];
        const double* b = &x_[2 * static_cast<std::size_t>(pbedge_[2 * bedge + 1])];
        const auto cell = static_cast<std::size_t>(pbecell_[bedge]);
        const double dx = a[0] - b[0];
        const double dy = a[1] - b[1];
        const double* q = &q_[4 * cell];
        double* res = &res_[4 * cell];
        if (bound_[bedge] > 0.5) {
            const double ri = 1.0 / q[0];
            const double p = gm1 * (q[3] - 0.5 * ri * (q[1] * q[1] + q[2] * q[2]));
            res[1] += p * dy;
            res[2] -= p * dx;
        } else {
            const std::array<double, 4> flux = face_flux(dx, dy, q, far.data(), adt_[cell] * eps);
            for (std::size_t d = 0; d < 4; ++d) {
                res[d] += flux[d];
            }
        }
    }
}

void PlainAirfoil::update() {
    for (std::size_t cell = 0; cell < adt_.size(); ++cell) {
        const double adti = 1.0 / adt_[cell];
        double sum = 0.0;
        for (std::size_t i = 4 * cell; i < 4 * cell + 4; ++i) {
            const double del = adti * res_[i];
            q_[i] = qold_[i] - del;
            res_[i] = 0.0;
            sum += del * del;
        }
        rms_ += sum;
    }
}

}  // namespace halocline::benchmarks
