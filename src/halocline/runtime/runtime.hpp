// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a program needs to run loops, in one object: ranks, halo exchange, back end, meshes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/halo_exchange.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline {

/// HALOCLINE_BACKEND (serial, openmp, check, auto; unset: auto) and as many threads as OpenMP
/// offers (OMP_NUM_THREADS, up to OMP_THREAD_LIMIT). Throws UsageError for an unknown back end.
[[nodiscard]] ContextOptions context_options_from_environment();

/// Owns the halo exchange and the context of one run.
class Runtime {
public:
    explicit Runtime(const Communicator& comm,
                     ContextOptions options = context_options_from_environment());

    [[nodiscard]] const Communicator& comm() const { return context_.comm(); }
    [[nodiscard]] Context& context() { return context_; }
    [[nodiscard]] const HaloLedger& halo_ledger() const { return halo_->ledger(); }

    /// This rank's block of an array that every rank holds whole, `width` values an element: what
    /// declarations of small meshes are made of. Large ones fill their blocks themselves.
    template <class T>
    [[nodiscard]] std::vector<T> block(const std::vector<T>& whole, int width = 1) const;

    /// Divides a declared mesh over the ranks, in the layout of this run's back end. Without options as
    /// `default_distribution` says; back ends that run elements in the order of the file keep it for
    /// sets without a graph. Collective.
    [[nodiscard]] Mesh distribute(MeshDeclaration declaration);
    [[nodiscard]] Mesh distribute(MeshDeclaration declaration, const DistributeOptions& options);

    /// All values of a dat, (elements, dim) by global index, on every rank: for small results and for
    /// tests. Throws ContractError beyond 2^31 values. Collective.
    template <class Tag, class T, int dim, class Storage>
    [[nodiscard]] std::vector<double> gather(const Dat<Tag, T, dim, Storage>& dat) const {
        return gather_store(dat.store());
    }

private:
    [[nodiscard]] std::vector<double> gather_store(const DatStore& store) const;

    std::unique_ptr<HaloExchange> halo_;
    Context context_;
};

/// Threads that loops of this process will have: OMP_NUM_THREADS, or the cpus it may use.
[[nodiscard]] int threads_of_process();

/// The body of main: starts MPI, calls `program` and returns its exit code; an error becomes one
/// sentence and its own exit code on all ranks.
template <int (*program)(Runtime&)>
int run_program(int argc, char** argv) {
    const auto run = [](const Communicator& comm, int, char**) {
        Runtime runtime(comm);
        return program(runtime);
    };
    return run_mpi_program(argc, argv, thread_level_for(threads_of_process()), argv[0], run);
}

template <class T>
std::vector<T> Runtime::block(const std::vector<T>& whole, int width) const {
    const auto size = static_cast<std::int64_t>(whole.size());
    validate<ContractError>(width > 0 && size % width == 0,
                            "an array of " + std::to_string(size) + " values has no rows of " +
                                std::to_string(width) + ". Pass the dat's dim or the map's arity.");
    const BlockRange rows = block_range(size / width, comm().rank(), comm().size());
    return {whole.begin() + rows.begin * width, whole.begin() + rows.end * width};
}

}  // namespace halocline
