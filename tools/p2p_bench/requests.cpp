// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Checked MPI calls of the paths.
#include "paths.hpp"

namespace halocline::p2p {

void Requests::start_receive(void* data, std::size_t bytes, int peer, int tag) {
    requests_.push_back(MPI_REQUEST_NULL);
    check_mpi(
        MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, peer, tag, comm_, &requests_.back()),
        "MPI_Irecv");
}

void Requests::start_send(const void* data, std::size_t bytes, int peer, int tag) {
    requests_.push_back(MPI_REQUEST_NULL);
    check_mpi(
        MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, peer, tag, comm_, &requests_.back()),
        "MPI_Isend");
}

void Requests::wait_all() {
    check_mpi(
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
    requests_.clear();
}

int Requests::wait_any() {
    int place = MPI_UNDEFINED;
    check_mpi(MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &place,
                          MPI_STATUS_IGNORE),
              "MPI_Waitany");
    return place == MPI_UNDEFINED ? -1 : place;
}

bool Requests::test(std::size_t place) {
    int done = 0;
    check_mpi(MPI_Test(&requests_[place], &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
}

void send_now(const Communicator& comm, const Transfer& transfer, const void* data) {
    check_mpi(MPI_Send(data, static_cast<int>(transfer.bytes), MPI_BYTE, transfer.peer,
                       transfer.tag, comm.get()),
              "MPI_Send");
}

void receive_now(const Communicator& comm, const Transfer& transfer, void* data) {
    check_mpi(MPI_Recv(data, static_cast<int>(transfer.bytes), MPI_BYTE, transfer.peer,
                       transfer.tag, comm.get(), MPI_STATUS_IGNORE),
              "MPI_Recv");
}

}  // namespace halocline::p2p
