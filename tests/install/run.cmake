# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The steps of the test, each of which ends the test when it fails.
cmake_minimum_required(VERSION 3.24)

function(run_or_stop step)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    message(STATUS "${step}: status ${status}")
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${step} failed:\n${output}")
    endif()
    set(step_output "${output}" PARENT_SCOPE)
endfunction()

set(first_prefix "${WORK_DIR}/first-prefix")
set(prefix "${WORK_DIR}/prefix")
set(user_build "${WORK_DIR}/user-build")
file(REMOVE_RECURSE "${first_prefix}" "${prefix}" "${user_build}" "${WORK_DIR}/typed-build"
     "${WORK_DIR}/level-build")

run_or_stop("install" "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${first_prefix}" --config "${CONFIG}")
# Moved after installation: a package that remembers where it was put first is broken.
file(RENAME "${first_prefix}" "${prefix}")

# configure_user(step folder expected_type [option...]): the project as a user configures it.
function(configure_user step folder expected_type)
    run_or_stop("${step}" "${CMAKE_COMMAND}" -S "${USER_PROJECT}" -B "${folder}" -G "${GENERATOR}"
        "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
        "-DEXAMPLE_DIR=${EXAMPLE_DIR}" "-DEXPECTED_PREFIX=${prefix}" ${ARGN})
    load_cache("${folder}" READ_WITH_PREFIX user_ CMAKE_BUILD_TYPE)
    if(NOT "${user_CMAKE_BUILD_TYPE}" STREQUAL "${expected_type}")
        message(FATAL_ERROR "${step}: the build type is '${user_CMAKE_BUILD_TYPE}', not '${expected_type}'")
    endif()
endfunction()

# A snippet that names no build type must not build loops without optimisation.
configure_user("configure" "${user_build}" "Release" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
configure_user("configure with a type" "${WORK_DIR}/typed-build" "Debug" "-DCMAKE_BUILD_TYPE=Debug")
configure_user("configure with a level" "${WORK_DIR}/level-build" "" "-DCMAKE_CXX_FLAGS=-O2")
run_or_stop("build" "${CMAKE_COMMAND}" --build "${user_build}")
run_or_stop("run version" "${user_build}/print_version")
if(NOT step_output MATCHES "halocline ${EXPECTED_VERSION}")
    message(FATAL_ERROR "the program reports '${step_output}', expected version ${EXPECTED_VERSION}")
endif()
if(EXISTS "${user_build}/user_program")
    run_or_stop("run example" "${user_build}/user_program")
    message(STATUS "${step_output}")
    set(on_cores "${step_output}")
    # What halocline_add_program adds: the same on a device, and no loop that runs on the host.
    run_or_stop("run example on a device" "${CMAKE_COMMAND}" -E env HALOCLINE_BACKEND=emulated
                "${user_build}/user_program")
    if(NOT step_output STREQUAL on_cores)
        message(FATAL_ERROR "on the emulated device the program says '${step_output}', not '${on_cores}'")
    endif()
endif()
