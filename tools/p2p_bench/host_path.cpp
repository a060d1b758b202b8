// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Messages from memory to memory by MPI alone: host memory, or device memory by its address.
#include "paths.hpp"

namespace halocline::p2p {

namespace {

/// `address` turns what a transfer holds into what MPI is given.
template <class Address>
void move_by_mpi(const Communicator& comm, Requests& requests, const Phase& phase,
                 Address address) {
    if (phase.sends.size() + phase.receives.size() == 1) {
        if (phase.receives.empty()) {
            send_now(comm, phase.sends[0], address(phase.sends[0].data));
        } else {
            receive_now(comm, phase.receives[0], address(phase.receives[0].data));
        }
        return;
    }
    for (const Transfer& receive : phase.receives) {
        requests.start_receive(address(receive.data), receive.bytes, receive.peer, receive.tag);
    }
    for (const Transfer& send : phase.sends) {
        requests.start_send(address(send.data), send.bytes, send.peer, send.tag);
    }
    requests.wait_all();
}

class HostPath final : public Path {
public:
    explicit HostPath(const Communicator& comm) : comm_(comm), requests_(comm) {}
    [[nodiscard]] std::string name() const override { return "host"; }
    [[nodiscard]] MemoryKind memory() const override { return MemoryKind::host; }
    void prepare(const Plan& /*plan*/, std::byte* /*receive_base*/) override {}
    void move(const Phase& phase) override {
        move_by_mpi(comm_, requests_, phase, [](std::byte* data) { return data; });
    }

private:
    const Communicator& comm_;
    Requests requests_;
};

class DirectPath final : public Path {
public:
    DirectPath(const Communicator& comm, Device& device)
        : comm_(comm), device_(device), requests_(comm) {}
    [[nodiscard]] std::string name() const override { return "direct"; }
    [[nodiscard]] MemoryKind memory() const override { return MemoryKind::device; }
    void prepare(const Plan& /*plan*/, std::byte* /*receive_base*/) override {}
    void move(const Phase& phase) override {
        move_by_mpi(comm_, requests_, phase,
                    [this](std::byte* data) { return device_.mpi_address(data); });
    }

private:
    const Communicator& comm_;
    Device& device_;
    Requests requests_;
};

}  // namespace

std::unique_ptr<Path> make_host_path(const Communicator& comm) {
    return std::make_unique<HostPath>(comm);
}

std::unique_ptr<Path> make_direct_path(const Communicator& comm, Device& device) {
    return std::make_unique<DirectPath>(comm, device);
}

}  // namespace halocline::p2p
