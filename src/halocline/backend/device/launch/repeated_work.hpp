// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Work that repeats on a device, as who has it repeated keeps it; see `Recorder`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "halocline/backend/device/launch/signature.hpp"
#include "halocline/memory/stream.hpp"
#include "halocline/mesh/watched_dat.hpp"

namespace halocline::device {

/// Work that repeats, with its recordings: one for each arrangement of memory it starts from.
class RepeatedWork {
public:
    static constexpr const char* name = "a repeated body of loops";  ///< as messages call it
    /// Why it is not submitted as a graph; empty when it is.
    [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
    /// Launches of one repetition; 0 where they are not recorded.
    [[nodiscard]] int launches() const {
        return recordings_.empty() ? 0 : static_cast<int>(recordings_.front().launches.size());
    }

private:
    friend class Recorder;
    struct Recording {
        std::vector<const void*> start;
        std::vector<Signature> launches;
        std::unique_ptr<Graph> graph;
    };
    std::vector<Recording> recordings_;
    /// Whose halos change: whether they are current at its start tells recordings apart, too.
    std::vector<WatchedDat> halos_;
    std::string obstacle_ = "not prepared";
    int repetitions_ = 0;
    bool has_run_ = false;            ///< by `Recorder::run_first`
    std::string host_loop_;           ///< that ran on the host then; empty where none did
    std::vector<std::string> loops_;  ///< of one repetition that runs loop by loop
};

}  // namespace halocline::device
