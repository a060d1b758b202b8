// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The sender writes into the receiver's device memory, opened by CUDA IPC; MPI carries tokens only.
#include <map>

#include "halocline/core/error.hpp"
#include "paths.hpp"

namespace halocline::p2p {

namespace {

constexpr int ready_tag = 16000;  // + the message's tag: the receiver waits, at this offset
constexpr int done_tag = 24000;   // + the message's tag: the bytes are there

class PeerPath final : public Path {
public:
    PeerPath(const Communicator& comm, Device& device)
        : comm_(comm),
          device_(device),
          stream_(device.make_stream()),
          ready_(comm),
          offers_(comm),
          arrivals_(comm),
          notices_(comm) {}
    ~PeerPath() override { close_all(); }
    PeerPath(const PeerPath&) = delete;
    PeerPath& operator=(const PeerPath&) = delete;

    [[nodiscard]] std::string name() const override { return "peer"; }
    [[nodiscard]] MemoryKind memory() const override { return MemoryKind::device; }
    void prepare(const Plan& plan, std::byte* receive_base) override;
    void move(const Phase& phase) override;
    void release(const Communicator& comm) override {
        close_all();
        comm.barrier();
    }

private:
    void close_all() noexcept;
    std::byte* memory_of(int peer);
    void write_to_peers(const Phase& phase);

    const Communicator& comm_;
    Device& device_;
    std::unique_ptr<Stream> stream_;
    Requests ready_;
    Requests offers_;
    Requests arrivals_;
    Requests notices_;
    std::byte* receive_base_ = nullptr;
    std::vector<IpcHandle> handles_;        // by rank
    std::map<int, std::byte*> opened_;      // by rank
    std::vector<std::int64_t> offsets_in_;  // where the peers of our sends want the bytes
    std::vector<std::int64_t> offsets_out_;
};

void PeerPath::close_all() noexcept {
    for (const auto& [peer, memory] : opened_) {
        device_.close(memory);
    }
    opened_.clear();
}

void PeerPath::prepare(const Plan& plan, std::byte* receive_base) {
    close_all();
    receive_base_ = receive_base;
    IpcHandle own;
    run_agreed(comm_, [&] {
        if (receive_base != nullptr) {
            own = device_.share(receive_base);
        }
    });
    handles_.resize(static_cast<std::size_t>(comm_.size()));
    constexpr int width = static_cast<int>(sizeof(IpcHandle));
    check_mpi(MPI_Allgather(own.bytes.data(), width, MPI_BYTE, handles_.data(), width, MPI_BYTE,
                            comm_.get()),
              "MPI_Allgather");
    run_agreed(comm_, [&] {
        for (const Phase& phase : plan.phases) {
            for (const Transfer& send : phase.sends) {
                (void)memory_of(send.peer);
            }
        }
    });
}

std::byte* PeerPath::memory_of(int peer) {
    const auto found = opened_.find(peer);
    if (found != opened_.end()) {
        return found->second;
    }
    auto* memory = static_cast<std::byte*>(device_.open(handles_[static_cast<std::size_t>(peer)]));
    opened_.emplace(peer, memory);
    return memory;
}

void PeerPath::write_to_peers(const Phase& phase) {
    for (int place = ready_.wait_any(); place >= 0; place = ready_.wait_any()) {
        const auto k = static_cast<std::size_t>(place);
        const Transfer& send = phase.sends[k];
        stream_->copy(memory_of(send.peer) + offsets_in_[k], send.data, send.bytes,
                      CopyDirection::on_device);
        stream_->synchronize();
        notices_.start_send(nullptr, 0, send.peer, done_tag + send.tag);
    }
    ready_.clear();
}

void PeerPath::move(const Phase& phase) {
    offsets_in_.resize(phase.sends.size());
    offsets_out_.resize(phase.receives.size());
    for (std::size_t k = 0; k < phase.receives.size(); ++k) {
        const Transfer& receive = phase.receives[k];
        offsets_out_[k] = receive.data - receive_base_;
        arrivals_.start_receive(nullptr, 0, receive.peer, done_tag + receive.tag);
        offers_.start_send(&offsets_out_[k], sizeof(std::int64_t), receive.peer,
                           ready_tag + receive.tag);
    }
    for (std::size_t k = 0; k < phase.sends.size(); ++k) {
        ready_.start_receive(&offsets_in_[k], sizeof(std::int64_t), phase.sends[k].peer,
                             ready_tag + phase.sends[k].tag);
    }
    write_to_peers(phase);
    arrivals_.wait_all();
    offers_.wait_all();
    notices_.wait_all();
}

}  // namespace

std::unique_ptr<Path> make_peer_path(const Communicator& comm, Device& device) {
    return std::make_unique<PeerPath>(comm, device);
}

}  // namespace halocline::p2p
