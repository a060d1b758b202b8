// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/core/state_join.hpp"

namespace halocline {

StateJoin::StateJoin(int width, MPI_User_function* join) {
    // One element a state, so that no library cuts one in two.
    check_mpi(MPI_Type_contiguous(width, MPI_INT64_T, &type_), "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
    check_mpi(MPI_Op_create(join, 1, &operation_), "MPI_Op_create");
}

void StateJoin::over_ranks(const Communicator& comm, std::int64_t* state) const {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, state, 1, type_, operation_, comm.get()),
              "MPI_Allreduce");
}

}  // namespace halocline
