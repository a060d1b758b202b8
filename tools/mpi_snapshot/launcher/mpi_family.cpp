// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Asks the dynamic loader which libraries a program needs.
#include "mpi_family.hpp"

#include <elf.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace halocline::snapshot {

namespace {

template <class Header, class Segment>
std::string interpreter_of(std::ifstream& file) {
    Header header{};
    file.seekg(0);
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    for (int i = 0; file && i < header.e_phnum; ++i) {
        Segment segment{};
        file.seekg(static_cast<std::streamoff>(header.e_phoff) + i * header.e_phentsize);
        file.read(reinterpret_cast<char*>(&segment), sizeof segment);
        if (file && segment.p_type == PT_INTERP && segment.p_filesz < 4096) {
            std::string path(segment.p_filesz, '\0');
            file.seekg(static_cast<std::streamoff>(segment.p_offset));
            file.read(path.data(), static_cast<std::streamsize>(path.size()));
            return path.c_str();  // without the zero byte at its end
        }
    }
    return "";
}

/// What a command writes to standard output.
std::string output_of(const char* const* command) {
    int ends[2];
    if (pipe(ends) != 0) {
        return "";
    }
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(command[0], const_cast<char* const*>(command));
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> piece;
    for (ssize_t bytes = 0; (bytes = read(ends[0], piece.data(), piece.size())) > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(bytes));
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text;
}

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

}  // namespace

ProgramFile inspect(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, EI_NIDENT> mark{};
    file.read(mark.data(), mark.size());
    if (!file || std::memcmp(mark.data(), ELFMAG, SELFMAG) != 0) {
        return {FileKind::other, ""};
    }
    const std::string interpreter = mark[EI_CLASS] == ELFCLASS64
                                        ? interpreter_of<Elf64_Ehdr, Elf64_Phdr>(file)
                                        : interpreter_of<Elf32_Ehdr, Elf32_Phdr>(file);
    return {interpreter.empty() ? FileKind::static_program : FileKind::dynamic_program,
            interpreter};
}

Family family_of_program(const std::string& path, const std::string& interpreter) {
    const char* const command[] = {interpreter.c_str(), "--list", path.c_str(), nullptr};
    const std::string libraries = output_of(command);
    const auto needs = [&](const char* name) { return libraries.find(name) != std::string::npos; };
    // libmpi.so.40 is Open MPI's since version 3; libmpi.so.12 is the ABI that MPICH, Intel MPI and
    // MVAPICH share; Debian calls MPICH's libmpich.so.12.
    if (needs("libmpi.so.40") || needs("libopen-pal.so") || needs("libopen-rte.so")) {
        return Family::openmpi;
    }
    return needs("libmpich.so") || needs("libmpi.so.12") ? Family::mpich : Family::none;
}

Family family_of_launcher() {
    if (is_set("OMPI_COMM_WORLD_SIZE") || is_set("OMPI_UNIVERSE_SIZE")) {
        return Family::openmpi;
    }
    if (is_set("PMI_RANK") || is_set("PMI_SIZE") || is_set("MPI_LOCALRANKID")) {
        return Family::mpich;
    }
    return is_set("PMIX_RANK") ? Family::openmpi : Family::none;
}

}  // namespace halocline::snapshot
