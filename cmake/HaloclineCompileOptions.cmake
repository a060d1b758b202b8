# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Two interface targets: `halocline_compile_options` (public, part of the promise about numbers and
# therefore exported) and `halocline_warnings` (ours alone).

# -ffp-contract=off    a fused multiply-add rounds once instead of twice, and the compiler fuses as it
#                      likes per loop shape: results would depend on backend and vector width.
# -fno-math-errno      sqrt stays one instruction; with errno no lane loop vectorises.
# -fno-trapping-math   lets selects become masks; values are unchanged.
set(HALOCLINE_NUMERIC_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math)

# The same for nvcc, in this project and in programs that use it:
# -fmad=false    contraction is off on the host as well: kernels say multiply_add where they mean it.
# -Werror=cross-execution-space-call    a kernel that is no device function would become an empty one.
set(HALOCLINE_CUDA_FLAGS -fmad=false --expt-relaxed-constexpr -Xcompiler=-ffp-contract=off
                         -Werror=cross-execution-space-call)

set(HALOCLINE_ARCH_FLAGS "-march=${HALOCLINE_ARCH}")
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS "-march=${HALOCLINE_ARCH}")
check_cxx_source_compiles("int main() { return 0; }" HALOCLINE_ARCH_ACCEPTED_${HALOCLINE_ARCH})
check_cxx_source_compiles("
#ifndef __AVX512F__
#error no AVX-512
#endif
int main() { return 0; }" HALOCLINE_HAS_AVX512_${HALOCLINE_ARCH})
unset(CMAKE_REQUIRED_FLAGS)
if(NOT HALOCLINE_ARCH_ACCEPTED_${HALOCLINE_ARCH})
    message(FATAL_ERROR "The compiler does not accept -march=${HALOCLINE_ARCH}. "
                        "Choose another HALOCLINE_ARCH (native always works).")
endif()
# g++ halves the vectors of AVX-512 machines by default; eight doubles a lane row is our unit.
if(HALOCLINE_HAS_AVX512_${HALOCLINE_ARCH})
    list(APPEND HALOCLINE_ARCH_FLAGS -mprefer-vector-width=512)
endif()

# g++ looks for garbage each time its memory has doubled from 130 MB on. From 400 MB on it takes 5 % less
# time and up to 1.2 GB in place of 0.7.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-expand=200 --param ggc-min-heapsize=400000>")
endif()

# For code that no loop over a mesh is in.
set(HALOCLINE_QUICK_FLAGS "$<$<CONFIG:Release>:-O1>")

add_library(halocline_compile_options INTERFACE)
add_library(halocline::compile_options ALIAS halocline_compile_options)
set_target_properties(halocline_compile_options PROPERTIES EXPORT_NAME compile_options)
target_compile_features(halocline_compile_options INTERFACE cxx_std_20)
# The architecture is public as well: pack types of the headers must have one width in one program.
target_compile_options(halocline_compile_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${HALOCLINE_NUMERIC_FLAGS};${HALOCLINE_ARCH_FLAGS}>"
    "$<$<COMPILE_LANGUAGE:CUDA>:${HALOCLINE_CUDA_FLAGS}>")
# For compilers that pass them on to the C++ compiler.
set_target_properties(halocline_compile_options PROPERTIES
    HALOCLINE_HOST_FLAGS "${HALOCLINE_NUMERIC_FLAGS};${HALOCLINE_ARCH_FLAGS}"
    EXPORT_PROPERTIES HALOCLINE_HOST_FLAGS)
if(HALOCLINE_CUDA)
    target_compile_definitions(halocline_compile_options INTERFACE HALOCLINE_HAS_CUDA=1)
endif()

add_library(halocline_warnings INTERFACE)
target_compile_options(halocline_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;\
-Wshadow;-Wconversion;-Wno-sign-conversion;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wcast-align;\
-Wdouble-promotion;-Wextra-semi>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # -Wno-psabi: notes on passing vectors say nothing about our code.
    target_compile_options(halocline_warnings INTERFACE
        "$<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi;-Wduplicated-cond;-Wlogical-op>")
endif()
if(HALOCLINE_WARNINGS_AS_ERRORS OR CMAKE_BUILD_TYPE STREQUAL "Developer")
    target_compile_options(halocline_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()

if(HALOCLINE_SANITIZE)
    list(JOIN HALOCLINE_SANITIZE "," sanitizers)
    add_compile_options(-fsanitize=${sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${sanitizers})
endif()
if(HALOCLINE_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
