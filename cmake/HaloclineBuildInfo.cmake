# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Keeps generated/halocline/core/build_info.hpp true at every build, so that a run record can say
# which code made it. Rewritten only when something changed: an unchanged tree recompiles nothing.

string(TOUPPER "${CMAKE_BUILD_TYPE}" halocline_build_type_upper)
list(JOIN HALOCLINE_NUMERIC_FLAGS " " halocline_numeric_flags_text)
list(JOIN HALOCLINE_ARCH_FLAGS " " halocline_arch_flags_text)
string(CONCAT HALOCLINE_FLAGS_TEXT "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${halocline_build_type_upper}} "
       "${halocline_numeric_flags_text} ${halocline_arch_flags_text}")
string(STRIP "${HALOCLINE_FLAGS_TEXT}" HALOCLINE_FLAGS_TEXT)
set(HALOCLINE_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")

set(halocline_build_info_command "${CMAKE_COMMAND}"
    "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}"
    "-DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/build_info.hpp.in"
    "-DOUTPUT=${HALOCLINE_GENERATED_DIR}/halocline/core/build_info.hpp"
    "-DHALOCLINE_VERSION=${PROJECT_VERSION}"
    "-DHALOCLINE_ARCH=${HALOCLINE_ARCH}"
    "-DHALOCLINE_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    "-DHALOCLINE_FLAGS=${HALOCLINE_FLAGS_TEXT}"
    "-DHALOCLINE_BUILD_TYPE=${CMAKE_BUILD_TYPE}"
    "-DHALOCLINE_MPI=${HALOCLINE_MPI}"
    -P "${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake")
execute_process(COMMAND ${halocline_build_info_command} COMMAND_ERROR_IS_FATAL ANY)
add_custom_target(halocline_build_info COMMAND ${halocline_build_info_command} VERBATIM
                  COMMENT "Recording what this build is"
                  BYPRODUCTS "${HALOCLINE_GENERATED_DIR}/halocline/core/build_info.hpp")
