// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What can be preloaded into a program. The launcher's marks tell which recorder is likely the right
// one; the recorder itself makes way for its sibling where it is not (tools/preload/mpi_library.hpp).
#pragma once

#include <string>

namespace halocline::snapshot {

enum class Family { none, openmpi, mpich };

/// What the file at `path` is to the dynamic loader.
enum class FileKind { dynamic_program, static_program, other };
FileKind inspect(const std::string& path);

/// From what mpirun, mpiexec or srun put into the environment; Open MPI where nothing tells.
Family family_of_launcher();

}  // namespace halocline::snapshot
