// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// hypre's BoomerAMG with conjugate gradients on the problems of benchmark_poisson, on one rank:
//
//   benchmark_hypre_poisson DIMENSIONS SIDE [name=value ...]
//
// 2 1024 is a square of 1024^2, 3 150 a box of 150^3. Names: coarsen (10 HMIS, 8 PMIS), interpolation
// (6 extended+i), entries (of a row of it), threshold (of strong connections), aggressive (levels of
// aggressive coarsening), relax (6 symmetric Gauss-Seidel, 18 l1-Jacobi).
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "grid_poisson.hpp"

namespace {

using halocline::bench::PointGrid;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::map<std::string, double> options_of(int argc, char** argv, int dimensions) {
    std::map<std::string, double> options{
        {"coarsen", 10},   {"interpolation", 6},
        {"entries", 4},    {"threshold", dimensions == 3 ? 0.5 : 0.25},
        {"aggressive", 0}, {"relax", 6}};
    for (int i = 3; i < argc; ++i) {
        const std::string word(argv[i]);
        const auto equals = word.find('=');
        if (equals == std::string::npos || !options.contains(word.substr(0, equals))) {
            std::fprintf(stderr, "'%s' is not understood. Write name=value.\n", argv[i]);
            std::exit(2);
        }
        options[word.substr(0, equals)] = std::atof(word.c_str() + equals + 1);
    }
    return options;
}

HYPRE_IJMatrix make_matrix(const PointGrid& grid) {
    const auto nodes = static_cast<HYPRE_Int>(grid.nodes());
    HYPRE_IJMatrix matrix = nullptr;
    HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, nodes - 1, 0, nodes - 1, &matrix);
    HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
    const std::vector<HYPRE_Int> sizes(static_cast<std::size_t>(nodes), 2 * grid.dimensions + 1);
    HYPRE_IJMatrixSetRowSizes(matrix, sizes.data());
    HYPRE_IJMatrixInitialize(matrix);
    std::vector<HYPRE_Int> columns;
    std::vector<double> values;
    for (HYPRE_Int row = 0; row < nodes; ++row) {
        columns.assign(1, row);
        values.assign(1, 0.0);
        grid.each_neighbour(row, [&](std::int64_t neighbour) {
            columns.push_back(static_cast<HYPRE_Int>(neighbour));
            values.push_back(-1.0);
            values.front() += 1.0;
        });
        auto count = static_cast<HYPRE_Int>(columns.size());
        HYPRE_IJMatrixSetValues(matrix, 1, &count, &row, columns.data(), values.data());
    }
    HYPRE_IJMatrixAssemble(matrix);
    return matrix;
}

std::vector<HYPRE_Int> all_rows(std::size_t count) {
    std::vector<HYPRE_Int> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
        rows[i] = static_cast<HYPRE_Int>(i);
    }
    return rows;
}

HYPRE_IJVector make_vector(const std::vector<double>& values) {
    HYPRE_IJVector vector = nullptr;
    const auto nodes = static_cast<HYPRE_Int>(values.size());
    HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, nodes - 1, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    HYPRE_IJVectorSetValues(vector, nodes, all_rows(values.size()).data(), values.data());
    HYPRE_IJVectorAssemble(vector);
    return vector;
}

template <class T, class Handle>
T object_of(Handle handle, HYPRE_Int (*get)(Handle, void**)) {
    void* object = nullptr;
    get(handle, &object);
    return static_cast<T>(object);
}

HYPRE_Solver make_multigrid(std::map<std::string, double>& options) {
    const auto whole = [&](const char* name) { return static_cast<HYPRE_Int>(options[name]); };
    HYPRE_Solver amg = nullptr;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetCoarsenType(amg, whole("coarsen"));
    HYPRE_BoomerAMGSetInterpType(amg, whole("interpolation"));
    HYPRE_BoomerAMGSetPMaxElmts(amg, whole("entries"));
    HYPRE_BoomerAMGSetStrongThreshold(amg, options["threshold"]);
    HYPRE_BoomerAMGSetAggNumLevels(amg, whole("aggressive"));
    HYPRE_BoomerAMGSetRelaxType(amg, whole("relax"));
    HYPRE_BoomerAMGSetTol(amg, 0.0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    return amg;
}

HYPRE_Solver make_gradients(HYPRE_Solver amg) {
    HYPRE_Solver gradients = nullptr;
    HYPRE_ParCSRPCGCreate(MPI_COMM_SELF, &gradients);
    HYPRE_PCGSetTol(gradients, 1e-8);
    HYPRE_PCGSetTwoNorm(gradients, 1);
    HYPRE_PCGSetMaxIter(gradients, 200);
    HYPRE_PCGSetPrecond(gradients, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
    return gradients;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    const PointGrid grid{argc > 1 ? std::atoi(argv[1]) : 3, argc > 2 ? std::atoi(argv[2]) : 64};
    auto options = options_of(argc, argv, grid.dimensions);
    HYPRE_IJMatrix matrix = make_matrix(grid);
    HYPRE_IJVector rhs = make_vector(load_of(grid));
    std::vector<double> solution(static_cast<std::size_t>(grid.nodes()), 0.0);
    HYPRE_IJVector guess = make_vector(solution);
    auto* const a = object_of<HYPRE_ParCSRMatrix>(matrix, HYPRE_IJMatrixGetObject);
    auto* const b = object_of<HYPRE_ParVector>(rhs, HYPRE_IJVectorGetObject);
    auto* const x = object_of<HYPRE_ParVector>(guess, HYPRE_IJVectorGetObject);
    HYPRE_Solver amg = make_multigrid(options);
    HYPRE_Solver gradients = make_gradients(amg);
    const double begin_s = cpu_seconds();
    HYPRE_ParCSRPCGSetup(gradients, a, b, x);
    const double ready_s = cpu_seconds();
    HYPRE_ParCSRPCGSolve(gradients, a, b, x);
    const double end_s = cpu_seconds();
    HYPRE_Int iterations = 0;
    HYPRE_PCGGetNumIterations(gradients, &iterations);
    HYPRE_IJVectorGetValues(guess, static_cast<HYPRE_Int>(solution.size()),
                            all_rows(solution.size()).data(), solution.data());
    const double residual = true_residual(grid, solution);
    std::printf("its=%d true_residual=%.2e setup_cpu=%.3f solve_cpu=%.3f\n",
                static_cast<int>(iterations), residual, ready_s - begin_s, end_s - ready_s);
    HYPRE_ParCSRPCGDestroy(gradients);
    HYPRE_BoomerAMGDestroy(amg);
    HYPRE_IJMatrixDestroy(matrix);
    HYPRE_IJVectorDestroy(rhs);
    HYPRE_IJVectorDestroy(guess);
    HYPRE_Finalize();
    MPI_Finalize();
    return residual <= 1.1e-8 ? 0 : 5;
}
