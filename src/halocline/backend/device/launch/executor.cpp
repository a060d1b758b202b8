// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/executor.hpp"

#include <utility>

namespace halocline::device {

Executor::Executor(Device& device, Stream* compute, std::unique_ptr<RankJoin> join,
                   const DeviceOptions& options)
    : device_(device),
      own_stream_(compute == nullptr ? device.make_stream() : nullptr),
      stream_(compute == nullptr ? *own_stream_ : *compute),
      tables_(device),
      globals_(device, stream_),
      strategies_(options.strategies),
      memory_(device),
      times_(device, options.loop_times),
      recorder_({device, stream_, globals_, times_}, options),
      dats_(device, stream_, recorder_, options.poison ? OldCopies::poisoned : OldCopies::kept),
      halos_(recorder_, compute == nullptr ? HaloPath::host : HaloPath::device, std::move(join)) {}

void Executor::launch(const Launch& launch, Signature signature,
                      const std::function<void(Stream&)>& submit) {
    globals_.forget();
    if (!recorder_.admit(launch.name, std::move(signature))) {
        return;
    }
    recorder_.is_running() ? times_.submit(launch, stream_, submit) : submit(stream_);
}

void join_ranks(Executor& executor, const LoopName& name, std::span<const JoinItem> items) {
    RankJoin& join = *executor.halos().join();
    const JoinView view = join.view(items);
    executor.launch({name, LaunchPart::join}, signature_of(view),
                    [&](Stream& stream) { join.queue(stream, view); });
}

}  // namespace halocline::device
