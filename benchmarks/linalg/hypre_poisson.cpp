// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// hypre's BoomerAMG with conjugate gradients on the problems of benchmark_poisson, on one rank:
//
//   benchmark_hypre_poisson 2 1024     a square of 1024^2; 3 150: a box of 150^3
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// In [-1, 1), as in benchmark_poisson.
double value_of(std::int64_t node) {
    auto bits = static_cast<std::uint64_t>(node) + 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-52 - 1.0;
}

/// Natural boundary conditions, all weights 1.
HYPRE_IJMatrix make_matrix(int dimensions, int side, HYPRE_Int nodes) {
    HYPRE_IJMatrix matrix = nullptr;
    HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, nodes - 1, 0, nodes - 1, &matrix);
    HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
    const std::vector<HYPRE_Int> sizes(static_cast<std::size_t>(nodes), 2 * dimensions + 1);
    HYPRE_IJMatrixSetRowSizes(matrix, sizes.data());
    HYPRE_IJMatrixInitialize(matrix);
    for (HYPRE_Int row = 0; row < nodes; ++row) {
        std::vector<HYPRE_Int> columns{row};
        std::vector<double> values{0.0};
        for (HYPRE_Int stride = 1, d = 0; d < dimensions; ++d, stride *= side) {
            const HYPRE_Int place = row / stride % side;
            for (const HYPRE_Int step : {-1, 1}) {
                if (place + step >= 0 && place + step < side) {
                    columns.push_back(row + step * stride);
                    values.push_back(-1.0);
                    values.front() += 1.0;
                }
            }
        }
        auto count = static_cast<HYPRE_Int>(columns.size());
        HYPRE_IJMatrixSetValues(matrix, 1, &count, &row, columns.data(), values.data());
    }
    HYPRE_IJMatrixAssemble(matrix);
    return matrix;
}

HYPRE_IJVector make_vector(const std::vector<double>& values) {
    HYPRE_IJVector vector = nullptr;
    const auto nodes = static_cast<HYPRE_Int>(values.size());
    HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, nodes - 1, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    std::vector<HYPRE_Int> rows(values.size());
    for (HYPRE_Int i = 0; i < nodes; ++i) {
        rows[static_cast<std::size_t>(i)] = i;
    }
    HYPRE_IJVectorSetValues(vector, nodes, rows.data(), values.data());
    HYPRE_IJVectorAssemble(vector);
    return vector;
}

template <class T, class Handle>
T object_of(Handle handle, HYPRE_Int (*get)(Handle, void**)) {
    void* object = nullptr;
    get(handle, &object);
    return static_cast<T>(object);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    const int dimensions = argc > 1 ? std::atoi(argv[1]) : 3;
    const int side = argc > 2 ? std::atoi(argv[2]) : 64;
    const HYPRE_Int nodes = dimensions == 3 ? side * side * side : side * side;
    std::vector<double> load(static_cast<std::size_t>(nodes));
    double mean = 0.0;
    for (std::size_t i = 0; i < load.size(); ++i) {
        load[i] = value_of(static_cast<std::int64_t>(i));
        mean += load[i] / static_cast<double>(nodes);
    }
    std::for_each(load.begin(), load.end(), [&](double& value) { value -= mean; });
    HYPRE_IJMatrix matrix = make_matrix(dimensions, side, nodes);
    HYPRE_IJVector rhs = make_vector(load);
    auto* const a = object_of<HYPRE_ParCSRMatrix>(matrix, HYPRE_IJMatrixGetObject);
    auto* const b = object_of<HYPRE_ParVector>(rhs, HYPRE_IJVectorGetObject);

    HYPRE_Solver amg = nullptr, gradients = nullptr;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetCoarsenType(amg, 10);  // HMIS, extended+i: what its manual advises in 3-D
    HYPRE_BoomerAMGSetInterpType(amg, 6);
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetStrongThreshold(amg, dimensions == 3 ? 0.5 : 0.25);
    HYPRE_BoomerAMGSetRelaxType(amg, 6);  // symmetric Gauss-Seidel
    HYPRE_BoomerAMGSetTol(amg, 0.0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    HYPRE_ParCSRPCGCreate(MPI_COMM_SELF, &gradients);
    HYPRE_PCGSetTol(gradients, 1e-8);
    HYPRE_PCGSetTwoNorm(gradients, 1);
    HYPRE_PCGSetMaxIter(gradients, 200);
    HYPRE_PCGSetPrecond(gradients, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
    double setup_s = 0.0;
    std::vector<double> seconds;
    HYPRE_Int iterations = 0;
    double residual = 0.0;
    for (int k = 0; k < 3; ++k) {
        HYPRE_IJVector guess = make_vector(std::vector<double>(load.size(), 0.0));
        auto* const x = object_of<HYPRE_ParVector>(guess, HYPRE_IJVectorGetObject);
        double begin_s = MPI_Wtime();
        if (k == 0) {
            HYPRE_ParCSRPCGSetup(gradients, a, b, x);
            setup_s = MPI_Wtime() - begin_s;
        }
        begin_s = MPI_Wtime();
        HYPRE_ParCSRPCGSolve(gradients, a, b, x);
        seconds.push_back(MPI_Wtime() - begin_s);
        HYPRE_PCGGetNumIterations(gradients, &iterations);
        HYPRE_PCGGetFinalRelativeResidualNorm(gradients, &residual);
        HYPRE_IJVectorDestroy(guess);
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf(
        "hypre BoomerAMG-CG %d-D n=%d: its=%d residual=%.1e setup=%.3fs solve=%.3fs (%.3f..%.3f)\n",
        dimensions, side, static_cast<int>(iterations), residual, setup_s, seconds[1],
        seconds.front(), seconds.back());
    HYPRE_ParCSRPCGDestroy(gradients);
    HYPRE_BoomerAMGDestroy(amg);
    HYPRE_IJMatrixDestroy(matrix);
    HYPRE_IJVectorDestroy(rhs);
    HYPRE_Finalize();
    MPI_Finalize();
    return residual <= 1e-8 ? 0 : 5;
}
