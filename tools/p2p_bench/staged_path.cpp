// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Device, pinned host memory, MPI, pinned host memory, device: each step waits for the one before.
#include "staged_path.hpp"

namespace halocline::p2p {

namespace {

void send_staged(const Communicator& comm, Staging& staging, const Transfer& send) {
    std::byte* pinned = staging.outgoing.data();
    staging.to_host->copy(pinned, send.data, send.bytes, CopyDirection::to_host);
    staging.to_host->synchronize();
    send_now(comm, send, pinned);
}

void receive_staged(const Communicator& comm, Staging& staging, const Transfer& receive) {
    std::byte* pinned = staging.incoming.data();
    receive_now(comm, receive, pinned);
    staging.to_device->copy(receive.data, pinned, receive.bytes, CopyDirection::to_device);
    staging.to_device->synchronize();
}

void move_many(Staging& staging, Requests& receives, Requests& sends, const Phase& phase) {
    std::byte* pinned = staging.incoming.data();
    std::vector<std::byte*> places;
    for (const Transfer& receive : phase.receives) {
        receives.start_receive(pinned, receive.bytes, receive.peer, receive.tag);
        places.push_back(pinned);
        pinned += receive.bytes;
    }
    pinned = staging.outgoing.data();
    for (const Transfer& send : phase.sends) {
        staging.to_host->copy(pinned, send.data, send.bytes, CopyDirection::to_host);
        staging.to_host->synchronize();
        sends.start_send(pinned, send.bytes, send.peer, send.tag);
        pinned += send.bytes;
    }
    for (int place = receives.wait_any(); place >= 0; place = receives.wait_any()) {
        const auto k = static_cast<std::size_t>(place);
        staging.to_device->copy(phase.receives[k].data, places[k], phase.receives[k].bytes,
                                CopyDirection::to_device);
    }
    receives.clear();
    sends.wait_all();
    staging.to_device->synchronize();
}

}  // namespace

void StagedPath::move(const Phase& phase) {
    if (phase.sends.size() == 1 && phase.receives.empty()) {
        send_staged(comm_, *staging_, phase.sends[0]);
    } else if (phase.receives.size() == 1 && phase.sends.empty()) {
        receive_staged(comm_, *staging_, phase.receives[0]);
    } else {
        move_many(*staging_, receives_, sends_, phase);
    }
}

std::unique_ptr<Path> make_staged_path(const Communicator& comm, Device& device) {
    return std::make_unique<StagedPath>(comm, std::make_shared<Staging>(device));
}

}  // namespace halocline::p2p
