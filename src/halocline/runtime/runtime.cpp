// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes for the back end, and small results gathered from all ranks.
#include "halocline/runtime/runtime.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halocline/backend/device/launch/executor.hpp"
#include "halocline/core/print.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/output/writer.hpp"
#include "halocline/runtime/agreement.hpp"
#include "halocline/runtime/halo_setup.hpp"
#include "halocline/runtime/rank_device.hpp"
#include "halocline/runtime/root_gather.hpp"

namespace halocline {

namespace {

/// The ranks' devices, but for a caller who has opened them.
RankDevice open_device(const Communicator& comm, const ContextOptions& options,
                       std::optional<int> gpu) {
    if (options.device != nullptr || (options.backend && !is_device(*options.backend))) {
        RankDevice none;
        none.backend = options.backend ? *options.backend : backend_of_environment();
        none.ranks = comm.size();
        return none;
    }
    DeviceRequest request = device_request_of_environment();
    if (options.backend) {
        request.backend = backend_name(*options.backend);
    }
    return open_rank_device(comm, request, gpu);
}

ContextOptions options_on(const RankDevice& rank, ContextOptions options) {
    options.backend = rank.backend;
    if (rank.device != nullptr) {
        options.device = rank.device.get();
        options.compute = rank.compute.get();
    }
    return options;
}

/// Loops of the check back end compare ranks, which loops of the others do not wait for.
void require_check_everywhere(const Communicator& comm, Backend backend) {
    const auto mine = static_cast<std::int64_t>(backend);
    const std::vector<std::int64_t> of_ranks = comm.all_gather(std::span(&mine, 1));
    const auto checks = [](std::int64_t other) {
        return static_cast<Backend>(other) == Backend::check;
    };
    for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) {
        validate<UsageError>(
            checks(of_ranks[rank]) == checks(of_ranks[0]),
            std::string("the back end check cannot run beside others (rank 0 has ") +
                backend_name(static_cast<Backend>(of_ranks[0])) + ", rank " + std::to_string(rank) +
                " " + backend_name(static_cast<Backend>(of_ranks[rank])) +
                "; its loops compare ranks). Set HALOCLINE_BACKEND=check on all ranks, or on "
                "none.");
    }
}

output::IoMode io_mode_of_environment() {
    const char* const text = std::getenv("HALOCLINE_IO");
    const std::string_view word = text == nullptr ? "async" : text;
    validate<UsageError>(word == "async" || word == "sync",
                         "HALOCLINE_IO is '" + std::string(word) + "' (async or sync is known).");
    return word == "sync" ? output::IoMode::sync : output::IoMode::async;
}

}  // namespace

struct Runtime::Transport {
    RankDevice device;
    HaloCandidate scheme;
    std::unique_ptr<HaloExchange> halo;

    Transport(const Communicator& comm, const ContextOptions& options, std::optional<int> gpu)
        : device(open_device(comm, options, gpu)),
          scheme(halo_of_environment(comm, device)),
          halo(scheme.make()) {}
};

Runtime::Runtime(const Communicator& comm, ContextOptions options, std::optional<int> gpu)
    : comm_(comm),
      transport_(std::make_unique<Transport>(comm_, options, gpu)),
      context_(comm_, *transport_->halo, options_on(transport_->device, std::move(options))),
      agreement_(std::make_unique<CollectiveAgreement>(
          comm_, CollectiveAgreement::patience_on(context_.backend()))) {
    require_check_everywhere(comm_, context_.backend());
}

Runtime::~Runtime() = default;

const RankDevice& Runtime::device() const { return transport_->device; }

const std::string& Runtime::halo_scheme() const { return transport_->scheme.name; }

void Runtime::enter(const std::string& call) { agreement_->enter(call); }

void Runtime::check_halo(const MeshPart& part) const {
    if (!transport_->device.any() || comm().size() == 1) {
        return;
    }
    std::vector<HaloSample> samples;
    for (const SetPart& set : part.sets) {
        samples.push_back({&set, 2, 1});
    }
    require_correct(comm(), samples, transport_->scheme, device_halo_scheme_names().front(),
                    transport_->device.words);
}

output::Writer& Runtime::writer() {
    if (writer_ == nullptr) {
        agreement_->enter("makes a writer");
        output::WriterOptions options;
        options.mode = io_mode_of_environment();
        writer_ = std::make_unique<output::Writer>(context_, options);
    }
    return *writer_;
}

void Runtime::finish() {
    agreement_->enter("is at the end of the program");
    if (writer_ != nullptr) {
        writer_->finish();
    }
}

