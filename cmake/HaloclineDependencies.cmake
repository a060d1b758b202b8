# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# What the library links: MPI, OpenMP, parallel HDF5, graph partitioners, hwloc and three header
# libraries.
# Installed too: the package config includes it, so a user's build finds the same things.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Debian installs each MPI's wrapper with its name as suffix, so both can live on one machine.
if(NOT HALOCLINE_MPI STREQUAL "default" AND NOT MPI_C_COMPILER)
    find_program(HALOCLINE_MPICC NAMES mpicc.${HALOCLINE_MPI})
    find_program(HALOCLINE_MPIEXEC NAMES mpirun.${HALOCLINE_MPI} mpiexec.${HALOCLINE_MPI})
    mark_as_advanced(HALOCLINE_MPICC HALOCLINE_MPIEXEC)
    if(HALOCLINE_MPICC)
        set(MPI_C_COMPILER "${HALOCLINE_MPICC}")
    endif()
    if(HALOCLINE_MPIEXEC AND NOT MPIEXEC_EXECUTABLE)
        set(MPIEXEC_EXECUTABLE "${HALOCLINE_MPIEXEC}")
    endif()
endif()
find_package(MPI REQUIRED COMPONENTS C)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
if(NOT TARGET PkgConfig::HALOCLINE_MUPARSER)
    pkg_check_modules(HALOCLINE_MUPARSER REQUIRED QUIET IMPORTED_TARGET GLOBAL muparser)
endif()
# Optional: results packed by zstd (docs/output.md).
find_path(HALOCLINE_ZSTD_INCLUDE_DIR zstd.h)
find_library(HALOCLINE_ZSTD_LIBRARY zstd)
mark_as_advanced(HALOCLINE_ZSTD_INCLUDE_DIR HALOCLINE_ZSTD_LIBRARY)

