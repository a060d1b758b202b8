// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The airfoil test as plain loops over arrays: the yardstick, with nothing of the library in it.
#pragma once

#include <cstdint>
#include <vector>

#include "airfoil_mesh.hpp"

namespace halocline::benchmarks {

/// Reads a mesh once and iterates on arrays of its own, in the order of the mesh.
class PlainAirfoil {
public:
    explicit PlainAirfoil(const AirfoilMesh& mesh);

    /// One iteration: two stages.
    void iterate();
    /// (cell, 4) conserved variables.
    [[nodiscard]] const std::vector<double>& state() const { return q_; }
    /// Sum of the squared changes of the last iteration, both stages.
    [[nodiscard]] double changes() const { return rms_; }

private:
    void save_soln();
    void adt_calc();
    void res_calc();
    void bres_calc();
    void update();

    std::vector<std::int32_t> pedge_, pecell_, pbedge_, pbecell_, pcell_;
    std::vector<double> x_, bound_, q_, qold_, res_, adt_;
    double rms_ = 0.0;
};

}  // namespace halocline::benchmarks
