# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The library and the test programs built with ThreadSanitizer and with Address- and
# UndefinedBehaviorSanitizer. MPI itself is not instrumented: reports from its own code are noise.

foreach(family IN LISTS HALOCLINE_MPI_FAMILIES)
    if(NOT HALOCLINE_MPICC_${family} OR NOT HALOCLINE_MPIRUN_${family})
        continue()
    endif()
    foreach(kind thread address)
        set(flags -fsanitize=${kind} -fno-omit-frame-pointer)
        set(runtime tsan)
        if(kind STREQUAL "address")
            set(flags -fsanitize=address,undefined -fno-omit-frame-pointer)
            set(runtime asan)
        endif()
        execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=lib${runtime}.so
                        OUTPUT_VARIABLE first OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(NOT IS_ABSOLUTE "${first}")
            message(STATUS "No lib${runtime}.so: endpoints are not tested under ${kind} sanitizer")
            continue()
        endif()
        file(REAL_PATH "${first}" first)
        set(library halocline_endpoints_${family}_${runtime})
        halocline_add_endpoints_library(${library} ${family})
        set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
        # Half of the compiler's time at -O1; the tests take half a second each.
        target_compile_options(${library} PRIVATE -O0 ${flags})
        target_link_options(${library} PRIVATE ${flags})
        foreach(program conformance differential threads)
            # OpenMP's own barriers are invisible to ThreadSanitizer: threads alone there.
            endpoints_program(endpoints_${program}_${family}_${runtime} ${program}.c ${family}
                              FLAGS ${flags})
        endforeach()
        set(options --first "${first}" --exact
            --set "TSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/tsan.supp:ignore_noninstrumented_modules=1:exitcode=66"
            --set "ASAN_OPTIONS=detect_leaks=0:exitcode=66"
            --set UCX_MEM_EVENTS=no --set UCX_MEM_MMAP_HOOK_MODE=none) # its hooks die under sanitizers
        set(program "${programs}/endpoints_")
        endpoints_test(endpoints.conformance.${family}.${runtime} ${family} ${library} 2
            OPTIONS ${options} COMMAND "${program}conformance_${family}_${runtime}")
        endpoints_test(endpoints.threads.${family}.${runtime} ${family} ${library} 2
            OPTIONS ${options} COMMAND "${program}threads_${family}_${runtime}" 20)
        list(REMOVE_ITEM options --exact)
        endpoints_test(endpoints.differential.${family}.${runtime} ${family} ${library} 2
            OPTIONS ${options} ${low_thresholds}
            COMMAND "${program}differential_${family}_${runtime}" 300 3)
    endforeach()
endforeach()
