// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The incompressible solver as a run sees it.
#pragma once

#include "halocline/linalg/hierarchy.hpp"
#include "halocline/run/solver.hpp"
#include "halocline/solver/incompressible/boundary_groups.hpp"
#include "halocline/solver/incompressible/geometry.hpp"
#include "halocline/solver/incompressible/options.hpp"

namespace halocline::incompressible {

class Case final : public run::Case {
public:
    /// `options` outlive the case.
    explicit Case(const Options& options) : options_(options) {}

    [[nodiscard]] std::string_view name() const override { return "incompressible"; }
    [[nodiscard]] std::string_view step_name() const override { return "time step"; }
    [[nodiscard]] std::string settings() const override;
    /// The finest level, with dual volumes and weights of the Laplacian.
    [[nodiscard]] ReadOptions reading(int ranks) const override;
    /// Its own levels come from the pressure equation.
    [[nodiscard]] bool is_multigrid() const override { return false; }
    /// Adds the levels of the pressure equation.
    void declare(const Communicator& comm, run::LoadedMesh& loaded, bool on_devices) override;
    [[nodiscard]] std::vector<HaloSample> exchanges(
        const MeshPart& part, const std::vector<MgcfdLevel>& levels) const override;
    [[nodiscard]] std::span<const std::string_view> loops_with_strategies() const override;
    void check_options() const override;
    [[nodiscard]] std::unique_ptr<run::Solver> start(Context& context, Mesh& mesh,
                                                     const std::vector<std::string>& level_files,
                                                     bool any_device) override;

private:
    const Options& options_;
    int dimension_ = 3;
    LevelExtras extras_;
    ConditionOfGroup conditions_;
    linalg::Hierarchy hierarchy_;
};

}  // namespace halocline::incompressible
