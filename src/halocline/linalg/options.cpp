// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Names, ranges, and the roots of Chebyshev's polynomials.
#include "halocline/linalg/options.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::linalg {

std::vector<std::string_view> method_names() { return {"flexible", "plain", "single_reduction"}; }
std::vector<std::string_view> preconditioner_names() {
    return {"multigrid", "chebyshev", "jacobi", "none"};
}
std::vector<std::string_view> smoother_names() { return {"jacobi", "chebyshev"}; }

double SolveReport::rate() const {
    if (iterations == 0 || norms.front() == 0.0) {
        return 0.0;
    }
    return std::pow(norms.back() / norms.front(), 1.0 / iterations);
}

namespace {

void require_word(const std::string& word, const std::vector<std::string_view>& known,
                  const char* what) {
    if (std::find(known.begin(), known.end(), word) != known.end()) {
        return;
    }
    std::string all;
    for (const std::string_view name : known) {
        all += (all.empty() ? "" : ", ") + std::string(name);
    }
    throw UsageError(std::string(what) + " '" + word + "' is unknown (known: " + all +
                     "). Name one of these.");
}

}  // namespace

void validate_options(const SolverOptions& options) {
    require_word(options.method, method_names(), "conjugate gradient method");
    require_word(options.preconditioner, preconditioner_names(), "preconditioner");
    require_word(options.smoother, smoother_names(), "smoother");
    validate<UsageError>(
        options.sweeps >= 1 && options.sweeps <= 16 && options.degree >= 1 && options.degree <= 16,
        "smoothing takes 1 to 16 sweeps, the Chebyshev preconditioner degree 1 "
        "to 16. Correct `sweeps` or `degree`.");
    validate<UsageError>(options.damping > 0.0 && options.damping < 1.0,
                         "damping " + std::to_string(options.damping) +
                             " of smoothing is not between 0 and 1 (sweeps would not converge). "
                             "Take 0.8 or leave it out.");
    validate<UsageError>(options.tolerance >= 0.0 && options.absolute_tolerance >= 0.0 &&
                             options.most_iterations >= 0,
                         "a tolerance or number of iterations is negative. Correct `tolerance` or "
                         "`most_iterations`.");
}

std::vector<double> chebyshev_factors(int degree, double spread) {
    const double largest = 2.0;
    const double smallest = largest / spread;
    std::vector<double> factors;
    for (int k = 0; k < degree; ++k) {
        const double cosine = std::cos(std::numbers::pi * (2 * k + 1) / (2.0 * degree));
        factors.push_back(1.0 / (0.5 * (largest + smallest) + 0.5 * (largest - smallest) * cosine));
    }
    return factors;
}

}  // namespace halocline::linalg
