# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The CUDA language, where it is wanted: nvcc compiles the *.cu files, g++ all else.

if(NOT HALOCLINE_CUDA)
    return()
endif()

# The compilers of CUDA 13: Ampere, Hopper and later ones through PTX. Before the first target.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "GPU architectures to compile for")
endif()
# CMake 3.25 does not know that nvcc 12 and later speak C++20.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(HALOCLINE_NVCC nvcc HINTS /usr/local/cuda/bin)
    if(NOT HALOCLINE_NVCC)
        message(FATAL_ERROR "HALOCLINE_CUDA=ON needs nvcc, which is neither on the PATH nor in "
                            "/usr/local/cuda/bin. Install the CUDA toolkit or set CUDACXX.")
    endif()
    set(CMAKE_CUDA_COMPILER "${HALOCLINE_NVCC}")
endif()
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
