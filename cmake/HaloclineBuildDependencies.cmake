# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# What only our own programs, tests and benchmarks use: CLI11, GoogleTest, google-benchmark.

# Debian's CLI11 2.1 ships headers and a .pc file but no CMake package.
find_package(CLI11 QUIET CONFIG)
if(NOT TARGET CLI11::CLI11)
    find_path(CLI11_INCLUDE_DIR NAMES CLI/CLI.hpp REQUIRED)
    mark_as_advanced(CLI11_INCLUDE_DIR)
    add_library(CLI11::CLI11 INTERFACE IMPORTED GLOBAL)
    target_include_directories(CLI11::CLI11 INTERFACE "${CLI11_INCLUDE_DIR}")
endif()

if(BUILD_TESTING)
    find_package(GTest REQUIRED)
endif()
find_package(benchmark QUIET)
