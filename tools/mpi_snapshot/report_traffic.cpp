// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators and the row of the communication matrix.
#include "communicators.hpp"
#include "memory.hpp"
#include "report.hpp"
#include "session.hpp"
#include "thread_record.hpp"

namespace halocline::snapshot {

namespace {

constexpr const char* column_names[] = {"sent_messages",   "sent_bytes",   "received_messages",
                                        "received_bytes",  "put_messages", "put_bytes",
                                        "get_messages",    "get_bytes",    "collective_messages",
                                        "collective_bytes"};
constexpr int column_count = 10;

struct Row {
    std::uint64_t columns[column_count];
};

void add_peer(Row& row, const Peer& peer) {
    const Counter* counters[column_count] = {&peer.sent_messages,       &peer.sent_bytes,
                                             &peer.received_messages,   &peer.received_bytes,
                                             &peer.put_messages,        &peer.put_bytes,
                                             &peer.get_messages,        &peer.get_bytes,
                                             &peer.collective_messages, &peer.collective_bytes};
    for (int i = 0; i < column_count; ++i) {
        row.columns[i] += counters[i]->get();
    }
}

/// What went alike to all other members of a communicator.
void add_communicator(Row* rows, const Communicator& communicator) {
    const std::uint64_t messages = communicator.messages_to_all.get();
    if (messages == 0) {
        return;
    }
    const Group& peers = *communicator.peers;
    for (int i = 0; i < peers.size; ++i) {
        const int rank = peers.world_rank(i);
        if (rank >= 0 && (communicator.inter || i != communicator.rank)) {
            rows[rank].columns[8] += messages;
            rows[rank].columns[9] += communicator.bytes_to_all.get();
        }
    }
}

void gather_rows(Row* rows) {
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        const Peer* peers = record->peers.load(std::memory_order_acquire);
        for (int rank = 0; peers != nullptr && rank < session.ranks; ++rank) {
            add_peer(rows[rank], peers[rank]);
        }
    }
    for (std::uint32_t i = 0; i < communicator_count(); ++i) {
        add_communicator(rows, *communicator_at(i));
    }
}

void write_unknown_peers(JsonFile& json) {
    std::uint64_t both = 0, received = 0;
    for (const auto* record = first_thread_record(); record != nullptr; record = record->next) {
        both += record->unknown_peer_bytes.get();
        received += record->unknown_peer_received_bytes.get();
    }
    json.key("unknown_peer_bytes").number(both);
    json.key("unknown_peer_received_bytes").number(received);
}

void write_row(JsonFile& json, int rank, const Row& row) {
    std::uint64_t any = 0;
    for (const std::uint64_t value : row.columns) {
        any |= value;
    }
    if (any == 0) {
        return;
    }
    json.begin_array();
    json.number(rank);
    for (const std::uint64_t value : row.columns) {
        json.number(value);
    }
    json.end_array();
}

}  // namespace

void write_communicators(JsonFile& json) {
    json.key("communicators").begin_array();
    for (std::uint32_t i = 0; i < communicator_count(); ++i) {
        const Communicator& communicator = *communicator_at(i);
        json.begin_object();
        json.key("index").number(i);
        json.key("id").hexadecimal(communicator.id);
        json.key("name").string(communicator.name);
        json.key("size").number(communicator.local->size);
        json.key("rank").number(communicator.rank);
        json.key("inter").boolean(communicator.inter);
        json.key("remote_size").number(communicator.inter ? communicator.peers->size : 0);
        json.key("collective_calls").number(communicator.sequence.get());
        json.end_object();
    }
    json.end_array();
}

void write_peers(JsonFile& json) {
    const std::size_t bytes = static_cast<std::size_t>(session.ranks) * sizeof(Row);
    auto* rows = static_cast<Row*>(map_pages(bytes));
    json.key("peers").begin_object();
    json.key("columns").begin_array();
    json.string("rank");
    for (const char* name : column_names) {
        json.string(name);
    }
    json.end_array();
    if (rows != nullptr) {
        gather_rows(rows);
    }
    json.key("rows").begin_array();
    for (int rank = 0; rows != nullptr && rank < session.ranks; ++rank) {
        write_row(json, rank, rows[rank]);
    }
    json.end_array();
    write_unknown_peers(json);
    json.end_object();
    unmap_pages(rows, bytes);
}

}  // namespace halocline::snapshot
