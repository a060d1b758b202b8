// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc on the problems of benchmark_poisson, on one rank; its own options choose the solver:
//
//   benchmark_petsc_poisson DIMENSIONS SIDE -pc_type gamg
#include <petscksp.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "grid_poisson.hpp"

namespace {

using halocline::bench::PointGrid;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Mat make_matrix(const PointGrid& grid) {
    const auto nodes = static_cast<PetscInt>(grid.nodes());
    Mat matrix = nullptr;
    PetscCallAbort(PETSC_COMM_SELF, MatCreateSeqAIJ(PETSC_COMM_SELF, nodes, nodes,
                                                    2 * grid.dimensions + 1, nullptr, &matrix));
    std::vector<PetscInt> columns;
    std::vector<double> values;
    for (PetscInt row = 0; row < nodes; ++row) {
        columns.assign(1, row);
        values.assign(1, 0.0);
        grid.each_neighbour(row, [&](std::int64_t neighbour) {
            columns.push_back(static_cast<PetscInt>(neighbour));
            values.push_back(-1.0);
            values.front() += 1.0;
        });
        PetscCallAbort(PETSC_COMM_SELF,
                       MatSetValues(matrix, 1, &row, static_cast<PetscInt>(columns.size()),
                                    columns.data(), values.data(), INSERT_VALUES));
    }
    PetscCallAbort(PETSC_COMM_SELF, MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    PetscCallAbort(PETSC_COMM_SELF, MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    PetscCallAbort(PETSC_COMM_SELF, MatSetOption(matrix, MAT_SPD, PETSC_TRUE));
    MatNullSpace constants = nullptr;
    PetscCallAbort(PETSC_COMM_SELF,
                   MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_TRUE, 0, nullptr, &constants));
    PetscCallAbort(PETSC_COMM_SELF, MatSetNullSpace(matrix, constants));
    PetscCallAbort(PETSC_COMM_SELF, MatNullSpaceDestroy(&constants));
    return matrix;
}

KSP make_solver(Mat matrix) {
    KSP solver = nullptr;
    PetscCallAbort(PETSC_COMM_SELF, KSPCreate(PETSC_COMM_SELF, &solver));
    PetscCallAbort(PETSC_COMM_SELF, KSPSetOperators(solver, matrix, matrix));
    PetscCallAbort(PETSC_COMM_SELF, KSPSetType(solver, KSPCG));
    PetscCallAbort(PETSC_COMM_SELF, KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
    PetscCallAbort(PETSC_COMM_SELF, KSPSetTolerances(solver, 1e-8, 0.0, PETSC_DEFAULT, 10000));
    PetscCallAbort(PETSC_COMM_SELF, KSPSetFromOptions(solver));
    return solver;
}

}  // namespace

int main(int argc, char** argv) {
    PetscCallAbort(PETSC_COMM_SELF, PetscInitialize(&argc, &argv, nullptr, nullptr));
    const PointGrid grid{argc > 1 ? std::atoi(argv[1]) : 3, argc > 2 ? std::atoi(argv[2]) : 64};
    Mat matrix = make_matrix(grid);
    std::vector<double> load = load_of(grid);
    std::vector<double> solution(load.size(), 0.0);
    const auto nodes = static_cast<PetscInt>(load.size());
    Vec b = nullptr, x = nullptr;
    PetscCallAbort(PETSC_COMM_SELF,
                   VecCreateSeqWithArray(PETSC_COMM_SELF, 1, nodes, load.data(), &b));
    PetscCallAbort(PETSC_COMM_SELF,
                   VecCreateSeqWithArray(PETSC_COMM_SELF, 1, nodes, solution.data(), &x));
    KSP solver = make_solver(matrix);
    const double begin_s = cpu_seconds();
    PetscCallAbort(PETSC_COMM_SELF, KSPSetUp(solver));
    const double ready_s = cpu_seconds();
    PetscCallAbort(PETSC_COMM_SELF, KSPSolve(solver, b, x));
    const double end_s = cpu_seconds();
    PetscInt iterations = 0;
    PetscCallAbort(PETSC_COMM_SELF, KSPGetIterationNumber(solver, &iterations));
    const double residual = true_residual(grid, solution);
    std::printf("its=%d true_residual=%.2e setup_cpu=%.3f solve_cpu=%.3f\n",
                static_cast<int>(iterations), residual, ready_s - begin_s, end_s - ready_s);
    PetscCallAbort(PETSC_COMM_SELF, KSPDestroy(&solver));
    PetscCallAbort(PETSC_COMM_SELF, VecDestroy(&x));
    PetscCallAbort(PETSC_COMM_SELF, VecDestroy(&b));
    PetscCallAbort(PETSC_COMM_SELF, MatDestroy(&matrix));
    PetscCallAbort(PETSC_COMM_SELF, PetscFinalize());
    return residual <= 1.1e-8 ? 0 : 5;
}
