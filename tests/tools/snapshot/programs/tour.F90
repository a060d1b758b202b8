! SPDX-FileCopyrightText: 2026 halocline contributors
! SPDX-License-Identifier: BSD-3-Clause
! The tour of tour.c in Fortran, through one of three interfaces: -DTOUR_F77 (mpif.h),
! -DTOUR_F90 (use mpi), -DTOUR_F08 (use mpi_f08). Same calls, same counts, same bytes.
#if defined(TOUR_F08)
#define MODULE_LINE use mpi_f08
#define HEADER_LINE
#define HANDLE(name) type(name)
#define STATUS_TYPE type(MPI_Status)
#elif defined(TOUR_F90)
#define MODULE_LINE use mpi
#define HEADER_LINE
#define HANDLE(name) integer
#define STATUS_TYPE integer, dimension(MPI_STATUS_SIZE)
#else
#define MODULE_LINE
#define HEADER_LINE include 'mpif.h'
#define HANDLE(name) integer
#define STATUS_TYPE integer, dimension(MPI_STATUS_SIZE)
#endif

program tour
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr
  character(len=500) :: path
  common /ring/ rank, nranks, next, prev
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nranks, ierr)
  next = mod(rank + 1, nranks)
  prev = mod(rank + nranks - 1, nranks)
  call get_command_argument(1, path)
  if (len_trim(path) == 0) path = 'tour.data'
  call point_to_point()
  call persistent()
  call rooted_collectives()
  call all_to_all_collectives()
  call nonblocking_collectives()
  call communicators()
  call neighbours()
  call one_sided()
  call datatypes()
  call files(path)
  call MPI_Finalize(ierr)
end program tour

subroutine check(condition, what)
  MODULE_LINE
  implicit none
  HEADER_LINE
  logical :: condition
  character(len=*) :: what
  integer :: ierr
  if (.not. condition) then
    write (*, *) 'wrong data after ', what
    call MPI_Abort(MPI_COMM_WORLD, 9, ierr)
  end if
end subroutine check

