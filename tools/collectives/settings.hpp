// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The settings of a run, as environment variables MEP_*.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace halocline::endpoints {

/// Where MPI_THREAD_MULTIPLE comes from, without which nothing is split.
enum class ThreadLevel {
    remembered,  ///< raised where earlier runs of the case say that it pays
    own,         ///< as the program asks
    multiple,    ///< raised
};

struct Settings {
    bool enabled = true;                      ///< MEP_ENABLE
    int threads = 0;                          ///< MEP_NUM_THREADS; 0: as many as cores allow
    std::int64_t allreduce_threshold = 1000;  ///< MEP_ALLREDUCE_THRESHOLD [elements]; Reduce too
    std::int64_t bcast_threshold = 1000;      ///< MEP_BCAST_THRESHOLD [elements of 8 bytes]
    bool calibrate = true;                    ///< MEP_CALIBRATE; 0: split whatever it costs
    bool verify = false;                      ///< MEP_VERIFY; 1: check every split call
    double budget = 1.0;                      ///< MEP_BUDGET [% of the run's time for trials]
    bool summary = true;                      ///< MEP_SUMMARY; 0: no table at the end
    std::string report;                       ///< MEP_REPORT: file of the JSON report
    ThreadLevel thread_level = ThreadLevel::remembered;  ///< MEP_THREAD_LEVEL=auto, own, multiple
    std::string memory;  ///< MEP_MEMORY: folder of what is remembered; "none"; empty: the usual one
    std::string run_case;  ///< MEP_CASE: names runs that are alike
};

/// More endpoints than this only cost communicators.
inline constexpr int threads_limit = 64;

struct SettingsReading {
    Settings settings;
    std::vector<std::string> complaints;  ///< sentences about values that were not understood
};

/// Looks a variable up; nullptr when it is not set.
using Lookup = std::function<const char*(const char*)>;

/// Reads the settings; what is wrong keeps its default and is complained about.
///
/// @param names  all variables that are set, for MEP_* names nobody knows
[[nodiscard]] SettingsReading read_settings(const Lookup& lookup,
                                            const std::vector<std::string>& names);

/// The names of this process's environment that begin with MEP_.
[[nodiscard]] std::vector<std::string> mep_variables();

}  // namespace halocline::endpoints
