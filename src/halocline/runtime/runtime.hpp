// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a program needs to run loops, in one object: ranks, halo exchange, back end, meshes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/core/error.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/mesh/mesh.hpp"
#include "halocline/runtime/repeated_loops.hpp"
#include "halocline/runtime/reports.hpp"

namespace halocline {

class CollectiveAgreement;
struct RankDevice;
namespace output {
class Writer;
}

/// Owns the device, the halo exchange and the context of one run.
///
/// Devices: where `options` name no back end, HALOCLINE_BACKEND does (serial, openmp, check, cuda,
/// emulated, auto); HALOCLINE_DEVICE (auto, cpu, gpu, mixed) and HALOCLINE_DEVICE_RANKS say which ranks get
/// one. Halos travel by HALOCLINE_HALO, else by the usual scheme of these ranks. Throws UsageError for
/// words that are none or exclude each other, EnvironmentError for what this machine cannot do. All
/// ranks make one together.
class Runtime {
public:
    /// `gpu`: number of the GPU to open, as `place_process` chose it; none: by the rank's place.
    explicit Runtime(const Communicator& comm, ContextOptions options = {},
                     std::optional<int> gpu = std::nullopt);
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    /// The ranks of the run.
    [[nodiscard]] const Communicator& comm() const { return comm_; }
    /// The context that loops run on.
    [[nodiscard]] Context& context() { return context_; }
    /// The device of this rank, unless the options gave one.
    [[nodiscard]] const RankDevice& device() const;
    /// The scheme by which halos travel.
    [[nodiscard]] const std::string& halo_scheme() const;
    /// What halo exchanges did so far on this rank.
    [[nodiscard]] const HaloLedger& halo_ledger() const { return context_.halo_ledger(); }

    /// This rank's block of an array that every rank holds whole, `width` values an element: what
    /// declarations of small meshes are made of. Large ones fill their blocks themselves.
    template <class T>
    [[nodiscard]] std::vector<T> block(const std::vector<T>& whole, int width = 1) const;

    /// Divides a declared mesh over the ranks, in the layout of this run's back end. Options that are
    /// not named suit the mesh and the back end: all sets are ordered for loops of any shape, but for
    /// back ends that run elements in the order of the file. Collective.
    [[nodiscard]] Mesh distribute(MeshDeclaration declaration, DistributeOptions options = {});

    /// All values of a dat, (elements, dim) by global index, on every rank: for small results and for
    /// tests. Throws ContractError beyond 2^31 values, and when other ranks call something else.
    /// Collective.
    template <class Tag, class T, int dim, class Storage>
    [[nodiscard]] std::vector<T> gather(const Dat<Tag, T, dim, Storage>& dat) const {
        return gather_store(dat.store());
    }
    /// The same on rank 0 only; empty on the others, which need no memory for it. Collective.
    template <class Tag, class T, int dim, class Storage>
    [[nodiscard]] std::vector<T> gather_to_root(const Dat<Tag, T, dim, Storage>& dat) const {
        return gather_store_to_root(dat.store());
    }

    /// How the mesh distributed last was divided. Throws ContractError before there is one.
    [[nodiscard]] const MeshReport& report() const;
    /// Where the time of loops went so far, slowest first. Collective.
    [[nodiscard]] std::vector<LoopReport> loops();
    /// Loops that repeat, as one unit of work: see `RepeatedLoops`.
    template <class Function>
    [[nodiscard]] RepeatedLoops repeat(Function body) {
        return RepeatedLoops(context_, std::move(body));
    }
    /// Rank 0 prints `report` as a table. Collective.
    void print_report() const;
    /// Rank 0 prints what `loops` gives as a table. Collective.
    void print_loops();

    /// What writes results and checkpoints beside the loops (`Results`, `Checkpoints`): async on one rank,
    /// and on several where HALOCLINE_IO=async had MPI started with MPI_THREAD_MULTIPLE; sync else, or
    /// with HALOCLINE_IO=sync. Made at its first use. Collective then.
    [[nodiscard]] output::Writer& writer();
    /// Throws ContractError when other ranks enter another collective call than `call`. Collective.
    void enter(const std::string& call);

    /// Writes what was handed to the writer, and throws what writing threw. Throws ContractError when other
    /// ranks are not at their end: one that is left alone in a collective call would wait for ever.
    /// `run_program` calls it after the program. Collective.
    void finish();

private:
    template <Element T>
    [[nodiscard]] std::vector<T> gather_store(const DatStoreOf<T>& store) const;
    template <Element T>
    [[nodiscard]] std::vector<T> gather_store_to_root(const DatStoreOf<T>& store) const;

    /// Sends known values by the scheme of a device before anybody relies on it. Collective.
    void check_halo(const MeshPart& part) const;

    /// Device and halo exchange: what programs do not name is not in what they include.
    struct Transport;

    Communicator comm_;
    std::unique_ptr<Transport> transport_;
    Context context_;
    std::unique_ptr<CollectiveAgreement> agreement_;
    std::optional<MeshReport> report_;
    std::unique_ptr<output::Writer> writer_;
};

namespace detail {

template <class Program>
int call_program(Program program, Runtime& runtime, int argc, char** argv) {
    if constexpr (std::is_invocable_r_v<int, Program, Runtime&, int, char**>) {
        return program(runtime, argc, argv);
    } else {
        static_assert(
            std::is_invocable_r_v<int, Program, Runtime&>,
            "a program is int (halocline::Runtime&) or int (halocline::Runtime&, int argc, "
            "char** argv)");
        return program(runtime);
    }
}

/// Chooses GPU and cores of this process as the environment asks for, then runs the program.
int run_placed(int argc, char** argv, int (*program)(Runtime&, int, char**));

}  // namespace detail

/// The body of main: starts MPI, calls `program` and returns its exit code; an error becomes one
/// sentence and its own exit code on all ranks. A program is `int (Runtime&)`, or
/// `int (Runtime&, int argc, char** argv)` with the arguments of main that MPI has not taken: all of
/// them are the program's own.
template <auto program>
int run_program(int argc, char** argv) {
    return detail::run_placed(argc, argv, [](Runtime& runtime, int count, char** arguments) {
        return detail::call_program(program, runtime, count, arguments);
    });
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

extern template std::vector<double> Runtime::block(const std::vector<double>&, int) const;
extern template std::vector<float> Runtime::block(const std::vector<float>&, int) const;
extern template std::vector<std::int64_t> Runtime::block(const std::vector<std::int64_t>&,
                                                         int) const;
extern template std::vector<std::int32_t> Runtime::block(const std::vector<std::int32_t>&,
                                                         int) const;

}  // namespace halocline
