# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Every option of the build, with its allowed values, and the build types.

# Any name the compiler knows (HaloclineCompileOptions.cmake asks it); these are offered.
set(HALOCLINE_ARCH native CACHE STRING "Instruction set of the CPU code (-march)")
set_property(CACHE HALOCLINE_ARCH PROPERTY STRINGS native x86-64-v2 x86-64-v3 x86-64-v4)
set(HALOCLINE_MPI openmpi CACHE STRING "MPI library: openmpi, mpich or default (mpicc of the PATH)")
set_property(CACHE HALOCLINE_MPI PROPERTY STRINGS openmpi mpich default)
set(HALOCLINE_SANITIZE "" CACHE STRING "Sanitizers: empty, 'address;undefined' or 'thread'")
option(HALOCLINE_CUDA "Use GPUs through the CUDA toolkit" OFF)
option(HALOCLINE_FUZZ "Build the fuzz targets (clang with libFuzzer only)" OFF)
option(HALOCLINE_CCACHE "Compile through ccache where it is installed" ON)
option(HALOCLINE_WARNINGS_AS_ERRORS "Stop at the first compiler warning" OFF)

# PT-Scotch speaks to one MPI library, the one it was built with; Debian builds it with the default
# MPI (Open MPI), so an MPICH build goes without unless the user points to a matching PT-Scotch.
if(HALOCLINE_MPI STREQUAL "mpich")
    set(halocline_ptscotch_default OFF)
else()
    set(halocline_ptscotch_default ON)
endif()
option(HALOCLINE_WITH_PTSCOTCH "Offer the PT-Scotch partitioner" ${halocline_ptscotch_default})
option(HALOCLINE_WITH_PARMETIS "Call ParMETIS, or PT-Scotch's library of its names, where found" ON)
option(HALOCLINE_WITH_METIS "Offer the METIS partitioner where it is found" ON)

function(halocline_check_choice variable)
    get_property(choices CACHE ${variable} PROPERTY STRINGS)
    if(NOT "${${variable}}" IN_LIST choices)
        list(JOIN choices ", " readable)
        message(FATAL_ERROR "${variable}=${${variable}} is not known (it names a fixed set of "
                            "choices). Use one of: ${readable}.")
    endif()
endfunction()
halocline_check_choice(HALOCLINE_MPI)

if(HALOCLINE_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HALOCLINE_FUZZ=ON needs clang (libFuzzer is part of it). "
                        "Configure with -DCMAKE_CXX_COMPILER=clang++.")
endif()

# Developer: optimised enough to run the tests, every check on, warnings are errors.
set(CMAKE_CXX_FLAGS_DEVELOPER "-O2 -g -D_GLIBCXX_ASSERTIONS -DHALOCLINE_DEBUG=1")
set(CMAKE_C_FLAGS_DEVELOPER "-O2 -g")
set(CMAKE_EXE_LINKER_FLAGS_DEVELOPER "")
set(CMAKE_SHARED_LINKER_FLAGS_DEVELOPER "")
set(CMAKE_MAP_IMPORTED_CONFIG_DEVELOPER "Release;RelWithDebInfo;None;")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Developer, RelWithDebInfo or Debug" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
find_program(ENV_PROGRAM env)
mark_as_advanced(ENV_PROGRAM)
if(HALOCLINE_CCACHE AND CCACHE_PROGRAM AND ENV_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # It learns from the compiler what a source includes: running the preprocessor first, as it does else,
    # makes a first build 7 % longer.
    set(CMAKE_C_COMPILER_LAUNCHER "${ENV_PROGRAM}" CCACHE_DEPEND=1 "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
