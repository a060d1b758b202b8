// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-halo: halo exchanges by every scheme, at one number of domains; see docs/halo.md.
#include "bench.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/memory/cuda_device.hpp"

namespace {

int run_program(const halocline::Communicator& comm, const halocline::Affinity& affinity, int argc,
                char** argv) {
    using namespace halocline::halo_bench;
    const ParsedOptions parsed = parse_options(argc, argv);
    if (!parsed.options) {
        if (comm.is_root()) {
            halocline::say("{}", parsed.text);
        }
        return 0;
    }
    return run_experiment(comm, *parsed.options, affinity);
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    const halocline::CudaDevices gpus = halocline::find_cuda_devices();
    constexpr int threads = 1;  // that call MPI
    return halocline::run_placed_program(argc, argv, "halocline-halo",
                                         {!gpus.pci_bus_ids.empty(), gpus.pci_bus_ids, {}, threads},
                                         run_program);
}
