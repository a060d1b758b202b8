// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The wrapped collectives from C++, with buffers of the standard library.
#include <mpi.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int n = 2500;
using Values = std::vector<double>;

int bad = 0;

template <class Expected>
void expect(const Values& found, Expected&& expected) {
    for (std::size_t i = 0; i < found.size(); ++i) {
        bad += found[i] == expected(static_cast<int>(i)) ? 0 : 1;
    }
}

void reduce_and_broadcast(int rank, int ranks) {
    Values a(n);
    Values b(n);
    for (int i = 0; i < n; ++i) {
        a[static_cast<std::size_t>(i)] = i + rank;
    }
    MPI_Allreduce(a.data(), b.data(), n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    expect(b, [&](int i) { return double{1} * ranks * i + ranks * (ranks - 1) / 2; });
    b = a;
    MPI_Allreduce(MPI_IN_PLACE, b.data(), n, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    expect(b, [](int i) { return i; });
    MPI_Reduce(a.data(), b.data(), n, MPI_DOUBLE, MPI_MAX, ranks - 1, MPI_COMM_WORLD);
    if (rank == ranks - 1) {
        expect(b, [&](int i) { return i + ranks - 1; });
    }
    b = a;
    MPI_Bcast(b.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    expect(b, [](int i) { return i; });
}

void move_pieces(int rank, int ranks) {
    const auto all = static_cast<std::size_t>(n) * static_cast<std::size_t>(ranks);
    Values a(n, rank + 0.5);
    Values c(all);
    Values d(all);
    MPI_Allgather(a.data(), n, MPI_DOUBLE, c.data(), n, MPI_DOUBLE, MPI_COMM_WORLD);
    expect(c, [](int i) { return i / n + 0.5; });
    for (std::size_t i = 0; i < all; ++i) {
        c[i] = rank * 1e6 + static_cast<double>(i);
    }
    const auto exchanged = [&](int i) { return i / n * 1e6 + rank * n + i % n; };
    MPI_Alltoall(c.data(), n, MPI_DOUBLE, d.data(), n, MPI_DOUBLE, MPI_COMM_WORLD);
    expect(d, exchanged);
    std::vector<int> counts(static_cast<std::size_t>(ranks), n);
    std::vector<int> places;
    for (int r = 0; r < ranks; ++r) {
        places.push_back(r * n);
    }
    d.assign(all, 0.0);
    MPI_Alltoallv(c.data(), counts.data(), places.data(), MPI_DOUBLE, d.data(), counts.data(),
                  places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    expect(d, exchanged);
}

}  // namespace

int main(int argc, char** argv) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    bad += level == MPI_THREAD_FUNNELED ? 0 : 1;
    reduce_and_broadcast(rank, ranks);
    move_pieces(rank, ranks);
    int total = 0;
    MPI_Reduce(&bad, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        const int eligible = ranks > 1 ? 1 : 0;
        std::printf("expect Allreduce %d\n", 2 * eligible);
        for (const char* once : {"Reduce", "Bcast", "Allgather", "Alltoall", "Alltoallv"}) {
            std::printf("expect %s %d\n", once, eligible);
        }
        std::printf("%d failures\n", total);
        if (total != 0) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Finalize();
    return 0;
}
