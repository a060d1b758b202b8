// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Data checked byte by byte, on the host, whatever memory it was sent from.
#include "message_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"

namespace halocline::p2p {

namespace {

/// Mixer of splitmix64 (Steele, Lea, Flood 2014, doi:10.1145/2714064.2660195).
std::uint64_t mix(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::uint64_t key_of(const MessageId& id) {
    std::uint64_t key = mix(id.round);
    for (const int part : {id.sender, id.receiver, id.tag}) {
        key = mix(key ^ static_cast<std::uint64_t>(part));
    }
    return key;
}

/// What receive memory holds before: no message begins with a long run of it.
constexpr int stale = 0xA5;

/// In host memory, or over a host copy where the buffer is the device's.
class HostView {
public:
    HostView(Device* device, std::byte* data, std::size_t bytes, MemoryKind kind)
        : device_(kind == MemoryKind::device ? device : nullptr), data_(data), bytes_(bytes) {
        copy_.resize(device_ == nullptr ? 0 : bytes);
    }
    [[nodiscard]] std::span<std::byte> bytes() {
        return {device_ == nullptr ? data_ : copy_.data(), bytes_};
    }
    void push() {
        if (device_ != nullptr && bytes_ > 0) {
            copy_now(*device_, data_, copy_.data(), bytes_, CopyDirection::to_device);
        }
    }
    void pull() {
        if (device_ != nullptr && bytes_ > 0) {
            copy_now(*device_, copy_.data(), data_, bytes_, CopyDirection::to_host);
        }
    }

private:
    Device* device_;
    std::byte* data_;
    std::size_t bytes_;
    std::vector<std::byte> copy_;
};

MessageId id_of(int sender, int receiver, const Transfer& transfer, std::uint64_t round) {
    return {sender, receiver, transfer.tag, round};
}

std::string complaint(const Path& path, const Plan& plan, const Transfer& receive, int rank,
                      std::int64_t wrong) {
    return fmt::format(
        "wrong data over path '{}', pattern '{}': of {} bytes from rank {} to rank {}, byte {} is "
        "the first that differs (the transfer is broken; no figure of it can be trusted). Check "
        "the "
        "MPI library and its settings for this path.",
        path.name(), plan.pattern, receive.bytes, receive.peer, rank, wrong);
}

}  // namespace

void fill_message(const MessageId& id, std::span<std::byte> bytes) {
    const std::uint64_t key = key_of(id);
    for (std::size_t at = 0; at < bytes.size(); at += sizeof key) {
        const std::uint64_t word = mix(key + at);
        std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
    }
}

std::int64_t first_wrong_byte(const MessageId& id, std::span<const std::byte> bytes) {
    const std::uint64_t key = key_of(id);
    for (std::size_t at = 0; at < bytes.size(); at += sizeof key) {
        const std::uint64_t word = mix(key + at);
        const std::size_t length = std::min(sizeof word, bytes.size() - at);
        if (std::memcmp(bytes.data() + at, &word, length) != 0) {
            std::array<std::byte, sizeof word> expected{};
            std::memcpy(expected.data(), &word, sizeof word);
            std::size_t k = 0;
            while (expected[k] == bytes[at + k]) {
                ++k;
            }
            return static_cast<std::int64_t>(at + k);
        }
    }
    return -1;
}

double prove(const Communicator& comm, Path& path, const Plan& plan, Device* device,
             std::uint64_t round) {
    const MemoryKind kind = path.memory();
    for (const Phase& phase : plan.phases) {
        for (const Transfer& send : phase.sends) {
            HostView view(device, send.data, send.bytes, kind);
            fill_message(id_of(comm.rank(), send.peer, send, round), view.bytes());
            view.push();
        }
        for (const Transfer& receive : phase.receives) {
            HostView view(device, receive.data, receive.bytes, kind);
            std::memset(view.bytes().data(), stale, receive.bytes);
            view.push();
        }
    }
    comm.barrier();
    const double start_s = wall_seconds();
    run_plan(path, plan, comm);
    const double seconds = wall_seconds() - start_s;
    run_agreed(comm, [&] {
        for (const Phase& phase : plan.phases) {
            for (const Transfer& receive : phase.receives) {
                HostView view(device, receive.data, receive.bytes, kind);
                view.pull();
                const std::int64_t wrong = first_wrong_byte(
                    id_of(receive.peer, comm.rank(), receive, round), view.bytes());
                validate<RunError>(wrong < 0, complaint(path, plan, receive, comm.rank(), wrong));
            }
        }
    });
    return comm.max(seconds);
}

}  // namespace halocline::p2p
