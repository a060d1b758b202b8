// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// How preloaded libraries export MPI's names: programs that are linked to MPI find them, dlsym does not.
//
// Programs ask the process for MPI by name before they load it: mpi4py takes what
// `dlopen(NULL)` shows for the MPI library, and picks its family by what else that library has. Names
// of a preloaded library would answer in its place. They carry a version that is not the default one:
// the dynamic loader binds references without a version to the first version of a library, default or
// not, while dlsym takes only names that are the default (glibc, check_match in elf/dl-lookup.c).
#pragma once

/// MPI_X and PMPI_X of this source file; `name` is MPI_X.
#define HALOCLINE_HIDE_FROM_DLSYM(name) \
    __asm__(".symver " #name ", " #name \
            "@HALOCLINE, remove\n"      \
            ".symver P" #name ", P" #name "@HALOCLINE, remove")
