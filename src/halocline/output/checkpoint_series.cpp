// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/checkpoint_series.hpp"

#include <unistd.h>

#include <utility>

#include "halocline/core/error.hpp"

namespace halocline::output {

CheckpointSeries::CheckpointSeries(const Communicator& comm, Writer& writer, std::string prefix,
                                   int keep, CheckpointHead identity, std::vector<FieldToRead> dats)
    : comm_(comm),
      writer_(writer),
      prefix_(std::move(prefix)),
      keep_(keep),
      identity_(std::move(identity)),
      dats_(std::move(dats)) {
    for (const FieldToRead& dat : dats_) {
        const DatStore& store = *dat.store;
        bytes_ += store.set->global_size * static_cast<std::int64_t>(store.row_bytes());
        shapes_.push_back({dat.dataset, store.set->global_size, store.dim, store.type});
    }
}

/// Rank 0's view of the folder, on all ranks.
std::vector<std::string> CheckpointSeries::candidates() const {
    std::string list;
    if (comm_.is_root()) {
        for (const std::string& path : find_checkpoints(prefix_)) {
            list += path + '\n';
        }
    }
    list = comm_.broadcast(list);
    std::vector<std::string> paths;
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = list.find('\n', begin);
        paths.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return paths;
}

CheckpointSeries::Found CheckpointSeries::read(const std::string& path) {
    if (kept_.empty()) {
        const std::vector<std::string> paths = candidates();
        kept_.assign(paths.rbegin(), paths.rend());
    }
    Found found{read_checkpoint(comm_, path, identity_, dats_), path};
    newest_ = path;
    newest_step_ = found.head.step;
    return found;
}

std::optional<CheckpointSeries::Found> CheckpointSeries::read_newest(
    const std::function<void(const std::string&)>& warn) {
    const std::vector<std::string> paths = candidates();
    for (const std::string& path : paths) {
        try {
            return read(path);
        } catch (const Error& error) {
            warn(error.what());
        }
    }
    validate<InputError>(paths.empty(), "none of the " + std::to_string(paths.size()) +
                                            " checkpoint(s) " + prefix_ +
                                            "checkpoint.step=* can be continued from. Remove "
                                            "them, or start without them.");
    return std::nullopt;
}

/// Those that go once `path` is on the disk.
std::vector<std::string> CheckpointSeries::take_outdated(const std::string& path) {
    std::erase(kept_, path);
    kept_.push_back(path);
    std::vector<std::string> outdated;
    while (kept_.size() > static_cast<std::size_t>(keep_)) {
        outdated.push_back(kept_.front());
        kept_.erase(kept_.begin());
    }
    return outdated;
}

void CheckpointSeries::make_snapshot() {
    if (snapshot_ == nullptr) {
        std::vector<const DatStore*> stores;
        for (const FieldToRead& dat : dats_) {
            stores.push_back(dat.store);
        }
        snapshot_ = writer_.make_snapshot("pack_checkpoint", std::move(stores));
    }
}

void CheckpointSeries::prepare() {
    make_snapshot();
    writer_.reserve(*snapshot_);
}

void CheckpointSeries::write(std::int64_t step, std::vector<double> numbers) {
    if (step == newest_step_) {
        return;
    }
    make_snapshot();
    CheckpointHead head = identity_;
    head.step = step;
    head.numbers = std::move(numbers);
    const std::string path = checkpoint_path(prefix_, step);
    Hdf5Image image = checkpoint_image(head, shapes_);
    writer_.write(
        *snapshot_, bytes_,
        [path, head = std::move(head), image = std::move(image), outdated = take_outdated(path)](
            const Communicator& comm, const std::vector<FieldRows>& rows) {
            write_checkpoint(comm, path, head, image, rows);
            for (const std::string& old : outdated) {
                if (comm.is_root()) {
                    ::unlink(old.c_str());
                }
            }
            return std::string();
        });
    newest_ = path;
    newest_step_ = step;
}

}  // namespace halocline::output
