// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a loop runs on: ranks, halos, plans, the back end's name, the account.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "halocline/backend/device/launch/options.hpp"
#include "halocline/backend/variant_choice.hpp"
#include "halocline/core/communicator.hpp"
#include "halocline/core/smaller.hpp"
#include "halocline/loop/loop_table.hpp"
#include "halocline/loop/plan.hpp"
#include "halocline/mesh/dat_store.hpp"
#include "halocline/mesh/halo.hpp"

namespace halocline {

/// serial: the plain reference. openmp: vectorised, threaded. check: serial, and it proves that
/// access descriptors tell the truth. cuda: loops with a device form run on a GPU. emulated: the same
/// on a device made of host memory, for machines without a GPU.
enum class Backend { serial, openmp, check, cuda, emulated };

/// Whether loops run on a device, real or emulated.
[[nodiscard]] constexpr bool is_device(Backend backend) {
    return backend == Backend::cuda || backend == Backend::emulated;
}

/// What users choose back ends by; "auto" first.
[[nodiscard]] std::vector<std::string_view> backend_names();
/// Throws UsageError naming the nearest known one.
[[nodiscard]] Backend backend_from_name(std::string_view name);
/// What HALOCLINE_BACKEND names (serial, openmp, check, cuda, emulated, auto; unset: auto). Throws
/// UsageError for an unknown one.
[[nodiscard]] Backend backend_of_environment();
/// Threads that loops of this process will have: OMP_NUM_THREADS, or the cpus it may use, up to
/// OMP_THREAD_LIMIT.
[[nodiscard]] int threads_of_process();
/// The name that `backend_from_name` takes.
[[nodiscard]] const char* backend_name(Backend backend);
/// Memory layout of dats that this back end works on.
[[nodiscard]] LayoutMode layout_mode(Backend backend);

/// Whether core elements run while halos travel. Off is for measuring what that saves.
enum class Overlap { on, off };

/// How the openmp back end runs loops whose elements change several targets. scatter: elements add in
/// the order of the file. once: each is computed once a range of targets, which add up what waits for
/// them. automatic: scatter where that order walks memory, else once. Same bits.
enum class SharedTargets { automatic, scatter, once };

/// Larger ranges have fewer elements at their borders, which are computed more than once; smaller ones
/// leave room for what elements read. Half of a private cache of today.
inline constexpr std::size_t default_range_bytes = std::size_t{512} << 10;

/// How a context runs loops. Options that a program does not name follow the environment, or have the
/// values given here.
struct ContextOptions {
    /// None: what HALOCLINE_BACKEND names. `Runtime` opens the device of a device back end, and with
    /// `auto`, or when nothing is named, takes GPUs where all ranks have one and loops can use them.
    std::optional<Backend> backend = std::nullopt;
    int threads = threads_of_process();  ///< to ask for on this rank, for the openmp back end
    Overlap overlap = Overlap::on;       ///< off: loops wait for their halos first
    Device* device = nullptr;  ///< of the device back ends; outlives the context and all dats
    DeviceOptions device_options = {};  ///< what kernels of device back ends are made for
    /// Where the device's kernels run: the stream that a device halo exchange was made with. Null: one
    /// of the context's own, and halos travel through the host.
    Stream* compute = nullptr;
    /// how the openmp back end runs loops that change several targets
    SharedTargets shared_targets = SharedTargets::automatic;
    /// Of loops of one thread on the openmp back end that may take it, others take packs; none: the
    /// fastest. Same bits.
    std::optional<VariantChoice::Variant> variant = std::nullopt;
    /// What the contributions of a range may take of a core's caches.
    std::size_t range_bytes = default_range_bytes;
};

/// What loops run on: back end, threads, halo exchange, plans and account of a rank. A run has one.
class Context {
public:
    /// `comm` and `halo` outlive it. Throws ContractError when a device back end gets no device. All
    /// ranks make one together.
    Context(const Communicator& comm, HaloExchange& halo, ContextOptions options);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// The ranks that run its loops.
    [[nodiscard]] const Communicator& comm() const { return comm_; }
    /// The ranks that reduce together in loops over `set`: this one alone where it has the whole set.
    [[nodiscard]] const Communicator& reducing(const SetPart& set) const {
        return set.is_replicated ? alone_ : comm_;
    }
    /// What runs its loops.
    [[nodiscard]] Backend backend() const { return backend_; }
    /// How many threads loops ask for, and the fewest that OpenMP gave to one that asked for more.
    [[nodiscard]] int threads() const { return options_.threads; }
    /// Fewest threads that a loop got so far.
    [[nodiscard]] int fewest_threads() const { return fewest_threads_; }
    /// A loop got `threads`, fewer than it asked for.
    void note_team(int threads) { fewest_threads_ = detail::smaller(fewest_threads_, threads); }
    /// Whether core elements run while halos travel.
    [[nodiscard]] Overlap overlap() const { return options_.overlap; }
    /// As in the options.
    [[nodiscard]] SharedTargets shared_targets() const { return options_.shared_targets; }
    /// As in the options.
    [[nodiscard]] std::optional<VariantChoice::Variant> variant() const { return options_.variant; }
    /// As in the options.
    [[nodiscard]] std::size_t range_bytes() const { return options_.range_bytes; }
    /// What loops did so far on this rank.
    [[nodiscard]] LoopTable& loops() { return loops_; }
    /// Brings the times of kernels measured so far into the loop table.
    void collect_kernel_times();
    /// Empties the loop table; what devices measured before goes with it.
    void restart_account();
    /// The plans that loops made so far.
    [[nodiscard]] PlanCache& plans() { return plans_; }
    /// Of the loop of this name on one thread; valid until the next call.
    [[nodiscard]] VariantChoice& variant_choice(const LoopName& name);
    /// `size` doubles of memory for one thread, uninitialised; kept for later loops. Called by the thread
    /// that will use it.
    [[nodiscard]] double* scratch(int thread, std::size_t size) {
        return grown(scratch_[static_cast<std::size_t>(thread)], size);
    }
    /// Makes `chunks` known to `kept`.
    void reserve_kept(std::size_t chunks) {
        if (kept_.size() < chunks) {
            kept_.resize(chunks);
        }
    }
    /// `size` doubles of memory, uninitialised, for what a chunk of a loop that scatters keeps until all are
    /// done; kept for later loops. Called by the thread that runs the chunk.
    [[nodiscard]] double* kept(std::size_t chunk, std::size_t size) {
        return grown(kept_[chunk], size);
    }
    /// Null on back ends without a device.
    [[nodiscard]] device::Executor* device() { return device_.get(); }
    /// A loop of a device back end, in source file `source`, is about to run on the host. From its second
    /// execution on this costs time: rank 0 says so, once, with the reason and what to do.
    void explain_host_loop(const LoopName& name, std::string_view source);

