// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-p2p: transfers between ranks, by every path; see docs/p2p.md.
#include "bench.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/memory/cuda_device.hpp"
#include "report.hpp"

namespace {

int run_program(const halocline::Communicator& comm, const halocline::Affinity& affinity, int argc,
                char** argv) {
    using namespace halocline::p2p;
    const ParsedOptions parsed = parse_options(argc, argv);
    if (!parsed.options) {
        if (comm.is_root()) {
            halocline::say("{}", parsed.text);
        }
        return 0;
    }
    if (parsed.options->capabilities) {
        const std::string text = capabilities_text(comm);
        if (comm.is_root()) {
            halocline::say("{}", text);
        }
        return 0;
    }
    return run_benchmark(comm, *parsed.options, affinity);
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    const halocline::CudaDevices gpus = halocline::find_cuda_devices();
    // One thread makes all calls of MPI; the emulated device's own thread copies and knows no MPI.
    constexpr int threads = 1;
    return halocline::run_placed_program(argc, argv, "halocline-p2p",
                                         {!gpus.pci_bus_ids.empty(), gpus.pci_bus_ids, {}, threads},
                                         run_program);
}
