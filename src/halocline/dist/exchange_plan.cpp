// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lays out one message per neighbour for all dats of an exchange and moves values in and out.
#include "halocline/dist/exchange_plan.hpp"

#include <limits>
#include <map>
#include <string>
#include <utility>

#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"

namespace halocline::dist {

namespace {

constexpr int halo_tag = 7302;

/// Below this many elements a parallel region costs more than it saves.
constexpr LocalIndex parallel_elements = 16384;

/// Calls visit(k, d, value) for component d of the k-th listed element.
template <class Visit>
void for_each_value(const RawDat& dat, std::span<const LocalIndex> elements, Visit&& visit) {
    const auto n = static_cast<LocalIndex>(elements.size());
    const Layout layout = dat.layout;
    double* const values = dat.values;
#pragma omp parallel for schedule(static) if (n > parallel_elements)
    for (LocalIndex k = 0; k < n; ++k) {
        double* const element = values + layout.offset(elements[static_cast<std::size_t>(k)], 0);
        for (int d = 0; d < dat.dim; ++d) {
            visit(k, d, element[std::int64_t{d} * layout.component_stride]);
        }
    }
}

void pack(const RawDat& dat, std::span<const LocalIndex> elements, double* message) {
    for_each_value(dat, elements, [=, dim = dat.dim](LocalIndex k, int d, double& value) {
        message[std::int64_t{k} * dim + d] = value;
    });
}

void unpack(const RawDat& dat, std::span<const LocalIndex> elements, const double* message) {
    for_each_value(dat, elements, [=, dim = dat.dim](LocalIndex k, int d, double& value) {
        value = message[std::int64_t{k} * dim + d];
    });
}

std::span<const LocalIndex> listed(const std::vector<LocalIndex>& offsets,
                                   const std::vector<LocalIndex>& indices, std::size_t k) {
    return std::span<const LocalIndex>(indices).subspan(
        static_cast<std::size_t>(offsets[k]),
        static_cast<std::size_t>(offsets[k + 1] - offsets[k]));
}

/// Messages of one direction, by neighbour; `list(halo, k)` names the elements of neighbour k.
template <class List>
Direction plan_direction(std::span<const HaloItem> items, List&& list) {
    std::map<int, Message> by_rank;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const HaloPattern& halo = items[i].set->halo;
        for (std::size_t k = 0; k < halo.neighbours.size(); ++k) {
            const std::span<const LocalIndex> elements = list(halo, k);
            if (!elements.empty()) {
                Message& message = by_rank[halo.neighbours[k]];
                message.rank = halo.neighbours[k];
                message.segments.push_back({i, message.count, elements});
                message.count += elements.size() * static_cast<std::size_t>(items[i].dat.dim);
            }
        }
    }
    Direction direction;
    for (auto& [rank, message] : by_rank) {
        message.offset = direction.count;
        for (Segment& segment : message.segments) {
            segment.message_offset += message.offset;
        }
        direction.count += message.count;
        validate<ContractError>(message.count <= std::numeric_limits<int>::max(),
                                "a halo message is too long (more than 2147483647 values to rank " +
                                    std::to_string(rank) + "). Use more ranks.");
        direction.messages.push_back(std::move(message));
    }
    direction.buffer = Buffer<double>(direction.count);
    return direction;
}

}  // namespace

ExchangePlan::ExchangePlan(MPI_Comm comm, std::span<const HaloItem> items)
    : send_(plan_direction(items,
                           [](const HaloPattern& halo, std::size_t k) {
                               return listed(halo.send_offsets, halo.send_indices, k);
                           })),
      receive_(plan_direction(items, [](const HaloPattern& halo, std::size_t k) {
          return listed(halo.recv_offsets, halo.recv_indices, k);
      })) {
    make_requests(comm);
}

ExchangePlan::~ExchangePlan() {
    int finished = 0;
    MPI_Finalized(&finished);
    for (Direction* direction : {&send_, &receive_}) {
        for (MPI_Request& request : direction->requests) {
            if (finished == 0 && request != MPI_REQUEST_NULL) {
                MPI_Request_free(&request);
            }
        }
    }
}

void ExchangePlan::begin(std::span<const HaloItem> items) {
    if (!receive_.requests.empty()) {
        check_mpi(
            MPI_Startall(static_cast<int>(receive_.requests.size()), receive_.requests.data()),
            "MPI_Startall");
    }
    for (std::size_t m = 0; m < send_.messages.size(); ++m) {
        for (const Segment& segment : send_.messages[m].segments) {
            pack(items[segment.item].dat, segment.elements,
                 send_.buffer.data() + segment.message_offset);
        }
        check_mpi(MPI_Start(&send_.requests[m]), "MPI_Start");
    }
}

void ExchangePlan::end(std::span<const HaloItem> items) {
    const int expected = static_cast<int>(receive_.requests.size());
    for (int done = 0; done < expected; ++done) {
        int m = 0;
        check_mpi(MPI_Waitany(expected, receive_.requests.data(), &m, MPI_STATUS_IGNORE),
                  "MPI_Waitany");
        for (const Segment& segment : receive_.messages[static_cast<std::size_t>(m)].segments) {
            unpack(items[segment.item].dat, segment.elements,
                   receive_.buffer.data() + segment.message_offset);
        }
    }
    check_mpi(MPI_Waitall(static_cast<int>(send_.requests.size()), send_.requests.data(),
                          MPI_STATUSES_IGNORE),
              "MPI_Waitall");
}

void ExchangePlan::make_requests(MPI_Comm comm) {
    for (const Message& message : send_.messages) {
        send_.requests.push_back(MPI_REQUEST_NULL);
        check_mpi(
            MPI_Send_init(send_.buffer.data() + message.offset, static_cast<int>(message.count),
                          MPI_DOUBLE, message.rank, halo_tag, comm, &send_.requests.back()),
            "MPI_Send_init");
    }
    for (const Message& message : receive_.messages) {
        receive_.requests.push_back(MPI_REQUEST_NULL);
        check_mpi(
            MPI_Recv_init(receive_.buffer.data() + message.offset, static_cast<int>(message.count),
                          MPI_DOUBLE, message.rank, halo_tag, comm, &receive_.requests.back()),
            "MPI_Recv_init");
    }
}

}  // namespace halocline::dist
