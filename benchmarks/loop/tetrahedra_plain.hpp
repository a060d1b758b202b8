// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on tetrahedra as plain loops over arrays: the yardstick.
#pragma once

#include <cstdint>
#include <vector>

#include "tetrahedra_mesh.hpp"

namespace halocline::benchmarks {

/// How the operator is written: over tetrahedra with stored weights, over tetrahedra from coordinates,
/// over edges with stored weights.
enum class OperatorForm { weights, coordinates, edges };

class PlainPoisson {
public:
    PlainPoisson(const TetrahedraMesh& mesh, OperatorForm form);

    /// u = 0; what is left is the load.
    void start();
    /// The operator on the search direction.
    void apply();
    /// One iteration of conjugate gradients.
    void iterate();
    [[nodiscard]] const std::vector<double>& product() const { return product_; }
    [[nodiscard]] const std::vector<double>& solution() const { return u_; }

private:
    void add_by_weights();
    void add_by_coordinates();
    void add_by_edges();

    OperatorForm form_;
    std::vector<std::int32_t> targets_;
    std::vector<double> weights_, x_, inside_, load_, u_, left_, direction_, product_;
    double energy_ = 0.0;   ///< direction . product
    double squares_ = 0.0;  ///< left . left
};

}  // namespace halocline::benchmarks
