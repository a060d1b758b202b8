// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MG-CFD's solver as a run sees it.
#pragma once

#include "halocline/run/solver.hpp"
#include "halocline/solver/mgcfd/options.hpp"

namespace halocline::mgcfd {

/// Results, validation and the file of I/O times are MG-CFD's.
class Case final : public run::Case {
public:
    /// `options` outlive the case.
    explicit Case(const Options& options) : options_(options) {}

    [[nodiscard]] std::string_view name() const override { return "mgcfd"; }
    [[nodiscard]] std::string_view step_name() const override { return "MG cycle"; }
    [[nodiscard]] std::string settings() const override;
    [[nodiscard]] ReadOptions reading(int ranks) const override;
    [[nodiscard]] bool is_multigrid() const override { return true; }
    /// The state, as often as a cycle visits each level.
    [[nodiscard]] std::vector<HaloSample> exchanges(
        const MeshPart& part, const std::vector<MgcfdLevel>& levels) const override;
    [[nodiscard]] std::span<const std::string_view> loops_with_strategies() const override;
    [[nodiscard]] std::vector<std::string> own_files() const override;
    void describe(record::Settings& settings) const override;
    /// Stored solutions, where the result shall be validated.
    void require_inputs(const Communicator& comm, int levels) const override;
    [[nodiscard]] std::unique_ptr<run::Solver> start(Context& context, Mesh& mesh,
                                                     const std::vector<std::string>& level_files,
                                                     bool any_device) override;
    void write_own_files(const Communicator& comm, const RunRecord& record) override;

private:
    const Options& options_;
};

}  // namespace halocline::mgcfd
