// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which paths there are, and why one cannot be used.
#include "path.hpp"

#include <array>

#include "halocline/core/error.hpp"
#include "paths.hpp"

namespace halocline::p2p {

namespace {

constexpr std::array<std::string_view, 5> names_of_paths{"host", "staged", "pipelined", "direct",
                                                         "peer"};
constexpr int acknowledge_tag = 32000;

}  // namespace

std::span<const std::string_view> path_names() { return names_of_paths; }

std::string path_refusal(const std::string& name, const PathContext& context) {
    if (name == "host") {
        return "";
    }
    if (context.device == nullptr) {
        return "no device takes part (--device none). Choose --device cuda or emulated.";
    }
    if (name == "direct") {
        const Capability device = context.device->can_pass_to_mpi();
        return device.possible ? context.mpi_gpu_refusal : device.evidence + ".";
    }
    if (name == "peer") {
        const Capability device = context.device->can_share();
        return device.possible ? context.one_host_refusal : device.evidence + ".";
    }
    return "";
}

std::unique_ptr<Path> make_path(const std::string& name, const PathContext& context) {
    const std::string refusal = path_refusal(name, context);
    validate<EnvironmentError>(refusal.empty(), "path '" + name + "' cannot be used: " + refusal);
    if (name == "host") {
        return make_host_path(*context.comm);
    }
    if (name == "staged") {
        return make_staged_path(*context.comm, *context.device);
    }
    if (name == "pipelined") {
        return make_pipelined_path(*context.comm, *context.device, context.blocks);
    }
    if (name == "direct") {
        return make_direct_path(*context.comm, *context.device);
    }
    return make_peer_path(*context.comm, *context.device);
}

void run_plan(Path& path, const Plan& plan, const Communicator& comm) {
    for (const Phase& phase : plan.phases) {
        path.move(phase);
    }
    if (plan.acknowledge_to >= 0) {
        check_mpi(MPI_Send(nullptr, 0, MPI_BYTE, plan.acknowledge_to, acknowledge_tag, comm.get()),
                  "MPI_Send");
    }
    if (plan.acknowledge_from >= 0) {
        check_mpi(MPI_Recv(nullptr, 0, MPI_BYTE, plan.acknowledge_from, acknowledge_tag, comm.get(),
                           MPI_STATUS_IGNORE),
                  "MPI_Recv");
    }
}

}  // namespace halocline::p2p