# Only MPI's C interface: its C++ classes were removed from the standard and cost a library more.
if(NOT TARGET halocline_mpi)
    add_library(halocline_mpi INTERFACE IMPORTED GLOBAL)
    target_link_libraries(halocline_mpi INTERFACE MPI::MPI_C)
    target_compile_definitions(halocline_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
endif()

if(NOT TARGET halocline_hdf5)
    add_library(halocline_hdf5 INTERFACE IMPORTED GLOBAL)
    pkg_check_modules(HALOCLINE_HDF5 QUIET IMPORTED_TARGET GLOBAL "hdf5-${HALOCLINE_MPI}")
    if(HALOCLINE_HDF5_FOUND)
        target_link_libraries(halocline_hdf5 INTERFACE PkgConfig::HALOCLINE_HDF5 halocline_mpi)
    else()
        set(HDF5_PREFER_PARALLEL ON)
        find_package(HDF5 REQUIRED COMPONENTS C)
        if(NOT HDF5_IS_PARALLEL)
            message(FATAL_ERROR "The HDF5 library found is not parallel (halocline reads and writes "
                                "one file from all ranks). Install libhdf5-openmpi-dev or set HDF5_ROOT.")
        endif()
        target_link_libraries(halocline_hdf5 INTERFACE ${HDF5_C_LIBRARIES} halocline_mpi)
        target_include_directories(halocline_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
    endif()
endif()

# Without PT-Scotch the target stays, empty, so that layers link it unconditionally and ask the macro.
if(NOT TARGET halocline_ptscotch)
    add_library(halocline_ptscotch INTERFACE IMPORTED GLOBAL)
    if(HALOCLINE_WITH_PTSCOTCH)
        find_path(PTSCOTCH_INCLUDE_DIR NAMES ptscotch.h PATH_SUFFIXES scotch)
        foreach(part ptscotch scotch ptscotcherr)
            find_library(PTSCOTCH_${part}_LIBRARY NAMES ${part})
            if(NOT PTSCOTCH_${part}_LIBRARY OR NOT PTSCOTCH_INCLUDE_DIR)
                message(FATAL_ERROR "PT-Scotch was not found (lib${part} or ptscotch.h is missing). "
                                    "Install libptscotch-dev or set -DHALOCLINE_WITH_PTSCOTCH=OFF.")
            endif()
            mark_as_advanced(PTSCOTCH_${part}_LIBRARY)
        endforeach()
        target_include_directories(halocline_ptscotch SYSTEM INTERFACE "${PTSCOTCH_INCLUDE_DIR}")
        target_link_libraries(halocline_ptscotch INTERFACE "${PTSCOTCH_ptscotch_LIBRARY}"
            "${PTSCOTCH_scotch_LIBRARY}" "${PTSCOTCH_ptscotcherr_LIBRARY}" halocline_mpi)
        target_compile_definitions(halocline_ptscotch INTERFACE HALOCLINE_HAS_PTSCOTCH=1)
    else()
        target_compile_definitions(halocline_ptscotch INTERFACE HALOCLINE_HAS_PTSCOTCH=0)
    endif()
endif()

# ParMETIS's interface: ParMETIS itself where it is installed, else PT-Scotch's library of the same
# names. Both call their header parmetis.h; only the genuine one defines a version.
if(NOT TARGET halocline_parmetis)
    add_library(halocline_parmetis INTERFACE IMPORTED GLOBAL)
    set(halocline_parmetis_kind NONE)
    if(HALOCLINE_WITH_PARMETIS)
        find_path(PARMETIS_INCLUDE_DIR NAMES parmetis.h PATH_SUFFIXES parmetis)
        mark_as_advanced(PARMETIS_INCLUDE_DIR)
        set(halocline_parmetis_version "")
        if(PARMETIS_INCLUDE_DIR)
            file(STRINGS "${PARMETIS_INCLUDE_DIR}/parmetis.h" halocline_parmetis_version
                 REGEX "define[ \t]+PARMETIS_MAJOR_VERSION")
        endif()
        if(halocline_parmetis_version)
            find_library(PARMETIS_LIBRARY NAMES parmetis)
            find_library(PARMETIS_METIS_LIBRARY NAMES metis)
            mark_as_advanced(PARMETIS_LIBRARY PARMETIS_METIS_LIBRARY)
            if(PARMETIS_LIBRARY AND PARMETIS_METIS_LIBRARY)
                set(halocline_parmetis_kind GENUINE)
                target_link_libraries(halocline_parmetis INTERFACE "${PARMETIS_LIBRARY}"
                    "${PARMETIS_METIS_LIBRARY}" halocline_mpi)
            endif()
        elseif(PARMETIS_INCLUDE_DIR AND HALOCLINE_WITH_PTSCOTCH)
            find_library(PTSCOTCH_parmetis_LIBRARY NAMES ptscotchparmetisv3 ptscotchparmetis)
            mark_as_advanced(PTSCOTCH_parmetis_LIBRARY)
            if(PTSCOTCH_parmetis_LIBRARY)
                set(halocline_parmetis_kind COMPATIBLE)
                target_link_libraries(halocline_parmetis INTERFACE "${PTSCOTCH_parmetis_LIBRARY}"
                                      halocline_ptscotch)
            endif()
        endif()
    endif()
    if(NOT halocline_parmetis_kind STREQUAL NONE)
        target_include_directories(halocline_parmetis SYSTEM INTERFACE "${PARMETIS_INCLUDE_DIR}")
        target_compile_definitions(halocline_parmetis INTERFACE
            HALOCLINE_PARMETIS_${halocline_parmetis_kind}=1)
    endif()
endif()

if(NOT TARGET halocline_metis)
    add_library(halocline_metis INTERFACE IMPORTED GLOBAL)
    if(HALOCLINE_WITH_METIS)
        find_path(METIS_INCLUDE_DIR NAMES metis.h)
        find_library(METIS_LIBRARY NAMES metis)
        mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)
    endif()
    if(HALOCLINE_WITH_METIS AND METIS_INCLUDE_DIR AND METIS_LIBRARY)
        target_include_directories(halocline_metis SYSTEM INTERFACE "${METIS_INCLUDE_DIR}")
        target_link_libraries(halocline_metis INTERFACE "${METIS_LIBRARY}")
        target_compile_definitions(halocline_metis INTERFACE HALOCLINE_HAS_METIS=1)
    endif()
endif()

if(NOT TARGET halocline_hwloc)
    pkg_check_modules(HALOCLINE_HWLOC REQUIRED QUIET IMPORTED_TARGET GLOBAL hwloc)
    add_library(halocline_hwloc INTERFACE IMPORTED GLOBAL)
    target_link_libraries(halocline_hwloc INTERFACE PkgConfig::HALOCLINE_HWLOC)
endif()

# Static: a machine with a driver needs no toolkit to run our programs.
if(HALOCLINE_CUDA)
    find_package(CUDAToolkit REQUIRED)
endif()
