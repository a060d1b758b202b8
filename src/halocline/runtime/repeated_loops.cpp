// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/runtime/repeated_loops.hpp"

#include <utility>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/backend/device/launch/repeated_work.hpp"
#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// Collects the dats that loops use, to the end of a block, however it ends.
class WatchedDats {
public:
    WatchedDats(device::DeviceDats& dats, std::vector<WatchedDat>& used) : dats_(dats) {
        dats_.watch(&used);
    }
    ~WatchedDats() { dats_.watch(nullptr); }
    WatchedDats(const WatchedDats&) = delete;
    WatchedDats& operator=(const WatchedDats&) = delete;

private:
    device::DeviceDats& dats_;
};

}  // namespace

RepeatedLoops::RepeatedLoops(Context& context, std::unique_ptr<Body> body)
    : context_(context), body_(std::move(body)), work_(std::make_unique<device::RepeatedWork>()) {}

RepeatedLoops::~RepeatedLoops() = default;
RepeatedLoops::RepeatedLoops(RepeatedLoops&&) noexcept = default;

void RepeatedLoops::require_body() const {
    validate<ContractError>(body_ != nullptr,
                            "loops that repeat were used after they were moved from (their body "
                            "went along). Use what they were moved to.");
}

std::string RepeatedLoops::obstacle() const {
    require_body();
    return context_.device() == nullptr ? "" : work_->obstacle();
}

int RepeatedLoops::launches() const {
    require_body();
    return work_->launches();
}

void RepeatedLoops::run() {
    require_body();
    if (context_.device() == nullptr) {
        body_->run();
    } else {
        run_on_device(*context_.device());
    }
    ++runs_;
}

void RepeatedLoops::run_on_device(device::Executor& executor) {
    if (runs_ == 0) {
        const WatchedDats watched(executor.dats(), dats_);
        executor.recorder().run_first(*work_, [this] { body_->run(); });
        return;
    }
    if (runs_ == 1) {
        prepare(executor);
    }
    executor.recorder().repeat(*work_, arrangement(), [this] { body_->run(); });
}

void RepeatedLoops::prepare(device::Executor& executor) {
    executor.recorder().prepare(
        *work_, [this] { return arrangement(); }, [this] { body_->run(); },
        executor.halos().obstacle(context_));
}

/// Dats that were swapped have each other's memory.
std::vector<const void*> RepeatedLoops::arrangement() const {
    std::vector<const void*> memory;
    for (const WatchedDat& dat : dats_) {
        memory.push_back(dat.get(device::RepeatedWork::name).device.values.data());
    }
    return memory;
}

}  // namespace halocline
