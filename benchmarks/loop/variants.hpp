// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The ways in which the loop benchmarks run a program of the library.
#pragma once

#include <string>
#include <vector>

#include "halocline/runtime/runtime.hpp"

namespace halocline::benchmarks {

/// As the library orders a mesh where the program says nothing, or as the file numbers it.
enum class Order { defaults, file };

struct Variant {
    std::string name;
    ContextOptions options;
    Order order = Order::defaults;
    std::string one_thread;  ///< name of the variant that has one thread where this one has several
};

/// serial, openmp on one thread and on `threads`, each in both orders; cuda where there is a GPU and the
/// program was compiled for it.
[[nodiscard]] std::vector<Variant> variants(int threads);

/// Divides a mesh as a program does that gives no options but `renumber`. Collective.
[[nodiscard]] Mesh distributed(Runtime& runtime, MeshDeclaration declaration, Order order);

}  // namespace halocline::benchmarks
