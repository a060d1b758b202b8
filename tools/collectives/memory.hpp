// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What is remembered from run to run: one small text file a case, in a folder of the user's.
#pragma once

#include "collectives/advice.hpp"
#include "collectives/settings.hpp"

#include <optional>
#include <string>

namespace halocline::endpoints {

/// What makes two runs the same case: lines "name value". Empty where it is unknown.
struct CaseKey {
    std::string text;
};

/// What the system says of this process, apart from the environment.
struct ProcessFacts {
    std::string program;    ///< path
    std::string stamp;      ///< size and time of its file
    std::string arguments;  ///< words, separated by spaces
    std::string folder;     ///< working directory
    std::string processor;  ///< model
    int cpus = 0;           ///< online
    int own_cpus = 0;       ///< that this process may use
    std::string mpi;        ///< version
};

[[nodiscard]] ProcessFacts facts_of_process(const std::string& mpi_version);

/// The case of a run. With MEP_CASE its name stands for arguments and folder.
[[nodiscard]] CaseKey case_of(const Settings& settings, const ProcessFacts& facts,
                              const Lookup& lookup);

/// The folder that settings and environment name; empty: nothing is remembered.
[[nodiscard]] std::string memory_folder(const Settings& settings, const Lookup& lookup);

class Memory {
public:
    /// Remembers nothing where one of them is empty.
    Memory(std::string folder, CaseKey key);

    [[nodiscard]] bool works() const { return !file_.empty(); }
    [[nodiscard]] const std::string& file() const { return file_; }
    /// The plan for this case; nothing where none is stored, or not for just this case.
    [[nodiscard]] std::optional<Plan> read() const;
    /// Stores a plan with its reason. @returns whether it could be written
    [[nodiscard]] bool write(Plan plan, const std::string& reason) const;

private:
    CaseKey key_;
    std::string folder_;
    std::string file_;
};

}  // namespace halocline::endpoints
