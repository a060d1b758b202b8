// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// par_loop and its like in device images: a source file is compiled once more, by nvcc or by the C++
// compiler, and each place that runs loops in the program lists their form here. Nothing of an image
// runs but that listing, before main begins; see cmake/HaloclineDevices.cmake.
#pragma once

#include <utility>

#include "halocline/backend/context.hpp"
#include "halocline/backend/device/kernels/chain.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline {

namespace device {

/// cmake/close_device_image.sh finds `add` of each type by its name and has it called before main.
template <class LoopsT>
struct ListedForm {
    static void add() { add_form<LoopsT>(HALOCLINE_SOURCE); }
};

template <class LoopsT>
void list_form() {
    void (*volatile listed)() = &ListedForm<LoopsT>::add;  // volatile: it is there, though unused
    static_cast<void>(listed);
}

}  // namespace device

template <class Kernel, class Tag, class... Args>
void par_loop(Context& /*context*/, const Loop<Kernel, Tag, Args...>& /*loop*/) {
    device::list_form<Loop<Kernel, Tag, Args...>>();
}

template <class Tag, class Kernel, class... Args>
void par_loop(Context& /*context*/, LoopName name, Set<Tag> set, Kernel kernel,
              const Args&... args) {
    device::list_form<decltype(make_loop(name, set, std::move(kernel), args...))>();
}

template <class Tag, class Kernel, class... Args>
void par_loop(Context& /*context*/, LoopName name, Subset<Tag> subset, Kernel kernel,
              const Args&... args) {
    device::list_form<decltype(make_loop(name, subset, std::move(kernel), args...))>();
}

template <class Tag, class... Loops>
void run_chain(Context& /*context*/, LoopName /*name*/, Set<Tag> /*set*/,
               const Loops&... /*loops*/) {
    device::list_form<Chain<Tag, Loops...>>();
}

template <class Tag, class... Loops>
void run_chain(Context& /*context*/, const Chain<Tag, Loops...>& /*chain*/) {
    device::list_form<Chain<Tag, Loops...>>();
}

template <class Kernel, class... Args>
void update_globals(Context& /*context*/, const GlobalUpdate<Kernel, Args...>& /*update*/) {
    device::list_form<GlobalUpdate<Kernel, Args...>>();
}

template <class Edges, class Nodes, class DatT>
void precompute_edges(Context& /*context*/, Mesh& /*mesh*/,
                      const Map<Edges, Nodes, 2>& /*edge_nodes*/,
                      OrientedOf<DatT> /*edge_vector*/) {}

}  // namespace halocline
