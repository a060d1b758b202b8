// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/device/launch/executor.hpp"

#include <utility>

namespace halocline::device {

Executor::Executor(Device& device, Stream* compute, std::unique_ptr<RankJoin> join,
                   const DeviceOptions& options)
    : device_(device),
      own_stream_(compute == nullptr ? device.make_stream() : nullptr),
      order_(device, compute == nullptr ? *own_stream_ : *compute),
      tables_(device),
      globals_(device, order_),
      strategies_(options.strategies),
      memory_(device),
      times_(device, options.loop_times),
      recorder_({device, order_, globals_, times_}, options),
      dats_(device, order_, recorder_, options.poison ? OldCopies::poisoned : OldCopies::kept),
      halos_(order_, recorder_, compute == nullptr ? HaloPath::host : HaloPath::device,
             std::move(join)) {}

void Executor::launch(const LaunchOrder& order, Signature signature,
                      const std::function<void(Stream&)>& submit) {
    globals_.forget();
    if (!recorder_.admit(order.name, std::move(signature))) {
        return;
    }
    order_.run(order.stream, order.uses, [&](Stream& stream) {
        recorder_.is_running() ? times_.submit(order, stream, submit) : submit(stream);
    });
}

void join_ranks(Executor& executor, const LoopName& name, std::span<const JoinItem> items) {
    RankJoin& join = *executor.halos().join();
    const JoinView view = join.view(items);
    LaunchOrder order{name, StreamOrder::main, LaunchPart::join};
    for (const JoinItem& item : items) {
        order.uses.push_back({item.place, DatRegion::whole, true});
    }
    executor.launch(order, signature_of(view), [&](Stream& stream) { join.queue(stream, view); });
}

}  // namespace halocline::device