namespace detail {

int run_placed(int argc, char** argv, int (*program)(Runtime&, int, char**)) {
    guard_streams();
    AffinityRequest request;
    try {
        request = affinity_request(device_request_of_environment(), threads_of_process());
    } catch (const UsageError&) {
        request.threads = threads_of_process();  // reported when all ranks can do so together
    }
    request.may_spawn = true;
    const char* const io = std::getenv("HALOCLINE_IO");
    request.threads_call_mpi = io != nullptr && std::string_view(io) == "async";
    return run_placed_program(
        argc, argv, argv[0], request,
        [&](const Communicator& comm, const Affinity& place, int count, char** arguments) {
            Runtime runtime(comm, {}, place.gpu_index);
            const int code = program(runtime, count, arguments);
            runtime.finish();
            return code;
        });
}

}  // namespace detail

Mesh Runtime::distribute(MeshDeclaration declaration, DistributeOptions options) {
    agreement_->enter("distributes a mesh");
    // These run elements in the order of the file: that is the order of memory they want. Ranks of
    // other back ends beside them decide: the halos of ranks that order differently do not match.
    const bool in_file_order =
        context_.backend() == Backend::serial || context_.backend() == Backend::check;
    const bool any_orders = comm().max(std::int64_t{in_file_order ? 0 : 1}) != 0;
    options.order_all_sets = options.order_all_sets.value_or(any_orders);
    Distribution result = halocline::distribute(comm(), std::move(declaration), options);
    if (!result.report.advice.empty() && comm().is_root()) {
        print(stderr, "note: {}\n", result.report.advice);
    }
    check_halo(result.part);
    report_ = describe_mesh(comm(), result.part, result.report);
    return Mesh(std::move(result.part), layout_mode(context_.backend()));
}

template <Element T>
std::vector<T> Runtime::gather_store(const DatStoreOf<T>& store) const {
    agreement_->enter("gathers dat '" + store.name + "'");
    const SetPart& set = *store.set;
    const std::int64_t count = set.global_size * store.dim;
    validate<ContractError>(
        count <= std::numeric_limits<int>::max(),
        "dat '" + store.name + "' is too large to gather on every rank. Write it to a file.");
    // Each element has one owner: joining bit patterns is exact, also for -0 and NaN.
    using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    std::vector<Bits> bits(static_cast<std::size_t>(count), 0);
    for (LocalIndex i = 0; i < set.owned; ++i) {
        for (int d = 0; d < store.dim; ++d) {
            bits[static_cast<std::size_t>(set.global_id(i) * store.dim + d)] =
                std::bit_cast<Bits>(store.at(i, d));
        }
    }
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, bits.data(), static_cast<int>(count),
                            sizeof(T) == 8 ? MPI_INT64_T : MPI_INT32_T, MPI_BOR, comm().get()),
              "MPI_Allreduce");
    std::vector<T> values(bits.size());
    std::transform(bits.begin(), bits.end(), values.begin(),
                   [](Bits word) { return std::bit_cast<T>(word); });
    return values;
}

template <Element T>
std::vector<T> Runtime::gather_store_to_root(const DatStoreOf<T>& store) const {
    agreement_->enter("gathers dat '" + store.name + "' to the root");
    return rows_at_root(comm(), store);
}

template std::vector<double> Runtime::gather_store(const DatStoreOf<double>&) const;
template std::vector<float> Runtime::gather_store(const DatStoreOf<float>&) const;
template std::vector<std::int64_t> Runtime::gather_store(const DatStoreOf<std::int64_t>&) const;
template std::vector<std::int32_t> Runtime::gather_store(const DatStoreOf<std::int32_t>&) const;
template std::vector<double> Runtime::gather_store_to_root(const DatStoreOf<double>&) const;
template std::vector<float> Runtime::gather_store_to_root(const DatStoreOf<float>&) const;
template std::vector<std::int64_t> Runtime::gather_store_to_root(
    const DatStoreOf<std::int64_t>&) const;
template std::vector<std::int32_t> Runtime::gather_store_to_root(
    const DatStoreOf<std::int32_t>&) const;

const MeshReport& Runtime::report() const {
    validate<ContractError>(report_.has_value(),
                            "there is no mesh to report on. Distribute one first.");
    return *report_;
}

std::vector<LoopReport> Runtime::loops() {
    agreement_->enter("reads the loop table");
    context_.collect_kernel_times();
    return describe_loops(comm(), context_.loops());
}

void Runtime::print_report() const {
    const std::string text = to_text(report());
    if (comm().is_root()) {
        print_text(stdout, text);
    }
}

void Runtime::print_loops() {
    const std::vector<LoopReport> table = loops();
    if (comm().is_root()) {
        print_text(stdout, to_text(table));
    }
}

template std::vector<double> Runtime::block(const std::vector<double>&, int) const;
template std::vector<float> Runtime::block(const std::vector<float>&, int) const;
template std::vector<std::int64_t> Runtime::block(const std::vector<std::int64_t>&, int) const;
template std::vector<std::int32_t> Runtime::block(const std::vector<std::int32_t>&, int) const;

}  // namespace halocline
