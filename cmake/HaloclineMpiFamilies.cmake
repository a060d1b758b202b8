# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The MPI families that preloaded tools serve: headers, compilers and launchers of each one found.
#
# A tool library is compiled once per family, against its headers alone: handles differ between the
# families, and a library linked to MPI would drag it into every process that the ranks start.
# For each family found there is the target `halocline_mpi_headers_<family>` and the variables
# HALOCLINE_MPICC_<family>, HALOCLINE_MPIFORT_<family> and HALOCLINE_MPIRUN_<family>.

set(HALOCLINE_MPI_FAMILIES "")
foreach(entry IN ITEMS "openmpi|ompi-c" "mpich|mpich")
    string(REPLACE "|" ";" entry "${entry}")
    list(GET entry 0 family)
    list(GET entry 1 module)
    string(TOUPPER ${family} upper)
    pkg_check_modules(HALOCLINE_${upper} QUIET ${module})
    find_program(HALOCLINE_MPICC_${family} NAMES mpicc.${family})
    find_program(HALOCLINE_MPIFORT_${family} NAMES mpifort.${family} mpif90.${family})
    find_program(HALOCLINE_MPIRUN_${family} NAMES mpirun.${family} mpiexec.${family})
    mark_as_advanced(HALOCLINE_MPICC_${family} HALOCLINE_MPIFORT_${family} HALOCLINE_MPIRUN_${family})
    if(NOT HALOCLINE_${upper}_FOUND)
        message(STATUS "Tools for ${family} programs are left out (no ${module}.pc; "
                       "on Debian: apt-get install lib${family}-dev)")
        continue()
    endif()
    add_library(halocline_mpi_headers_${family} INTERFACE)
    target_include_directories(halocline_mpi_headers_${family} SYSTEM INTERFACE
        ${HALOCLINE_${upper}_INCLUDE_DIRS})
    target_compile_definitions(halocline_mpi_headers_${family} INTERFACE
        OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    list(APPEND HALOCLINE_MPI_FAMILIES ${family})
endforeach()

# Tests, in a folder beside, ask for the families, too.
set(HALOCLINE_MPI_FAMILIES "${HALOCLINE_MPI_FAMILIES}" CACHE INTERNAL "MPI libraries with tools")

# Where `halocline` looks for tool libraries, below the prefix.
set(HALOCLINE_TOOL_LIBRARY_DIR "${CMAKE_INSTALL_LIBDIR}/halocline")
