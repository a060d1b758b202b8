// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Names of variants are what the tables and `--only` show.
#include "variants.hpp"

#include <utility>

#include "halocline/backend/device/launch/forms.hpp"
#include "halocline/memory/cuda_device.hpp"

namespace halocline::benchmarks {

namespace {

void add(std::vector<Variant>& all, std::string name, const ContextOptions& options, Order order) {
    Variant& variant = all.emplace_back();
    variant.name = std::move(name);
    variant.options = options;
    variant.order = order;
}

}  // namespace

std::vector<Variant> variants(int threads) {
    const std::string several = "openmp " + std::to_string(threads) + " threads";
    std::vector<Variant> all;
    for (const Order order : {Order::defaults, Order::file}) {
        const std::string tail = order == Order::defaults ? ", defaults" : ", renumber=false";
        const std::string one = "openmp 1 thread" + tail;
        add(all, "serial" + tail, {.backend = Backend::serial}, order);
        add(all, one, {.backend = Backend::openmp, .threads = 1}, order);
        add(all, several + tail, {.backend = Backend::openmp, .threads = threads}, order);
        all.back().one_thread = one;
    }
    if (device::has_forms(true) && !find_cuda_devices().pci_bus_ids.empty()) {
        add(all, "cuda, defaults", {.backend = Backend::cuda}, Order::defaults);
    }
    return all;
}

Mesh distributed(Runtime& runtime, MeshDeclaration declaration, Order order) {
    if (order == Order::defaults) {
        return runtime.distribute(std::move(declaration));
    }
    return runtime.distribute(std::move(declaration), {.renumber = false});
}

}  // namespace halocline::benchmarks
