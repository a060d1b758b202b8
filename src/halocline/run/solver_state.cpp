// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/run/solver_state.hpp"

#include <cstddef>

namespace halocline::run {

std::size_t SolverState::number_count() const {
    std::size_t count = 0;
    for (const Number& number : numbers_) {
        count += static_cast<std::size_t>(number.dim);
    }
    return count;
}

std::vector<double> SolverState::numbers() const {
    std::vector<double> values(number_count());
    double* next = values.data();
    for (const Number& number : numbers_) {
        number.get(next);
        next += number.dim;
    }
    return values;
}

void SolverState::set_numbers(const std::vector<double>& values) const {
    const double* next = values.data();
    for (const Number& number : numbers_) {
        number.set(next);
        next += number.dim;
    }
}

void SolverState::refresh(device::Executor& executor) const {
    for (const NamedDat& dat : dats_) {
        executor.dats().refresh(*dat.store);
    }
    for (const Number& number : numbers_) {
        number.refresh(executor);
    }
}

}  // namespace halocline::run
