# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Script mode (cmake -P): fills build_info.hpp.in; configure_file leaves an equal file untouched.

set(HALOCLINE_GIT_DESCRIBE "")
find_program(GIT_PROGRAM git)
if(GIT_PROGRAM)
    execute_process(COMMAND "${GIT_PROGRAM}" describe --always --dirty --tags
                    WORKING_DIRECTORY "${SOURCE_DIR}"
                    OUTPUT_VARIABLE HALOCLINE_GIT_DESCRIBE OUTPUT_STRIP_TRAILING_WHITESPACE
                    ERROR_QUIET)
endif()
if(NOT HALOCLINE_GIT_DESCRIBE)
    set(HALOCLINE_GIT_DESCRIBE "unknown") # a release tarball has no history
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
