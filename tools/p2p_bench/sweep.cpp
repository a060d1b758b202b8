// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The sweep and the file that other programs read.
#include "sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "halocline/core/output_file.hpp"
#include "message_data.hpp"
#include "pipelined_path.hpp"
#include "plans.hpp"

namespace halocline::p2p {

namespace {

constexpr std::size_t usual_block = std::size_t{256} << 10;

TransferBlocks always(std::size_t block) { return TransferBlocks({{0, block}}); }

/// The path with each block in turn; block 0 is the whole message.
class BlockSteps {
public:
    BlockSteps(const PathContext& context, std::size_t bytes, std::vector<std::size_t> blocks)
        : context_(context),
          path_(*context.comm, *context.device,
                always(*std::min_element(blocks.begin() + 1, blocks.end()))),
          made_(make_plan(*context.comm,
                          {"latency", bytes, 1, MemoryKind::device, context.device, nullptr})) {
        path_.prepare(made_.plan, made_.receive_buffer.data());
        for (const std::size_t block : blocks) {
            settings_.push_back(always(block));
        }
    }

    void prove_all() {
        for (std::size_t k = 0; k < settings_.size(); ++k) {
            path_.use(settings_[k]);
            prove(*context_.comm, path_, made_.plan, context_.device, 100 + k);
        }
    }

    /// One-way medians of the blocks at `places`, samples alternating.
    std::vector<double> medians(const std::vector<std::size_t>& places, double time_s) {
        std::vector<Step> steps;
        for (const std::size_t place : places) {
            steps.emplace_back([this, place] {
                path_.use(settings_[place]);
                run_plan(path_, made_.plan, *context_.comm);
            });
        }
        SamplingOptions sampling;
        sampling.time_s = time_s * static_cast<double>(steps.size());
        sampling.least_samples = 9;
        int batch = 1;
        std::vector<double> result;
        for (std::vector<double>& samples : take_samples(*context_.comm, steps, sampling, batch)) {
            result.push_back(describe(std::move(samples), batch).median_s / made_.plan.ways);
        }
        return result;
    }

private:
    const PathContext& context_;
    PipelinedPath path_;
    PreparedPlan made_;
    std::vector<TransferBlocks> settings_;
};

}  // namespace

SweepRow sweep_size(const PathContext& context, std::size_t bytes, const Options& options) {
    SweepRow row;
    row.bytes = bytes;
    std::vector<std::size_t> blocks{0};
    std::vector<std::size_t> places{0};
    for (const std::size_t block : options.sweep_blocks) {
        if (block < bytes) {
            blocks.push_back(block);
            places.push_back(places.size());
        }
    }
    if (blocks.size() == 1) {
        blocks.push_back(std::max<std::size_t>(bytes, 1));  // never used: the message is one block
    }
    BlockSteps steps(context, bytes, blocks);
    steps.prove_all();
    const std::vector<double> medians = steps.medians(places, options.time_s);
    row.staged_s = medians[0];
    row.blocks.assign(blocks.begin() + 1,
                      blocks.begin() + static_cast<std::ptrdiff_t>(places.size()));
    row.block_s.assign(medians.begin() + 1, medians.end());
    const auto best = std::min_element(medians.begin(), medians.end());
    const auto place = static_cast<std::size_t>(best - medians.begin());
    const std::vector<double> again = steps.medians({0, place}, 2.0 * options.time_s);
    row.confirmed_staged_s = again[0];
    row.confirmed_best_s = again[1];
    row.best_block = again[1] < again[0] ? blocks[place] : 0;
    if (row.best_block == 0) {
        row.confirmed_best_s = again[0];  // the chosen way is the uncut message itself
    }
    const auto usual = std::find(row.blocks.begin(), row.blocks.end(), usual_block);
    if (usual != row.blocks.end()) {
        row.default_s = row.block_s[static_cast<std::size_t>(usual - row.blocks.begin())];
    }
    return row;
}

std::vector<TransferBlocks::Entry> best_blocks(const std::vector<SweepRow>& rows) {
    std::vector<TransferBlocks::Entry> entries;
    for (const SweepRow& row : rows) {
        entries.push_back({row.bytes, row.best_block});
    }
    return entries;
}

void write_blocks(const std::string& path, const Report& report) {
    nlohmann::ordered_json file;
    file["format"] = "halocline-transfer-blocks";
    file["version"] = 1;
    file["made_by"] = "halocline-p2p --sweep --write-blocks";
    file["machine"] = report.host;
    file["device"] = report.device ? report.device->name + ", " + report.device->details : "";
    for (const TransferBlocks::Entry& entry : best_blocks(report.sweep)) {
        file["entries"].push_back(
            {{"message_bytes", entry.message_bytes}, {"block_bytes", entry.block_bytes}});
    }
    std::error_code ignored;
    const std::filesystem::path target(path);
    if (target.has_parent_path()) {
        std::filesystem::create_directories(target.parent_path(), ignored);
    }
    replace_file(path, file.dump(2) + "\n");
}

}  // namespace halocline::p2p
