// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Makers of the paths, one source file each, and the plain messages they share.
#pragma once

#include <memory>
#include <vector>

#include "path.hpp"

namespace halocline::p2p {

[[nodiscard]] std::unique_ptr<Path> make_host_path(const Communicator& comm);
[[nodiscard]] std::unique_ptr<Path> make_direct_path(const Communicator& comm, Device& device);
[[nodiscard]] std::unique_ptr<Path> make_staged_path(const Communicator& comm, Device& device);
[[nodiscard]] std::unique_ptr<Path> make_pipelined_path(const Communicator& comm, Device& device,
                                                        TransferBlocks blocks);
[[nodiscard]] std::unique_ptr<Path> make_peer_path(const Communicator& comm, Device& device);

/// Requests of the non-blocking messages of a phase; the memory is kept from phase to phase.
class Requests {
public:
    explicit Requests(const Communicator& comm) : comm_(comm.get()) {}

    void start_receive(void* data, std::size_t bytes, int peer, int tag);
    void start_send(const void* data, std::size_t bytes, int peer, int tag);
    void wait_all();
    /// Waits for one of those still open; returns its place in order of starting, or -1 when none is.
    [[nodiscard]] int wait_any();
    /// True when request `place` has finished; lets MPI make progress otherwise.
    [[nodiscard]] bool test(std::size_t place);
    void clear() { requests_.clear(); }
    [[nodiscard]] std::size_t size() const { return requests_.size(); }

private:
    MPI_Comm comm_;
    std::vector<MPI_Request> requests_;
};

/// One message at a time goes by the blocking calls, which are what a plain program uses.
void send_now(const Communicator& comm, const Transfer& transfer, const void* data);
void receive_now(const Communicator& comm, const Transfer& transfer, void* data);

}  // namespace halocline::p2p
