// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops that repeat, as one unit of work: a graph on devices, a call on cores.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/mesh/watched_dat.hpp"

namespace halocline {

namespace device {
class RepeatedWork;
}

/// Runs a body of loops again and again. On devices the first run is as ever; the second one goes
/// through the body without computing anything, until swapped dats lie as they did, and records what it
/// launches; from then on a run is one submission, whatever the number of loops. Where there is an
/// `obstacle` to that, a run calls the body once and computes loop by loop.
///
/// The body is the same every time: `par_loop`, `run_chain`, `update_globals`, `swap` of dats, `set` of
/// globals, and control flow that does not depend on results. A body that reads a global or a dat
/// that it has changed on the device, or runs other loops the next time, gets a ContractError on devices,
/// graph or not. On cores a run is a call.
class RepeatedLoops {
public:
    /// What runs again and again.
    class Body {
    public:
        virtual ~Body() = default;
        /// Runs it once.
        virtual void run() = 0;
    };

    /// The context outlives it, and so does what the body names.
    RepeatedLoops(Context& context, std::unique_ptr<Body> body);
    /// The same for a function `body()`.
    template <class Function>
    requires(std::is_invocable_v<Function&>) RepeatedLoops(Context& context, Function body)
        : RepeatedLoops(context, std::make_unique<FunctionBody<Function>>(std::move(body))) {}
    ~RepeatedLoops();
    RepeatedLoops(RepeatedLoops&&) noexcept;
    RepeatedLoops& operator=(RepeatedLoops&&) = delete;

    /// Runs the body once. Throws ContractError where these loops were moved from, and on devices when a
    /// dat that the first run used is gone. Collective.
    void run();
    /// The same as `run`. Collective.
    void operator()() { run(); }

    /// Why runs are not one submission; empty where they are, and on cores.
    [[nodiscard]] std::string obstacle() const;
    /// Launches of one run that are submitted together; 0 where they are not.
    [[nodiscard]] int launches() const;

private:
    template <class Function>
    class FunctionBody final : public Body {
    public:
        explicit FunctionBody(Function function) : function_(std::move(function)) {}
        void run() override { function_(); }

    private:
        Function function_;
    };

    void run_on_device(device::Executor& executor);
    void prepare(device::Executor& executor);
    [[nodiscard]] std::vector<const void*> arrangement() const;
    void require_body() const;

    Context& context_;
    std::unique_ptr<Body> body_;
    std::vector<WatchedDat> dats_;  ///< that the body uses on the device
    std::unique_ptr<device::RepeatedWork> work_;
    int runs_ = 0;
};

}  // namespace halocline
