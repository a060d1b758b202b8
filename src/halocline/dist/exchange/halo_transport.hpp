// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a halo scheme does: move packed messages of one plan, again and again.
#pragma once

#include <mpi.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace halocline::dist {

/// One message to or from one neighbour: a piece of the plan's buffer.
struct WireMessage {
    int rank = 0;
    std::size_t offset = 0;  ///< [words of eight bytes]
    std::size_t count = 0;   ///< [words]
};

/// All messages of a plan in both directions, by ascending rank.
struct WirePlan {
    MPI_Comm comm = MPI_COMM_NULL;
    std::span<const WireMessage> sends;
    double* send_buffer = nullptr;  ///< packed messages [words], longer-lived than the transport
    std::span<const WireMessage> receives;
    std::size_t receive_size = 0;  ///< words in all received messages
    /// Where p2p puts them; null: memory of the transport's own. The other schemes always use theirs.
    double* receive_buffer = nullptr;
};

enum class Wait { no, yes };

/// Moves the messages of one plan. One round is: open, send each message, close, poll until all have
/// arrived, finish. All calls throw RunError when MPI fails. Making one is collective, and so are rounds.
class HaloTransport {
public:
    virtual ~HaloTransport() = default;

    /// Where received messages lie: (receive_size) words.
    [[nodiscard]] virtual const double* receive_buffer() const = 0;

    /// Makes ready to receive; what was received before is lost.
    virtual void open() = 0;
    /// Message `m` is packed and may leave.
    virtual void send(std::size_t m) = 0;
    /// Every message was handed over.
    virtual void close() {}
    /// Appends the messages that arrived since the last call; with Wait::yes at least one when any is
    /// missing. Returns whether this rank has nothing more to receive or to send.
    virtual bool poll(Wait wait, std::vector<int>& arrived) = 0;
    /// After all arrived (at once where nothing is received): the send buffer may be packed again.
    virtual void finish() {}
};

/// A scheme by name. Each is a file of halo_schemes/ that defines `make_<name>_transport`, which is
/// collective; the build makes the list of them.
struct HaloScheme {
    std::string_view name;
    std::unique_ptr<HaloTransport> (*make)(const WirePlan& plan);
};

/// The default: persistent point-to-point requests. Collective.
[[nodiscard]] std::unique_ptr<HaloTransport> make_p2p_transport(const WirePlan& plan);

/// All schemes; the first is the default, by which the others are judged.
[[nodiscard]] std::span<const HaloScheme> halo_schemes();

}  // namespace halocline::dist
