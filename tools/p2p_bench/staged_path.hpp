// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The staged path; the pipelined one falls back on it for messages that are not worth cutting.
#pragma once

#include <memory>
#include <utility>

#include "paths.hpp"
#include "staging.hpp"

namespace halocline::p2p {

class StagedPath final : public Path {
public:
    StagedPath(const Communicator& comm, std::shared_ptr<Staging> staging)
        : comm_(comm), staging_(std::move(staging)), receives_(comm), sends_(comm) {}

    [[nodiscard]] std::string name() const override { return "staged"; }
    [[nodiscard]] MemoryKind memory() const override { return MemoryKind::device; }
    void prepare(const Plan& plan, std::byte* /*receive_base*/) override { staging_->fit(plan); }
    void move(const Phase& phase) override;

private:
    const Communicator& comm_;
    std::shared_ptr<Staging> staging_;
    Requests receives_;
    Requests sends_;
};

}  // namespace halocline::p2p
