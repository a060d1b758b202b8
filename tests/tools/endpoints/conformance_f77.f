! SPDX-FileCopyrightText: 2026 halocline contributors
! SPDX-License-Identifier: BSD-3-Clause
! The wrapped collectives through mpif.h: every call must reach the preloaded library.
      program conformance
      implicit none
      include 'mpif.h'
      integer n, most
      parameter (n = 2500, most = 8)
      double precision a(n), b(n), c(n*most), d(n*most)
      integer ierr, rank, ranks, i, j, bad, allbad
      integer counts(most), places(most)
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      bad = 0
      do i = 1, n
         a(i) = dble(i + rank)
         b(i) = a(i)
      end do
      call MPI_ALLREDUCE(MPI_IN_PLACE, b, n, MPI_DOUBLE_PRECISION,
     &                   MPI_SUM, MPI_COMM_WORLD, ierr)
      do i = 1, n
         if (b(i) .ne. dble(ranks*i + ranks*(ranks-1)/2)) bad = bad + 1
      end do
      call MPI_REDUCE(a, b, n, MPI_DOUBLE_PRECISION, MPI_MAX, 0,
     &                MPI_COMM_WORLD, ierr)
      do i = 1, n
         if (rank .eq. 0 .and. b(i) .ne. dble(i + ranks - 1)) bad = bad + 1
      end do
      do i = 1, n
         b(i) = a(i)
      end do
      call MPI_BCAST(b, n, MPI_DOUBLE_PRECISION, ranks - 1,
     &               MPI_COMM_WORLD, ierr)
      do i = 1, n
         if (b(i) .ne. dble(i + ranks - 1)) bad = bad + 1
      end do
      call MPI_ALLGATHER(a, n, MPI_DOUBLE_PRECISION, c, n,
     &                   MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
      do j = 0, ranks - 1
         do i = 1, n
            if (c(j*n + i) .ne. dble(i + j)) bad = bad + 1
         end do
      end do
      do i = 1, n*ranks
         c(i) = dble(rank*1000000 + i)
      end do
      call MPI_ALLTOALL(c, n, MPI_DOUBLE_PRECISION, d, n,
     &                  MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
      do j = 0, ranks - 1
         counts(j + 1) = n
         places(j + 1) = j*n
         do i = 1, n
            if (d(j*n + i) .ne. dble(j*1000000 + rank*n + i)) bad = bad + 1
         end do
      end do
      call MPI_ALLTOALLV(c, counts, places, MPI_DOUBLE_PRECISION, d,
     &                   counts, places, MPI_DOUBLE_PRECISION,
     &                   MPI_COMM_WORLD, ierr)
      do j = 0, ranks - 1
         do i = 1, n
            if (d(j*n + i) .ne. dble(j*1000000 + rank*n + i)) bad = bad + 1
         end do
      end do
      call MPI_REDUCE(bad, allbad, 1, MPI_INTEGER, MPI_SUM, 0,
     &                MPI_COMM_WORLD, ierr)
      if (rank .eq. 0) then
         i = 1
         if (ranks .eq. 1) i = 0
         print '(a,i0)', 'expect Allreduce ', i
         print '(a,i0)', 'expect Reduce ', i
         print '(a,i0)', 'expect Bcast ', i
         print '(a,i0)', 'expect Allgather ', i
         print '(a,i0)', 'expect Alltoall ', i
         print '(a,i0)', 'expect Alltoallv ', i
         print '(i0,a)', allbad, ' failures'
         if (allbad .ne. 0) call MPI_ABORT(MPI_COMM_WORLD, 1, ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
