// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Back ends by name, and dirty tracking for the halo exchange.
#include "halocline/backend/context.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <utility>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/backend/device/launch/forms.hpp"
#include "halocline/backend/device/launch/rank_join.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/core/print.hpp"

namespace halocline {

namespace {

struct NamedBackend {
    std::string_view name;
    Backend backend;
};

/// `auto` is one of the host's until someone finds a device.
constexpr std::array<NamedBackend, 6> named_backends{{{"auto", Backend::openmp},
                                                      {"serial", Backend::serial},
                                                      {"openmp", Backend::openmp},
                                                      {"check", Backend::check},
                                                      {"cuda", Backend::cuda},
                                                      {"emulated", Backend::emulated}}};

}  // namespace

std::vector<std::string_view> backend_names() {
    std::vector<std::string_view> names;
    for (const NamedBackend& entry : named_backends) {
        names.push_back(entry.name);
    }
    return names;
}

Backend backend_from_name(std::string_view name) {
    for (const NamedBackend& entry : named_backends) {
        if (entry.name == name) {
            return entry.backend;
        }
    }
    throw UsageError("unknown back end '" + std::string(name) + "'. " +
                     suggest_name(name, backend_names()));
}

Backend backend_of_environment() {
    const char* name = std::getenv("HALOCLINE_BACKEND");
    const bool is_set = name != nullptr && *name != '\0';
    return backend_from_name(is_set ? name : "auto");
}

int threads_of_process() { return std::min(omp_get_max_threads(), omp_get_thread_limit()); }

const char* backend_name(Backend backend) {
    // `auto` comes first and is no back end's own name.
    for (const NamedBackend& entry : std::span(named_backends).subspan(1)) {
        if (entry.backend == backend) {
            return entry.name.data();
        }
    }
    return "";
}

LayoutMode layout_mode(Backend backend) {
    return backend == Backend::openmp ? LayoutMode::vector : LayoutMode::plain;
}

struct Context::HostLoop {
    std::string name;
    int executions = 0;
};

Context::Context(const Communicator& comm, HaloExchange& halo, ContextOptions options)
    : comm_(comm),
      halo_(halo),
      options_(std::move(options)),
      backend_(options_.backend ? *options_.backend : backend_of_environment()) {
    options_.threads = backend_ == Backend::openmp ? std::max(1, options_.threads) : 1;
    fewest_threads_ = options_.threads;
    scratch_.resize(static_cast<std::size_t>(options_.threads));
    if (is_device(backend_)) {
        validate<ContractError>(options_.device != nullptr,
                                "a device back end was chosen without a device. Open one first.");
        const bool queues = comm.size() > 1 && options_.compute != nullptr && halo.is_queued();
        device_ = std::make_unique<device::Executor>(
            *options_.device, options_.compute,
            queues ? std::make_unique<device::RankJoin>(comm_, *options_.device) : nullptr,
            options_.device_options);
    }
}

Context::~Context() = default;

void Context::collect_kernel_times() {
    if (device_ != nullptr) {
        device_->times().collect(loops_);
    }
}

void Context::restart_account() {
    collect_kernel_times();
    loops_.clear();
}

VariantChoice& Context::variant_choice(const LoopName& name) {
    for (LoopVariant& known : variant_choices_) {
        if (known.level == name.level && known.name == name.name) {
            return known.choice;
        }
    }
    return variant_choices_.emplace_back(LoopVariant{name.name, name.level, {}}).choice;
}

void Context::explain_host_loop(const LoopName& name, std::string_view source) {
    const std::string_view reason =
        device::explain_missing_form(source, !device_->device().is_emulated());
    loops_.row(name).reason = reason;
    const std::string text = name.text();
    const auto known = std::find_if(host_loops_.begin(), host_loops_.end(),
                                    [&](const HostLoop& loop) { return loop.name == text; });
    HostLoop& loop = known != host_loops_.end() ? *known : host_loops_.emplace_back(HostLoop{text});
    if (++loop.executions == 2 && comm_.is_root()) {
        print(stderr,
              "note: loop '{}' runs on the host, and its dats travel there and back each time "
              "({}).\n",
              text, reason);
    }
}

bool Context::begin_halo(const std::vector<DatStore*>& stores, MemoryKind where, HaloWork work) {
    in_flight_.clear();
    items_.clear();
    exchanged_ = where;
    halo_work_ = work;
    for (DatStore* store : stores) {
        const bool listed =
            std::find(in_flight_.begin(), in_flight_.end(), store) != in_flight_.end();
        if (!store->halo_valid && !listed && comm_.size() > 1) {
            in_flight_.push_back(store);
            items_.push_back({where == MemoryKind::host ? store->raw() : store->raw_on_device(),
                              store->set, where});
        }
    }
    if (in_flight_.empty()) {
        return false;
    }
    switch (work) {
        case HaloWork::exchange:
            halo_.begin(items_);
            break;
        case HaloWork::prepare:
            halo_.prepare(items_);
            break;
        case HaloWork::count:
            halo_.count(items_);
            break;
    }
    return true;
}

void Context::end_halo() {
    if (halo_work_ == HaloWork::exchange) {
        halo_.end();
    }
    const bool on_host = exchanged_ == MemoryKind::host;
    for (DatStore* store : in_flight_) {
        if (on_host && store->after_exchange != nullptr && store->derived_valid) {
            store->after_exchange(*store);
        }
        store->device.host_current = on_host;
        store->device.device_current = !on_host;
        store->halo_valid = true;
    }
}

}  // namespace halocline
