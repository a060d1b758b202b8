// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// mgcfd: MG-CFD's solver on halocline. One program under several names; see docs/mgcfd.md.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "halocline/core/error.hpp"
#include "halocline/core/print.hpp"
#include "halocline/core/standard_output.hpp"
#include "halocline/core/stop_request.hpp"
#include "halocline/machine/affinity.hpp"
#include "halocline/run/console.hpp"
#include "halocline/run/devices.hpp"
#include "halocline/run/driver.hpp"
#include "halocline/solver/mgcfd/case.hpp"
#include "options.hpp"

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
    const Options& options = *command.options;
    Case solver_case(options);
    halocline::run::Console console(comm, options.front_end, options.progress);
    return halocline::run::run_case(comm, options, solver_case, console);
}

}  // namespace

int main(int argc, char** argv) {
    halocline::guard_streams();
    const halocline::StopRequest stop;  // a signal may come before there is a run
    using namespace halocline::mgcfd;
    const Options early = peek_options(argc, argv).value_or(Options{});
    return halocline::run_placed_program(argc, argv, "mgcfd",
                                         halocline::run::affinity_request_of(early), run_program);
}
