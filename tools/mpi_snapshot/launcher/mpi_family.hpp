// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which MPI library a program will run with: from the program itself, else from its launcher's marks.
#pragma once

#include <string>

namespace halocline::snapshot {

enum class Family { none, openmpi, mpich };

/// What the file at `path` is to the dynamic loader.
enum class FileKind { dynamic_program, static_program, other };
struct ProgramFile {
    FileKind kind;
    std::string interpreter;  // of a dynamic program
};
ProgramFile inspect(const std::string& path);

/// The family among the libraries the loader would load, none when there is no MPI.
Family family_of_program(const std::string& path, const std::string& interpreter);

/// From what mpirun, mpiexec or srun put into the environment.
Family family_of_launcher();

}  // namespace halocline::snapshot
