// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/run/step_index.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/core/output_names.hpp"

namespace halocline::run {

namespace {

constexpr std::string_view before_step = ".step=";
constexpr std::string_view behind_step = ".vtkhdf";

/// The step that a file is of, by its name.
std::optional<int> step_of(std::string_view name, std::string_view flow) {
    const std::size_t head = flow.size() + before_step.size();
    if (!name.starts_with(flow) || !name.substr(flow.size()).starts_with(before_step) ||
        !name.ends_with(behind_step) || name.size() <= head + behind_step.size()) {
        return std::nullopt;
    }
    int step = 0;
    const char* const end = name.data() + name.size() - behind_step.size();
    const auto parsed = std::from_chars(name.data() + head, end, step);
    return parsed.ec == std::errc{} && parsed.ptr == end ? std::optional(step) : std::nullopt;
}

void remove_file(const std::filesystem::path& path) {
    std::error_code failure;
    std::filesystem::remove(path, failure);
    validate<RunError>(!failure, "'" + path.string() + "', which an older run left, cannot be " +
                                     "removed (" + failure.message() +
                                     "). Remove it, or choose another output prefix.");
}

}  // namespace

void remove_older_steps(const Communicator& comm, const std::string& flow, int first_step) {
    run_agreed(comm, [&] {
        if (!comm.is_root()) {
            return;
        }
        std::error_code failure;
        for (const auto& entry : std::filesystem::directory_iterator(folder_of(flow), failure)) {
            const auto step = step_of(entry.path().filename().string(), base_of(flow));
            if (step && *step >= first_step) {
                remove_file(entry.path());
            }
        }
        if (first_step <= 1) {
            remove_file(flow + ".mesh.vtkhdf");
            remove_file(flow + ".vtkhdf.series");
        }
    });
}

StepIndex::StepIndex(const Communicator& comm, std::string flow, int first_step)
    : flow_(std::move(flow)) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            read_older(first_step);
            write();
        }
    });
}

std::string StepIndex::path_of(int step) const {
    return flow_ + std::string(before_step) + std::to_string(step) + std::string(behind_step);
}

/// A list that cannot be read is one less: it is made anew.
void StepIndex::read_older(int first_step) {
    std::ifstream file(path());
    const nlohmann::json list = nlohmann::json::parse(file, nullptr, false);
    if (!list.is_object() || !list.contains("files") || !list["files"].is_array()) {
        return;
    }
    for (const nlohmann::json& entry : list["files"]) {
        if (entry.is_object() && entry.contains("name") && entry["name"].is_string() &&
            entry.contains("time") && entry["time"].is_number()) {
            const auto step = step_of(entry["name"].get<std::string>(), base_of(flow_));
            if (step && *step < first_step) {
                times_[*step] = entry["time"];
            }
        }
    }
}

void StepIndex::add(const Communicator& comm, int step, double time) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            times_[step] = time;
            write();
        }
    });
}

void StepIndex::write() const {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const auto& [step, time] : times_) {
        files.push_back({{"name", base_of(path_of(step))}, {"time", time}});
    }
    const nlohmann::ordered_json list{{"file-series-version", "1.0"}, {"files", files}};
    OutputFile file = OutputFile::create(path());
    file.write(list.dump(1) + "\n");
    file.publish();
}

}  // namespace halocline::run
