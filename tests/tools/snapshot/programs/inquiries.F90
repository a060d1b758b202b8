! SPDX-FileCopyrightText: 2026 halocline contributors
! SPDX-License-Identifier: BSD-3-Clause
! Inquiries through a library's Fortran glue, which asks for the size of a communicator itself in between.
program inquiries
    use mpi
    implicit none
    integer, parameter :: rounds = 500
    integer :: i, ranks, error
    integer, allocatable :: sent(:), received(:), counts(:), places(:)

    call MPI_Init(error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    allocate (sent(ranks), received(ranks), counts(ranks), places(ranks))
    sent = 1
    counts = 1
    places = [(i, i=0, ranks - 1)]
    do i = 1, rounds
        call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
        call MPI_Alltoallv(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, &
                           MPI_COMM_WORLD, error)
        call MPI_Comm_size(MPI_COMM_SELF, ranks, error)
    end do
    call MPI_Finalize(error)
end program inquiries