    /// What `begin_halo` starts: an exchange, or what stands for one while loops are only gone
    /// through: making all that it takes, or counting one that a recording does.
    enum class HaloWork { exchange, prepare, count };

    /// Starts bringing the halos of `stores` up to date where they are stale; end with `end_halo`.
    /// The values are current in `where` (host or device), and only there afterwards.
    /// Returns whether there was anything to do. Collective.
    bool begin_halo(const std::vector<DatStore*>& stores, MemoryKind where = MemoryKind::host,
                    HaloWork work = HaloWork::exchange);
    /// Between the two, from the thread that began: whether anything is still under way.
    bool progress_halo() { return halo_.progress(); }
    /// Waits and stores what arrived. Collective.
    void end_halo();
    /// What halo exchanges did so far on this rank.
    [[nodiscard]] const HaloLedger& halo_ledger() const { return halo_.ledger(); }

private:
    static double* grown(Buffer<double>& memory, std::size_t size) {
        if (memory.size() < size) {
            memory = Buffer<double>(size);
        }
        return memory.data();
    }

    Communicator comm_;
    Communicator alone_{MPI_COMM_SELF};
    HaloExchange& halo_;
    ContextOptions options_;
    Backend backend_;
    int fewest_threads_ = 1;
    LoopTable loops_;
    PlanCache plans_;
    std::vector<LoopVariant> variant_choices_;
    std::vector<Buffer<double>> scratch_;  ///< by thread
    std::vector<Buffer<double>> kept_;     ///< by chunk
    std::unique_ptr<device::Executor> device_;
    struct HostLoop;
    std::vector<HostLoop> host_loops_;         ///< those that a device cannot run
    MemoryKind exchanged_ = MemoryKind::host;  ///< where the values in flight lie
    HaloWork halo_work_ = HaloWork::exchange;  ///< what began last
    std::vector<DatStore*> in_flight_;
    std::vector<HaloItem> items_;
};

}  // namespace halocline
