// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The advection-diffusion solver as a run sees it.
#pragma once

#include "halocline/run/solver.hpp"
#include "halocline/solver/advection_diffusion/options.hpp"

namespace halocline::advection_diffusion {

class Case final : public run::Case {
public:
    /// `options` outlive the case.
    explicit Case(const Options& options) : options_(options) {}

    [[nodiscard]] std::string_view name() const override { return "advection_diffusion"; }
    [[nodiscard]] std::string_view step_name() const override { return "time step"; }
    /// The finest level, with its dual volumes.
    [[nodiscard]] std::string settings() const override;
    [[nodiscard]] ReadOptions reading(int ranks) const override;
    [[nodiscard]] bool is_multigrid() const override { return false; }
    [[nodiscard]] std::vector<HaloSample> exchanges(
        const MeshPart& part, const std::vector<MgcfdLevel>& levels) const override;
    [[nodiscard]] std::span<const std::string_view> loops_with_strategies() const override;
    /// There is no streaming twin of the flux.
    void check_options() const override;
    [[nodiscard]] std::unique_ptr<run::Solver> start(Context& context, Mesh& mesh,
                                                     const std::vector<std::string>& level_files,
                                                     bool any_device) override;

private:
    const Options& options_;
};

}  // namespace halocline::advection_diffusion
