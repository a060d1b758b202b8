// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Joins of all devices; the kernel of emulated ones, which is host code.
#include "halocline/backend/device/launch/rank_join.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "halocline/backend/device/views/address_translator.hpp"
#include "halocline/core/error.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::device {

namespace {

void run_join(const JoinView& view) {
    std::vector<JoinPart> parts(static_cast<std::size_t>(view.ranks * view.items));
    JoinRun run(view, parts.data());
    run.exchange(0, 1);
    run.join(0, 1);
}

}  // namespace

RankJoin::RankJoin(const Communicator& comm, Device& device)
    : device_(device),
      rank_(comm.rank()),
      ranks_(comm.size()),
      memory_(comm, device, sizeof(JoinMemory)),
      ended_(MemoryKind::device, sizeof(PeerValue), &device) {
    validate<EnvironmentError>(ranks_ <= most_join_ranks,
                               "reductions of devices are joined over " +
                                   std::to_string(most_join_ranks) + " ranks at most (these are " +
                                   std::to_string(ranks_) +
                                   "). Choose a halo scheme other than peer.");
    const std::uint64_t zeros[2] = {};
    copy_now(device, ended_.data(), zeros, sizeof zeros, CopyDirection::to_device);
}

JoinView RankJoin::view(std::span<const JoinItem> items) const {
    validate<ContractError>(items.size() <= most_join_items,
                            "a chain has more reductions than ranks join at a time (" +
                                std::to_string(most_join_items) + "). Divide the chain.");
    JoinView view{};
    view.rank = rank_;
    view.ranks = ranks_;
    view.items = static_cast<int>(items.size());
    std::copy(items.begin(), items.end(), view.item);
    for (int r = 0; r < ranks_; ++r) {
        view.memory[r] = reinterpret_cast<JoinMemory*>(memory_.of(r));
    }
    view.ended = reinterpret_cast<std::uint32_t*>(ended_.data());
    return view;
}

void RankJoin::queue(Stream& stream, const JoinView& view) {
    auto* const emulated = dynamic_cast<EmulatedDevice*>(&device_);
    if (emulated == nullptr) {
        launch_join_on_gpu(view, stream.native());
        return;
    }
    JoinView translated = view;
    translated.visit(AddressTranslator{*emulated});
    emulated->launch(stream, [translated] { run_join(translated); });
}

}  // namespace halocline::device
