# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# halocline_add_test: a GoogleTest binary as one test, or as one test per number of MPI ranks.

set(HALOCLINE_TEST_ENVIRONMENT OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
    OMPI_MCA_mpi_yield_when_idle=1 OMP_WAIT_POLICY=passive)  # who waits must not keep a core
# Open MPI looks for a network through UCX first, 0.2 s of every start, and takes ob1 where there is none.
if(NOT EXISTS /sys/class/infiniband)
    list(APPEND HALOCLINE_TEST_ENVIRONMENT OMPI_MCA_pml=ob1)
endif()

# Python of the tests: the project's environment where there is one, so that tests may use its packages.
if(BUILD_TESTING)
    if(NOT Python3_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python3")
        set(Python3_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python3")
    endif()
    find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
endif()

# Launcher and its options, for tests and for tests that launch programs themselves.
set(HALOCLINE_MPIRUN "${MPIEXEC_EXECUTABLE}" CACHE INTERNAL "Launcher of the tests")
execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE halocline_mpiexec_version
                ERROR_VARIABLE halocline_mpiexec_version OUTPUT_STRIP_TRAILING_WHITESPACE)
if(halocline_mpiexec_version MATCHES "Open MPI|OpenRTE|PRTE")
    set(halocline_mpirun_flags --oversubscribe --allow-run-as-root --bind-to none)
    # A sanitizer's library must be the first, so its ranks wait as Open MPI does.
    if(BUILD_TESTING AND NOT HALOCLINE_SANITIZE)
        list(APPEND halocline_mpirun_flags -x "LD_PRELOAD=${PROJECT_BINARY_DIR}/tests/bin/libhalocline_test_short_naps.so")
    endif()
else()
    set(halocline_mpirun_flags "")
endif()
set(HALOCLINE_MPIRUN_FLAGS "${halocline_mpirun_flags}" CACHE INTERNAL "Options of the launcher")

# A hung test must not hang the suite, and a test on a busy machine is not a hung one.
set(HALOCLINE_TEST_LIMIT_S 600)

# halocline_add_test(name SOURCES file... [LIBRARIES target...] [RANKS n...] [LABELS label...]
#                    [ENVIRONMENT VAR=value...] [THREADS n])
#
# Without RANKS: ctest `name`, GoogleTest's own main. With RANKS: ctest `name.np<n>` for each n under
# mpirun, and a main that initialises MPI and makes all ranks agree on failure. Sources may include
# "support/...". Test data: the macro HALOCLINE_TEST_DATA_DIR is the absolute path of data/.
function(halocline_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 TEST "" "THREADS" "SOURCES;LIBRARIES;RANKS;LABELS;ENVIRONMENT")
    add_executable(${name} ${TEST_SOURCES})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
    target_compile_definitions(${name} PRIVATE HALOCLINE_TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/data")
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    if(NOT TEST_THREADS)
        set(TEST_THREADS 1)
    endif()
    if(TEST_RANKS)
        target_link_libraries(${name} PRIVATE halocline_test_mpi_main)
    else()
        target_link_libraries(${name} PRIVATE GTest::gtest_main)
    endif()
    target_link_libraries(${name} PRIVATE ${TEST_LIBRARIES} GTest::gtest GTest::gmock halocline_warnings)
    if(NOT TEST_RANKS)
        add_test(NAME ${name} COMMAND ${name})
        halocline_set_test_properties(${name} 1)
        return()
    endif()
    list(APPEND TEST_LABELS mpi)
    if(HALOCLINE_SANITIZE)
        list(APPEND TEST_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0) # the leaks are the MPI library's
    endif()
    foreach(ranks IN LISTS TEST_RANKS)
        add_test(NAME ${name}.np${ranks}
                 COMMAND ${HALOCLINE_MPIRUN} -n ${ranks} ${HALOCLINE_MPIRUN_FLAGS} $<TARGET_FILE:${name}>)
        halocline_set_test_properties(${name}.np${ranks} ${ranks})
    endforeach()
endfunction()

# Reads TEST_* of its caller.
function(halocline_set_test_properties test ranks)
    # Ranks and threads give way while they wait; were all counted, a test of many would wait until nothing
    # else is left, and then run alone on half of the cores.
    math(EXPR processors "${ranks} * ${TEST_THREADS}")
    if(processors GREATER 2)
        set(processors 2)
    endif()
    set_tests_properties(${test} PROPERTIES TIMEOUT ${HALOCLINE_TEST_LIMIT_S} PROCESSORS ${processors}
        LABELS "${TEST_LABELS}"
        ENVIRONMENT "${HALOCLINE_TEST_ENVIRONMENT};OMP_NUM_THREADS=${TEST_THREADS};${TEST_ENVIRONMENT}")
endfunction()

# A test on a GPU: `ctest -L gpu` runs these alone, `make test-gpu` builds what they need. Where there is no
# GPU the program says so, and ctest shows the test as skipped.
function(halocline_set_gpu_test_properties test)
    if(NOT TEST ${test})
        return()
    endif()
    set_tests_properties(${test} PROPERTIES TIMEOUT ${HALOCLINE_TEST_LIMIT_S} PROCESSORS 2 LABELS gpu
        SKIP_REGULAR_EXPRESSION "no GPU " RESOURCE_LOCK gpu)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${HALOCLINE_TEST_ENVIRONMENT})
endfunction()

# halocline_add_fuzz_target(name SOURCES file... CORPUS folder [LIBRARIES target...])
#
# SOURCES define LLVMFuzzerTestOneInput. With HALOCLINE_FUZZ (preset `fuzz`) the program is a fuzzer:
# `build-fuzz/tests/bin/<name> -max_total_time=60 <new-inputs> <corpus>`. In every other build it
# replays the corpus, so what fuzzing once found stays found; that replay is the ctest `name`.
function(halocline_add_fuzz_target name)
    cmake_parse_arguments(PARSE_ARGV 1 FUZZ "" "CORPUS" "SOURCES;LIBRARIES")
    add_executable(${name} ${FUZZ_SOURCES})
    target_link_libraries(${name} PRIVATE ${FUZZ_LIBRARIES} halocline_warnings)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    file(REAL_PATH "${FUZZ_CORPUS}" corpus BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    if(HALOCLINE_FUZZ)
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
        add_test(NAME ${name} COMMAND ${name} -runs=0 "${corpus}")
    else()
        target_link_libraries(${name} PRIVATE halocline_test_fuzz_replay)
        add_test(NAME ${name} COMMAND ${name} "${corpus}")
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${HALOCLINE_TEST_LIMIT_S} LABELS fuzz
                         ENVIRONMENT "${HALOCLINE_TEST_ENVIRONMENT};OMP_NUM_THREADS=1")
endfunction()
