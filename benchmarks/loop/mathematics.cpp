// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Times functions of `halocline::math`, a double and a pack at a time, beside libm's; each as an item a
// value, on numbers in the first-level cache.
//   benchmark_mathematics [flags of google-benchmark]
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>

#include "halocline/loop/pack_math.hpp"

namespace halocline::benchmarks {
namespace {

constexpr int values = 1024;

struct Arguments {
    alignas(64) double x[values];
    alignas(64) double y[values];
    alignas(64) double result[values];
};

/// Evenly spread from `low` to `high` in x and 0.1 to 5 in y, in an order that looks random.
Arguments spread(double low, double high) {
    Arguments made;
    for (int i = 0; i < values; ++i) {
        made.x[i] = low + (high - low) * ((i * 389 % values) + 0.5) / values;
        made.y[i] = 0.1 + 4.9 * ((i * 157 % values) + 0.5) / values;
        made.result[i] = 0.0;
    }
    return made;
}

template <class Function>
void run_doubles(Arguments& a, const Function& function) {
    for (int i = 0; i < values; ++i) {
        a.result[i] = function(a.x[i], a.y[i]);
    }
}

template <class Function>
void run_packs(Arguments& a, const Function& function) {
    for (int i = 0; i < values; i += pack_lanes) {
        function(Pack::load(a.x + i), Pack::load(a.y + i)).store(a.result + i);
    }
}

/// Ends the program where packs, doubles and libm do not agree on what is timed.
template <class Ours, class Standard>
void require_agreement(const std::string& name, Arguments a, const Ours& ours,
                       const Standard& standard) {
    run_packs(a, ours);
    for (int i = 0; i < values; ++i) {
        const double other = standard(a.x[i], a.y[i]);
        const bool same = a.result[i] == ours(a.x[i], a.y[i]);
        if (!same || std::fabs(a.result[i] - other) > 0x1p-51 * std::fabs(other)) {
            std::cerr << "benchmark_mathematics: " << name << " is wrong at " << a.x[i] << "\n";
            std::exit(1);
        }
    }
}

template <class Ours, class Standard>
void add(const std::string& name, double low, double high, Ours ours, Standard standard) {
    const Arguments made = spread(low, high);
    require_agreement(name, made, ours, standard);
    const auto add_one = [&](const char* form, auto run) {
        benchmark::RegisterBenchmark((name + "/" + form).c_str(), [=](benchmark::State& state) {
            Arguments a = made;
            Arguments* seen = &a;  // by the compiler as read and written by others
            benchmark::DoNotOptimize(seen);
            for (auto _ : state) {
                run(a);
                benchmark::ClobberMemory();
            }
            state.SetItemsProcessed(state.iterations() * values);
        });
    };
    add_one("libm", [=](Arguments& a) { run_doubles(a, standard); });
    add_one("double", [=](Arguments& a) { run_doubles(a, ours); });
    add_one("pack", [=](Arguments& a) { run_packs(a, ours); });
}

/// One line a function: name, range of x, ours and libm's.
void add_all() {
#define HALOCLINE_ADD(name, low, high, ...)                                                        \
    add(                                                                                           \
        #name, low, high, [](auto x, [[maybe_unused]] auto y) { return math::name(__VA_ARGS__); }, \
        [](auto x, [[maybe_unused]] auto y) { return std::name(__VA_ARGS__); })
    HALOCLINE_ADD(exp, -20.0, 20.0, x);
    HALOCLINE_ADD(exp2, -20.0, 20.0, x);
    HALOCLINE_ADD(log, 0.01, 100.0, x);
    HALOCLINE_ADD(log2, 0.01, 100.0, x);
    HALOCLINE_ADD(log10, 0.01, 100.0, x);
    HALOCLINE_ADD(pow, 0.01, 100.0, x, y);
    HALOCLINE_ADD(hypot, -5.0, 5.0, x, y);
    HALOCLINE_ADD(sin, -10.0, 10.0, x);
    HALOCLINE_ADD(cos, -10.0, 10.0, x);
    HALOCLINE_ADD(tan, -10.0, 10.0, x);
    HALOCLINE_ADD(atan, -10.0, 10.0, x);
    HALOCLINE_ADD(atan2, -10.0, 10.0, x, y);
    HALOCLINE_ADD(tanh, -5.0, 5.0, x);
    HALOCLINE_ADD(floor, -5.0, 5.0, x);
#undef HALOCLINE_ADD
}

}  // namespace
}  // namespace halocline::benchmarks

int main(int argc, char** argv) {
    halocline::benchmarks::add_all();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
