// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank after rank sends what it owns, ids first.
#include "halocline/runtime/root_gather.hpp"

#include <algorithm>
#include <cstdint>

namespace halocline {

namespace {

/// What one rank owns of a dat, in its own order.
template <class T>
struct OwnedRows {
    std::vector<std::int64_t> ids;
    std::vector<T> values;  ///< (ids, dim)
};

template <class T>
OwnedRows<T> owned_rows(const DatStoreOf<T>& store, int rank) {
    OwnedRows<T> rows;
    const LocalIndex count = store.set->contributed_by(rank);
    rows.ids.reserve(static_cast<std::size_t>(count));
    rows.values.reserve(static_cast<std::size_t>(count) * static_cast<std::size_t>(store.dim));
    for (LocalIndex i = 0; i < count; ++i) {
        rows.ids.push_back(store.set->global_id(i));
        for (int d = 0; d < store.dim; ++d) {
            rows.values.push_back(store.at(i, d));
        }
    }
    return rows;
}

/// One message of MPI counts at most 2^31 values: more go in pieces.
template <class Call>
void in_pieces(std::size_t size, Call&& call) {
    constexpr std::size_t most = std::size_t{1} << 27U;
    for (std::size_t begin = 0; begin < size; begin += most) {
        call(begin, static_cast<int>(std::min(most, size - begin)));
    }
}

template <class T>
MPI_Datatype mpi_type() {
    return sizeof(T) == 8 ? MPI_INT64_T : MPI_INT32_T;  // bits, whatever they mean
}

template <class T>
void send_rows(const Communicator& comm, const OwnedRows<T>& rows) {
    const auto count = static_cast<std::int64_t>(rows.ids.size());
    check_mpi(MPI_Send(&count, 1, MPI_INT64_T, 0, 0, comm.get()), "MPI_Send");
    in_pieces(rows.ids.size(), [&](std::size_t begin, int size) {
        check_mpi(MPI_Send(&rows.ids[begin], size, MPI_INT64_T, 0, 0, comm.get()), "MPI_Send");
    });
    in_pieces(rows.values.size(), [&](std::size_t begin, int size) {
        check_mpi(MPI_Send(&rows.values[begin], size, mpi_type<T>(), 0, 0, comm.get()), "MPI_Send");
    });
}

template <class T>
OwnedRows<T> receive_rows(const Communicator& comm, int rank, int dim) {
    std::int64_t count = 0;
    check_mpi(MPI_Recv(&count, 1, MPI_INT64_T, rank, 0, comm.get(), MPI_STATUS_IGNORE), "MPI_Recv");
    OwnedRows<T> rows;
    rows.ids.resize(static_cast<std::size_t>(count));
    rows.values.resize(static_cast<std::size_t>(count * dim));
    in_pieces(rows.ids.size(), [&](std::size_t begin, int size) {
        check_mpi(
            MPI_Recv(&rows.ids[begin], size, MPI_INT64_T, rank, 0, comm.get(), MPI_STATUS_IGNORE),
            "MPI_Recv");
    });
    in_pieces(rows.values.size(), [&](std::size_t begin, int size) {
        check_mpi(MPI_Recv(&rows.values[begin], size, mpi_type<T>(), rank, 0, comm.get(),
                           MPI_STATUS_IGNORE),
                  "MPI_Recv");
    });
    return rows;
}

template <class T>
void place_rows(const OwnedRows<T>& rows, int dim, std::vector<T>& values) {
    for (std::size_t i = 0; i < rows.ids.size(); ++i) {
        std::copy_n(&rows.values[i * static_cast<std::size_t>(dim)], dim,
                    &values[static_cast<std::size_t>(rows.ids[i] * dim)]);
    }
}

}  // namespace

template <Element T>
std::vector<T> rows_at_root(const Communicator& comm, const DatStoreOf<T>& store) {
    const OwnedRows<T> mine = owned_rows(store, comm.rank());
    if (!comm.is_root()) {
        send_rows(comm, mine);
        return {};
    }
    std::vector<T> values(static_cast<std::size_t>(store.set->global_size * store.dim));
    place_rows(mine, store.dim, values);
    for (int rank = 1; rank < comm.size(); ++rank) {
        place_rows(receive_rows<T>(comm, rank, store.dim), store.dim, values);
    }
    return values;
}

template std::vector<double> rows_at_root(const Communicator&, const DatStoreOf<double>&);
template std::vector<float> rows_at_root(const Communicator&, const DatStoreOf<float>&);
template std::vector<std::int64_t> rows_at_root(const Communicator&,
                                                const DatStoreOf<std::int64_t>&);
template std::vector<std::int32_t> rows_at_root(const Communicator&,
                                                const DatStoreOf<std::int32_t>&);

}  // namespace halocline
