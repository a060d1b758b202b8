// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Every halo scheme of dats on a device, on the parts of a box: right, as the ledger predicts, timed.
//   mpirun -n 4 benchmark_device_halo_schemes cuda|emulated [NODES] [--assume-gpu-aware]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "../loop/box_mesh.hpp"
#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/failure.hpp"
#include "halocline/dist/distribute.hpp"
#include "halocline/dist/exchange/device_halo.hpp"
#include "halocline/machine/mpi_transport.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "halocline/memory/emulated_device.hpp"
#include "halocline/memory/peer_memory.hpp"

namespace halocline {

namespace {

/// A scalar, a vector, the state of a compressible flow, the gradient of a velocity.
constexpr std::array<int, 4> fields_at_once{1, 3, 5, 9};
constexpr int rounds = 31;

template <class T>
std::vector<T> rows_of_rank(const Communicator& comm, const std::vector<T>& all, int width) {
    const auto count = static_cast<std::int64_t>(all.size()) / width;
    const BlockRange rows = block_range(count, comm.rank(), comm.size());
    return {all.begin() + rows.begin * width, all.begin() + rows.end * width};
}

/// Where the nodes of this rank's block lie: a box numbered along its lines.
std::vector<double> coordinates_of_rank(const Communicator& comm, GlobalIndex nodes) {
    const auto side = static_cast<GlobalIndex>(std::lround(std::cbrt(nodes)));
    const BlockRange rows = block_range(nodes, comm.rank(), comm.size());
    std::vector<double> coordinates;
    for (GlobalIndex node = rows.begin; node < rows.end; ++node) {
        for (const GlobalIndex stride : {side * side, side, GlobalIndex{1}}) {
            coordinates.push_back(static_cast<double>(node / stride % side));
        }
    }
    return coordinates;
}

/// This rank's nodes of a box, divided by recursive inertial bisection.
MeshPart divide_box(const Communicator& comm, GlobalIndex nodes) {
    MeshDeclaration box = benchmarks::make_box(nodes, benchmarks::Numbering::natural);
    box.dats.clear();
    box.maps.front().targets = rows_of_rank(comm, box.maps.front().targets, 2);
    DistributeOptions options;
    options.partitioner = "inertial";
    options.coordinates = {
        box.add_dat("coordinates", 0, 3, coordinates_of_rank(comm, box.sets.front().size))};
    return distribute(comm, std::move(box), options).part;
}

double value_of(GlobalIndex id, std::size_t field, int round) {
    return static_cast<double>(id) + 0.25 * static_cast<double>(field) + 1e9 * round;
}

/// Fields of one value an element in the memory of a device.
class DeviceFields {
public:
    DeviceFields(Device& device, const SetPart& set, int count) : device_(device), set_(set) {
        for (int k = 0; k < count; ++k) {
            memory_.emplace_back(MemoryKind::device,
                                 static_cast<std::size_t>(set.total) * sizeof(double), &device);
        }
        host_.resize(static_cast<std::size_t>(set.total));
    }

    [[nodiscard]] std::vector<HaloItem> items() const {
        std::vector<HaloItem> made;
        for (const SpaceBuffer& memory : memory_) {
            made.push_back({{reinterpret_cast<double*>(memory.data()), 1, Layout::rows(1)},
                            &set_,
                            MemoryKind::device});
        }
        return made;
    }

    void fill(int round) {
        for (std::size_t k = 0; k < memory_.size(); ++k) {
            for (LocalIndex i = 0; i < set_.total; ++i) {
                host_[static_cast<std::size_t>(i)] =
                    i < set_.owned ? value_of(set_.global_id(i), k, round) : -1.0;
            }
            copy_now(device_, memory_[k].data(), host_.data(), memory_[k].size_bytes(),
                     CopyDirection::to_device);
        }
    }

