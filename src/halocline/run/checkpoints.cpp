// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/run/checkpoints.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::run {

Checkpoints::Checkpoints(const Communicator& comm, output::Writer& writer, const Options& options,
                         CheckpointHead identity, SolverState state)
    : comm_(comm),
      writer_(writer),
      options_(options),
      identity_(std::move(identity)),
      state_(std::move(state)),
      last_s_(wall_seconds()) {
    for (const SolverState::NamedDat& dat : state_.dats()) {
        const DatStore& store = *dat.store;
        bytes_ += store.set->global_size * static_cast<std::int64_t>(store.row_bytes());
        shapes_.push_back({dat.name, store.set->global_size, store.dim, store.type});
    }
}

/// Rank 0's view of the folder, on all ranks.
std::vector<std::string> Checkpoints::candidates() const {
    std::string list;
    if (comm_.is_root()) {
        for (const std::string& path : find_checkpoints(options_.output_prefix)) {
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

Progressed Checkpoints::restart(const Console& console) {
    if (options_.restart.empty()) {
        return {};
    }
    std::vector<std::string> paths = candidates();
    kept_.assign(paths.rbegin(), paths.rend());
    if (options_.restart != restart_newest) {
        const Progressed done = read(options_.restart);
        console.line(fmt::format("Continuing after {} step{} from {}", done.steps,
                                 done.steps == 1 ? "" : "s", options_.restart));
        return done;
    }
    std::string problem;
    for (const std::string& path : paths) {
        try {
            const Progressed done = read(path);
            console.line(fmt::format("Continuing after {} step{} from {}", done.steps,
                                     done.steps == 1 ? "" : "s", path));
            return done;
        } catch (const Error& error) {
            console.warning(error.what());
            problem = error.what();
        }
    }
    // A checkpoint that cannot be used is no reason to lose what an older run has computed.
    validate<InputError>(paths.empty(),
                         fmt::format("none of the {} checkpoint(s) {}checkpoint.step=* can be "
                                     "continued from ({}) Remove them, or start without --restart.",
                                     paths.size(), options_.output_prefix, problem));
    console.line("Starting from the beginning (no checkpoint yet)");
    return {};
}

Progressed Checkpoints::read(const std::string& path) {
    std::vector<FieldToRead> dats;
    for (const SolverState::NamedDat& dat : state_.dats()) {
        dats.emplace_back(dat.name, *dat.store);
    }
    const CheckpointHead head = read_checkpoint(comm_, path, identity_, dats);
    const auto own = state_.number_count();
    validate<InputError>(
        head.numbers.size() == own + static_cast<std::size_t>(head.step),
        fmt::format("'{}' holds {} numbers, not {} (it was written by another "
                    "version). Continue from another checkpoint.",
                    path, head.numbers.size(), own + static_cast<std::size_t>(head.step)));
    state_.set_numbers({head.numbers.begin(), head.numbers.begin() + static_cast<long>(own)});
    newest_ = path;
    newest_step_ = static_cast<int>(head.step);
    return {static_cast<int>(head.step),
            {head.numbers.begin() + static_cast<long>(own), head.numbers.end()}};
}

bool Checkpoints::is_due(int step) const {
    if (options_.checkpoint_interval > 0 && step % options_.checkpoint_interval == 0) {
        return true;
    }
    if (options_.checkpoint_seconds <= 0.0) {
        return false;
    }
    const double waited_s = wall_seconds() - last_s_;
    return comm_.max(std::int64_t{comm_.is_root() && waited_s >= options_.checkpoint_seconds}) != 0;
}

void Checkpoints::after_step(const Progressed& done) {
    if (is_due(done.steps)) {
        write(done);
    }
}

void Checkpoints::write(const Progressed& done) {
    if (done.steps == newest_step_) {
        return;
    }
    if (snapshot_ == nullptr) {
        std::vector<const DatStore*> dats;
        for (const SolverState::NamedDat& dat : state_.dats()) {
            dats.push_back(dat.store);
        }
        snapshot_ = writer_.make_snapshot("pack_checkpoint", std::move(dats));
    }
    CheckpointHead head = identity_;
    head.step = done.steps;
    head.numbers = state_.numbers();
    head.numbers.insert(head.numbers.end(), done.rms.begin(), done.rms.end());
    const std::string path = checkpoint_path(options_.output_prefix, done.steps);
    std::erase(kept_, path);
    kept_.push_back(path);
    std::vector<std::string> outdated;
    while (kept_.size() > static_cast<std::size_t>(options_.checkpoint_keep)) {
        outdated.push_back(kept_.front());
        kept_.erase(kept_.begin());
    }
    Hdf5Image image = checkpoint_image(head, shapes_);
    writer_.write(*snapshot_, bytes_,
                  [path, head = std::move(head), image = std::move(image), outdated](
                      const Communicator& comm, const std::vector<FieldRows>& rows) {
                      write_checkpoint(comm, path, head, image, rows);
                      if (comm.is_root()) {  // only now: the new one is on the disk
                          for (const std::string& old : outdated) {
                              ::unlink(old.c_str());
                          }
                      }
                      return std::string();
                  });
    newest_ = path;
    newest_step_ = done.steps;
    last_s_ = wall_seconds();
}

}  // namespace halocline::run
