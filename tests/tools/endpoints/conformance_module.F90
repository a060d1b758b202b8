! SPDX-FileCopyrightText: 2026 halocline contributors
! SPDX-License-Identifier: BSD-3-Clause
! The wrapped collectives through a module, with the thread level that the program asked for: mpi_f08
! with -DMPI_F08 (Fortran 2008), else mpi (Fortran 90).
program conformance
#ifdef MPI_F08
    use mpi_f08
#else
    use mpi
#endif
    implicit none
    integer, parameter :: n = 2500
    double precision, allocatable :: a(:), b(:), c(:), d(:)
    integer, allocatable :: counts(:), places(:)
    integer :: rank, ranks, i, j, bad, level, eligible, error
#ifdef MPI_F08
    type(MPI_Comm) :: half
#else
    integer :: half
#endif

    call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    bad = merge(0, 1, level == MPI_THREAD_FUNNELED)
    allocate (a(n), b(n), c(n*ranks), d(n*ranks), counts(ranks), places(ranks))
    a = [(dble(i + rank), i=1, n)]

    call MPI_Allreduce(a, b, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    bad = bad + count(b /= [(dble(ranks*i + ranks*(ranks - 1)/2), i=1, n)])
    b = a
    call MPI_Allreduce(MPI_IN_PLACE, b, n, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, error)
    bad = bad + count(b /= [(dble(i), i=1, n)])
    call MPI_Reduce(a, b, n, MPI_DOUBLE_PRECISION, MPI_MAX, ranks - 1, MPI_COMM_WORLD, error)
    if (rank == ranks - 1) bad = bad + count(b /= [(dble(i + ranks - 1), i=1, n)])
    b = a
    call MPI_Bcast(b, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
    bad = bad + count(b /= [(dble(i), i=1, n)])
    call MPI_Allgather(a, n, MPI_DOUBLE_PRECISION, c, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
    do j = 0, ranks - 1
        bad = bad + count(c(j*n + 1:j*n + n) /= [(dble(i + j), i=1, n)])
    end do
    c = [(dble(rank*1000000 + i), i=1, n*ranks)]
    call MPI_Alltoall(c, n, MPI_DOUBLE_PRECISION, d, n, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
    counts = n
    places = [(j*n, j=0, ranks - 1)]
    do j = 0, ranks - 1
        bad = bad + count(d(j*n + 1:j*n + n) /= [(dble(j*1000000 + rank*n + i), i=1, n)])
    end do
    d = 0
    call MPI_Alltoallv(c, counts, places, MPI_DOUBLE_PRECISION, d, counts, places, &
                       MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
    do j = 0, ranks - 1
        bad = bad + count(d(j*n + 1:j*n + n) /= [(dble(j*1000000 + rank*n + i), i=1, n)])
    end do
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
    call MPI_Allreduce(a, b, n, MPI_DOUBLE_PRECISION, MPI_MIN, half, error)
    bad = bad + count(b /= [(dble(i + mod(rank, 2)), i=1, n)])
    call MPI_Comm_free(half, error)

    i = bad
    call MPI_Reduce(i, bad, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (rank == 0) then
        eligible = merge(1, 0, ranks > 1)
        ! The report counts each communicator once: with 3 ranks one half has two, with 4 both have.
        print '(a,i0)', 'expect Allreduce ', 2*eligible + max(0, ranks - 2)
        print '(a,i0)', 'expect Reduce ', eligible
        print '(a,i0)', 'expect Bcast ', eligible
        print '(a,i0)', 'expect Allgather ', eligible
        print '(a,i0)', 'expect Alltoall ', eligible
        print '(a,i0)', 'expect Alltoallv ', eligible
        print '(i0,a)', bad, ' failures'
        if (bad /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, error)
    end if
    call MPI_Finalize(error)
end program