subroutine point_to_point()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr
  common /ring/ rank, nranks, next, prev
  double precision :: out(3), in(3)
  integer :: sent(5), room(50)
  character :: text(7), got(100)
  HANDLE(MPI_Request) :: requests(2), request
  STATUS_TYPE :: status
  out = rank
  call MPI_Sendrecv(out, 3, MPI_DOUBLE_PRECISION, next, 1, in, 3, MPI_DOUBLE_PRECISION, prev, 1, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call check(nint(in(1)) == prev, 'Sendrecv')

  sent = rank
  call MPI_Irecv(room, 50, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(sent, 5, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  call check(room(1) == prev, 'Waitall')

  text = 'h'
  call MPI_Isend(text, 7, MPI_CHARACTER, rank, 3, MPI_COMM_WORLD, request, ierr)
  call MPI_Recv(got, 100, MPI_CHARACTER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(got(3) == 'h', 'Recv')

  call MPI_Isend(text, 5, MPI_CHARACTER, rank, 4, MPI_COMM_WORLD, request, ierr)
  call MPI_Probe(rank, 4, MPI_COMM_WORLD, status, ierr)
  call MPI_Recv(got, 100, MPI_CHARACTER, rank, 4, MPI_COMM_WORLD, status, ierr)
  call MPI_Wait(request, status, ierr)
end subroutine point_to_point

subroutine persistent()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr, i
  common /ring/ rank, nranks, next, prev
  double precision :: out(4), in(8)
  HANDLE(MPI_Request) :: requests(2)
  out = rank
  call MPI_Send_init(out, 4, MPI_DOUBLE_PRECISION, next, 5, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Recv_init(in, 8, MPI_DOUBLE_PRECISION, prev, 5, MPI_COMM_WORLD, requests(2), ierr)
  do i = 1, 3
    call MPI_Start(requests(2), ierr)
    call MPI_Start(requests(1), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call check(nint(in(1)) == prev, 'Start')
  end do
  call MPI_Request_free(requests(1), ierr)
  call MPI_Request_free(requests(2), ierr)
end subroutine persistent

subroutine rooted_collectives()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr
  common /ring/ rank, nranks, next, prev
  integer :: six(6), three(3), nothing(1)
  integer, allocatable :: everything(:)
  double precision :: two(2), sums(2)
  six = rank
  call MPI_Bcast(six, 6, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call check(six(1) == 0, 'Bcast')
  two = 1
  if (rank == nranks - 1) then
    call MPI_Reduce(MPI_IN_PLACE, two, 2, MPI_DOUBLE_PRECISION, MPI_SUM, nranks - 1, MPI_COMM_WORLD, ierr)
    call check(nint(two(2)) == nranks, 'Reduce')
  else
    call MPI_Reduce(two, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, nranks - 1, MPI_COMM_WORLD, ierr)
  end if
  allocate (everything(3*nranks))
  three = rank
  if (rank == 0) then
    everything = 0
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, everything, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call check(everything(3*nranks) == nranks - 1, 'Gather')
    call MPI_Scatter(everything, 3, MPI_INTEGER, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierr)
  else
    call MPI_Gather(three, 3, MPI_INTEGER, nothing, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierr)
    call MPI_Scatter(nothing, 0, MPI_DATATYPE_NULL, three, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    call check(three(1) == rank, 'Scatter')
  end if
end subroutine rooted_collectives

subroutine all_to_all_collectives()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr, i
  common /ring/ rank, nranks, next, prev
  double precision :: two(2), one, prefix
  double precision, allocatable :: given(:), taken(:)
  integer, allocatable :: out(:), in(:), counts(:), places(:), received(:), received_places(:)
  two = 1
  do i = 1, 3
    call MPI_Allreduce(MPI_IN_PLACE, two, 2, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  end do
  allocate (out(2*nranks*(nranks + 1)), in(2*nranks*(nranks + 1)), given(2*nranks), taken(2*nranks))
  allocate (counts(nranks), places(nranks), received(nranks), received_places(nranks))
  out = 0
  in = rank
  given = 0
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call check(in(2*nranks) == nranks - 1, 'Allgather')
  call MPI_Alltoall(given, 2, MPI_DOUBLE_PRECISION, taken, 2, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  do i = 1, nranks
    counts(i) = i
    places(i) = i*(i - 1)/2
    received(i) = rank + 1
    received_places(i) = (i - 1)*(rank + 1)
  end do
  call MPI_Alltoallv(out, counts, places, MPI_INTEGER, in, received, received_places, MPI_INTEGER, &
                     MPI_COMM_WORLD, ierr)
  call MPI_Allgatherv(out, rank + 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  one = 1
  call MPI_Scan(one, prefix, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call check(nint(prefix) == rank + 1, 'Scan')
  call MPI_Reduce_scatter_block(out, in, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
end subroutine all_to_all_collectives

subroutine nonblocking_collectives()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr
  common /ring/ rank, nranks, next, prev
  double precision :: four(4), sums(4)
  HANDLE(MPI_Request) :: request
  four = 1
  call MPI_Iallreduce(four, sums, 4, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call check(nint(sums(4)) == nranks, 'Iallreduce')
  call MPI_Ibarrier(MPI_COMM_WORLD, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
end subroutine nonblocking_collectives

subroutine communicators()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr, one, sums
  common /ring/ rank, nranks, next, prev
  HANDLE(MPI_Comm) :: half, copy
  one = 1
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr)
  call MPI_Allreduce(one, sums, 1, MPI_INTEGER, MPI_SUM, half, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)
  call MPI_Barrier(copy, ierr)
  call MPI_Comm_free(copy, ierr)
  call MPI_Comm_free(half, ierr)
end subroutine communicators

subroutine neighbours()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr, sizes(1), out(4), in(4)
  common /ring/ rank, nranks, next, prev
  logical :: periods(1)
  double precision :: one, two(2)
  HANDLE(MPI_Comm) :: ring
  sizes(1) = nranks
  periods(1) = .true.
  out = rank
  one = rank
  call MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, .false., ring, ierr)
  call MPI_Neighbor_alltoall(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, ring, ierr)
  call MPI_Neighbor_allgather(one, 1, MPI_DOUBLE_PRECISION, two, 1, MPI_DOUBLE_PRECISION, ring, ierr)
  call check(nint(two(1)) == prev .and. nint(two(2)) == next, 'Neighbor_allgather')
  call MPI_Comm_free(ring, ierr)
end subroutine neighbours

subroutine one_sided()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr
  common /ring/ rank, nranks, next, prev
  double precision, asynchronous :: window(10), out(2), in(3)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, place
  HANDLE(MPI_Win) :: win
  if (nranks == 1) return
  window = 0
  out = rank
  bytes = 80
  place = 0
  call MPI_Win_create(window, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call MPI_Put(out, 2, MPI_DOUBLE_PRECISION, next, place, 2, MPI_DOUBLE_PRECISION, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call check(nint(window(1)) == prev, 'Put')
  call MPI_Get(in, 3, MPI_DOUBLE_PRECISION, next, place, 3, MPI_DOUBLE_PRECISION, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call check(nint(in(1)) == rank, 'Get')
  place = 5
  call MPI_Accumulate(out, 1, MPI_DOUBLE_PRECISION, next, place, 1, MPI_DOUBLE_PRECISION, MPI_SUM, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
end subroutine one_sided

subroutine datatypes()
  MODULE_LINE
  implicit none
  HEADER_LINE
  integer :: rank, nranks, next, prev, ierr, out(8), in(8)
  common /ring/ rank, nranks, next, prev
  HANDLE(MPI_Datatype) :: four
  HANDLE(MPI_Request) :: request
  out = rank
  call MPI_Type_contiguous(4, MPI_INTEGER, four, ierr)
  call MPI_Type_commit(four, ierr)
  call MPI_Isend(out, 2, four, next, 6, MPI_COMM_WORLD, request, ierr)
  call MPI_Recv(in, 8, MPI_INTEGER, prev, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Type_free(four, ierr)
end subroutine datatypes

subroutine files(path)
  MODULE_LINE
  implicit none
  HEADER_LINE
  character(len=*) :: path
  integer :: rank, nranks, next, prev, ierr, out(8), in(8)
  common /ring/ rank, nranks, next, prev
  integer(kind=MPI_OFFSET_KIND) :: place
  HANDLE(MPI_File) :: file
  out = rank
  place = 32*rank
  call MPI_File_open(MPI_COMM_WORLD, trim(path), MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  call MPI_File_write_at(file, place, out, 8, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call MPI_File_read_at_all(file, place, in, 8, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  call check(in(1) == rank, 'File_read_at_all')
  call MPI_File_close(file, ierr)
end subroutine files
