// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// mgcfd: MG-CFD's solver on halocline. One program under several names; see docs/mgcfd.md.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "console.hpp"
#include "device.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/core/stop_request.hpp"
#include "halocline/machine/affinity.hpp"
#include "options.hpp"
#include "run.hpp"

namespace {

int run_program(const halocline::Communicator& comm, const halocline::Affinity& affinity, int argc,
                char** argv) {
    using namespace halocline::mgcfd;
    ParsedCommand command = parse_command(comm, argc, argv);
    if (!command.options) {
        if (comm.is_root()) {
            halocline::say("{}", command.print.text);
        }
        return 0;
    }
    command.options->affinity = affinity;
    Console console(comm, command.options->front_end, command.options->progress);
    return run_case(comm, *command.options, console);
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    const halocline::StopRequest stop;  // a signal may come before there is a run
    using namespace halocline::mgcfd;
    const Options early = peek_options(argc, argv).value_or(Options{});
    return halocline::run_placed_program(argc, argv, "mgcfd", affinity_request_of(early),
                                         run_program);
}
