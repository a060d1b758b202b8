// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/runtime/checkpoint.hpp"

#include <utility>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/core/print.hpp"
#include "halocline/io/field_rows.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/mesh/watched_dat.hpp"
#include "halocline/output/checkpoint_series.hpp"

namespace halocline {

namespace {

/// Meshes of programs have no hash of their values: names and sizes of sets distinguish them.
CheckpointHead identity_of(std::string program, const std::vector<FieldToRead>& dats) {
    std::string sets;
    for (const FieldToRead& dat : dats) {
        sets += (sets.empty() ? "" : ", ") + dat.dataset + ": " +
                std::to_string(dat.store->set->global_size) + " " + dat.store->set->name;
    }
    return {std::move(program), "", std::move(sets), 0, {}};
}

/// Before anything is made of them: a checkpoint that cannot be written should not end a run in its middle.
void require_sound(const std::string& prefix, const std::vector<FieldToRead>& dats, int keep) {
    const std::string files = prefix + "checkpoint.step=*.h5";
    validate<ContractError>(keep >= 1, "of the checkpoints '" + files + "' " +
                                           std::to_string(keep) +
                                           " would stay (each goes when the next ones are on the "
                                           "disk). Keep at least one.");
    std::vector<FieldToWrite> fields;
    for (const FieldToRead& dat : dats) {
        detail::require_usable(dat.store);
        fields.emplace_back(dat.dataset, *dat.store);
    }
    require_writable(files, fields);
}

}  // namespace

struct Checkpoints::Work {
    output::CheckpointSeries series;
    std::vector<FieldToRead> dats;
    std::vector<WatchedDat> watched;  ///< the same

    void require_dats() const {
        for (const WatchedDat& dat : watched) {
            static_cast<void>(dat.get("a checkpoint"));
        }
    }
};

Checkpoints::Checkpoints(Runtime& runtime, std::string prefix, std::string program,
                         std::vector<FieldToRead> dats, int keep)
    : runtime_(runtime) {
    require_sound(prefix, dats, keep);
    std::vector<WatchedDat> watched;
    for (const FieldToRead& dat : dats) {
        watched.emplace_back(*dat.store);
    }
    work_.reset(
        new Work{output::CheckpointSeries(runtime.comm(), runtime.writer(), std::move(prefix), keep,
                                          identity_of(std::move(program), dats), dats),
                 dats, std::move(watched)});
}

/// Also while an error is on its way out, as `~Results` does.
Checkpoints::~Checkpoints() { runtime_.writer().drain(); }

void Checkpoints::write(std::int64_t step, std::vector<double> numbers) {
    runtime_.enter("writes the checkpoint of step " + std::to_string(step));
    validate<ContractError>(step >= 0, "a checkpoint was asked for step " + std::to_string(step) +
                                           " (they go by steps done so far). Count from 0.");
    work_->require_dats();
    runtime_.writer().require_sound(runtime_.comm());
    work_->series.write(step, std::move(numbers));
}

std::optional<Restart> Checkpoints::restart() {
    runtime_.enter("continues from a checkpoint");
    work_->require_dats();
    runtime_.writer().drain();  // the newest may be on its way
    auto found = work_->series.read_newest([&](const std::string& text) {
        if (runtime_.comm().is_root()) {
            print(stderr, "warning: {}\n", text);
        }
    });
    if (!found) {
        return std::nullopt;
    }
    if (device::Executor* const executor = runtime_.context().device()) {
        for (const FieldToRead& dat : work_->dats) {
            executor->dats().refresh(*dat.store);
        }
    }
    return Restart{found->head.step, std::move(found->head.numbers), std::move(found->path)};
}

}  // namespace halocline
