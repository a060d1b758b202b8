// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Predefined handles of the MPI library that the process has loaded.
#include "family.hpp"

namespace halocline::snapshot {

Predefined predefined;

#if defined(OPEN_MPI)

void find_predefined(void* (*find)(const char* name)) {
    predefined.world = static_cast<MPI_Comm>(find("ompi_mpi_comm_world"));
    predefined.self = static_cast<MPI_Comm>(find("ompi_mpi_comm_self"));
    predefined.no_comm = static_cast<MPI_Comm>(find("ompi_mpi_comm_null"));
    predefined.no_request = static_cast<MPI_Request>(find("ompi_request_null"));
    predefined.no_group = static_cast<MPI_Group>(find("ompi_mpi_group_null"));
    predefined.no_message = static_cast<MPI_Message>(find("ompi_message_no_proc"));
}

#else

void find_predefined(void* (*)(const char* name)) {
    predefined = {MPI_COMM_WORLD,   MPI_COMM_SELF,  MPI_COMM_NULL,
                  MPI_REQUEST_NULL, MPI_GROUP_NULL, MPI_MESSAGE_NO_PROC};
}

#endif

}  // namespace halocline::snapshot
