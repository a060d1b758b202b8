// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the head of the program's file and the environment.
#include "mpi_family.hpp"

#include <elf.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace halocline::snapshot {

namespace {

template <class Header, class Segment>
bool has_interpreter(std::ifstream& file) {
    Header header{};
    file.seekg(0);
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    for (int i = 0; file && i < header.e_phnum; ++i) {
        Segment segment{};
        file.seekg(static_cast<std::streamoff>(header.e_phoff) + i * header.e_phentsize);
        file.read(reinterpret_cast<char*>(&segment), sizeof segment);
        if (file && segment.p_type == PT_INTERP) {
            return true;
        }
    }
    return false;
}

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

}  // namespace

FileKind inspect(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, EI_NIDENT> mark{};
    file.read(mark.data(), mark.size());
    if (!file || std::memcmp(mark.data(), ELFMAG, SELFMAG) != 0) {
        return FileKind::other;
    }
    const bool dynamic = mark[EI_CLASS] == ELFCLASS64
                             ? has_interpreter<Elf64_Ehdr, Elf64_Phdr>(file)
                             : has_interpreter<Elf32_Ehdr, Elf32_Phdr>(file);
    return dynamic ? FileKind::dynamic_program : FileKind::static_program;
}

Family family_of_launcher() {
    if (is_set("OMPI_COMM_WORLD_SIZE") || is_set("OMPI_UNIVERSE_SIZE")) {
        return Family::openmpi;
    }
    const bool mpich = is_set("PMI_RANK") || is_set("PMI_SIZE") || is_set("MPI_LOCALRANKID");
    return mpich ? Family::mpich : Family::openmpi;
}

}  // namespace halocline::snapshot