    [[nodiscard]] std::int64_t count_wrong(int round) {
        std::int64_t wrong = 0;
        for (std::size_t k = 0; k < memory_.size(); ++k) {
            copy_now(device_, host_.data(), memory_[k].data(), memory_[k].size_bytes(),
                     CopyDirection::to_host);
            for (LocalIndex i = 0; i < set_.total; ++i) {
                wrong += host_[static_cast<std::size_t>(i)] == value_of(set_.global_id(i), k, round)
                             ? 0
                             : 1;
            }
        }
        return wrong;
    }

private:
    Device& device_;
    const SetPart& set_;
    std::vector<SpaceBuffer> memory_;
    std::vector<double> host_;
};

struct Bench {
    const Communicator& comm;
    Device& device;
    Stream& compute;
    const SetPart& nodes;
    Ability mpi;
    Ability peers;
};

std::string verdict_of(std::int64_t wrong, const HaloLedger& cost, const HaloLedger& predicted) {
    const bool as_predicted =
        cost.messages == predicted.messages && cost.bytes == predicted.bytes &&
        cost.link_copies == predicted.link_copies && cost.link_bytes == predicted.link_bytes;
    return wrong > 0 ? "WRONG VALUES" : as_predicted ? "right, as predicted" : "LEDGER DIFFERS";
}

/// Returns whether all was right.
bool measure(const Bench& bench, const std::string& scheme, int fields,
             const TransferBlocks& blocks, const char* note) {
    const auto halo = make_device_halo_exchange(bench.comm, bench.device, bench.compute,
                                                {scheme, blocks, bench.mpi, bench.peers});
    DeviceFields dats(bench.device, bench.nodes, fields);
    const std::vector<HaloItem> items = dats.items();
    std::int64_t wrong = 0;
    HaloLedger cost;
    for (int round = 0; round < 2; ++round) {  // the first one makes plans and connections
        dats.fill(round);
        const HaloLedger before = halo->ledger();
        halo->begin(items);
        halo->end();
        bench.compute.synchronize();
        cost = halo->ledger().since(before);
        wrong += dats.count_wrong(round);
    }
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        bench.comm.barrier();
        const double start_s = wall_seconds();
        halo->begin(items);
        halo->end();
        bench.compute.synchronize();
        seconds.push_back(bench.comm.max(wall_seconds() - start_s));
    }
    std::sort(seconds.begin(), seconds.end());
    const HaloLedger predicted = predict_device_exchange(items, scheme, blocks);
    const std::string verdict = verdict_of(wrong, cost, predicted);
    const bool right = bench.comm.min(std::int64_t{verdict.front() == 'r'}) == 1;
    if (bench.comm.is_root()) {
        fmt::print("{:>6}  {:<9} {:>10.1f} {:>8.1f}-{:<8.1f} {:>7} {:>12} {:>9}  {}{}\n", fields,
                   scheme, 1e6 * seconds[rounds / 2], 1e6 * seconds[rounds / 4],
                   1e6 * seconds[3 * rounds / 4], cost.link_copies, cost.link_bytes, cost.messages,
                   right ? "right, as predicted" : "WRONG", note);
    }
    return right;
}

std::unique_ptr<Device> open_device(const Communicator& comm, const std::string& kind) {
    validate<UsageError>(kind == "cuda" || kind == "emulated",
                         "the first word is the kind of device: cuda or emulated.");
    if (kind == "emulated") {
        return std::make_unique<EmulatedDevice>(EmulatedDeviceOptions{{2e-6, 25e9}, true, 0});
    }
    const auto gpus = static_cast<int>(find_cuda_devices().pci_bus_ids.size());
    return open_cuda_device(gpus > 0 ? comm.rank() % gpus : 0);
}

Ability pointers_to_mpi(const Communicator& comm, const std::string& kind, bool assumed) {
    if (kind == "emulated" || assumed) {
        return {true, assumed ? "--assume-gpu-aware" : "emulated"};
    }
    const GpuAwareness awareness = query_gpu_awareness(describe_transport(comm));
    return {awareness.aware, awareness.evidence};
}

int run(const Communicator& comm, int argc, char** argv) {
    const std::string kind = argc > 1 ? argv[1] : "";
    const GlobalIndex wanted = argc > 2 ? std::atoll(argv[2]) : 1000000;
    const bool assumed = argc > 3 && std::string(argv[3]) == "--assume-gpu-aware";
    const std::unique_ptr<Device> device = open_device(comm, kind);
    const std::unique_ptr<Stream> compute = device->make_stream();
    const MeshPart part = divide_box(comm, wanted);
    const Bench bench{comm,
                      *device,
                      *compute,
                      part.sets.front(),
                      pointers_to_mpi(comm, kind, assumed),
                      find_peer_access(comm, device.get())};
    if (comm.is_root()) {
        fmt::print("{} nodes, {} ranks, {}; device pointers to MPI: {}\n", bench.nodes.global_size,
                   comm.size(), device->info().name, bench.mpi.evidence);
        fmt::print("devices that write to each other's memory: {}\n", bench.peers.evidence);
        fmt::print(
            "one exchange of fields of one value; rank 0's counts; us: slowest rank, median "
            "and quartiles of {}\n",
            rounds);
        fmt::print("{:>6}  {:<9} {:>10} {:>17} {:>7} {:>12} {:>9}\n", "fields", "scheme", "us",
                   "quartiles", "copies", "link bytes", "messages");
    }
    bool right = true;
    const TransferBlocks measured = TransferBlocks::of_root(comm);
    for (const int fields : fields_at_once) {
        for (const std::string& scheme : device_halo_scheme_names()) {
            const bool is_possible = scheme == "direct" ? bench.mpi.possible
                                     : scheme == "peer" ? bench.peers.possible
                                                        : true;
            if (is_possible) {
                right = measure(bench, scheme, fields, whole_messages(), "") && right;
            }
        }
        right = measure(bench, "packed", fields, measured, ", in blocks") && right;
    }
    return right ? 0 : 6;
}

}  // namespace

}  // namespace halocline

int main(int argc, char** argv) {
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED,
                                      "benchmark_device_halo_schemes", halocline::run);
}
