// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// All that a solver continues from: dats, and numbers beside them.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/loop/args.hpp"
#include "halocline/mesh/dat.hpp"

namespace halocline::run {

/// Between two steps. Names are those of datasets; what it refers to outlives it.
class SolverState {
public:
    struct NamedDat {
        std::string name;
        DatStore* store;
    };

    template <class Tag, class T, int dim, class Storage>
    void add(std::string name, Dat<Tag, T, dim, Storage>& dat) {
        dats_.push_back({std::move(name), &dat.handle()});
    }
    /// A global of doubles, the same on all ranks.
    template <int dim>
    void add(Global<double, dim>& global) {
        numbers_.push_back({dim,
                            [&global](double* values) {
                                for (int d = 0; d < dim; ++d) {
                                    values[d] = std::as_const(global)[d];
                                }
                            },
                            [&global](const double* values) {
                                Values<double, dim> stored{};
                                for (int d = 0; d < dim; ++d) {
                                    stored[d] = values[d];
                                }
                                global.set(stored);
                            },
                            [&global](device::Executor& executor) {
                                executor.globals().store(global.storage, global.value.v, dim);
                            }});
    }

    [[nodiscard]] const std::vector<NamedDat>& dats() const { return dats_; }
    /// Values of all globals, in the order in which they were added.
    [[nodiscard]] std::vector<double> numbers() const;
    /// How many those are.
    [[nodiscard]] std::size_t number_count() const;
    void set_numbers(const std::vector<double>& values) const;
    /// After dats and globals were set on the host: recorded work of a device finds them there.
    void refresh(device::Executor& executor) const;

private:
    struct Number {
        int dim;
        std::function<void(double*)> get;
        std::function<void(const double*)> set;
        std::function<void(device::Executor&)> refresh;
    };
    std::vector<NamedDat> dats_;
    std::vector<Number> numbers_;
};

}  // namespace halocline::run
