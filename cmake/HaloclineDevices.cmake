# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Loops of any program on devices. Installed: users call these functions, as this project does.
#
# A source file is compiled twice: as it is, and once more as its device image, by nvcc where halocline
# has CUDA, else by the C++ compiler for the emulated device. In an image every place that runs loops
# lists their device form instead, so that nothing is written or named twice. What else the file defines
# is in the image, too, and must neither be found by anyone nor act: close_device_image.sh makes one object
# of a target's images, whose only act is to add the forms before main begins.

set(HALOCLINE_CLOSE_DEVICE_IMAGE "${CMAKE_CURRENT_LIST_DIR}/close_device_image.sh" CACHE INTERNAL "")
set(HALOCLINE_DEVICES "auto" CACHE STRING
    "Devices that programs are compiled for: auto (CUDA where halocline has it, else emulated), emulated or none")
set_property(CACHE HALOCLINE_DEVICES PROPERTY STRINGS auto emulated none)

# halocline_add_program(name file...)
#
# A program of these source files that runs its loops on cores and on devices.
function(halocline_add_program name)
    if(NOT ARGN)
        message(FATAL_ERROR "halocline_add_program(${name}) names no source file. "
                            "Name the program's files after its name.")
    endif()
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE halocline::halocline)
    halocline_compile_for_devices(${name})
endfunction()

# halocline_compile_for_devices(target [SOURCES file...])
#
# Gives the loops in the C++ files of a program or library of this folder (or in those named) their
# device forms. Call it after everything else was said about the target. Kernels must be device functions
# (HALOCLINE_HD) with a name of their own: no lambdas.
function(halocline_compile_for_devices target)
    cmake_parse_arguments(PARSE_ARGV 1 DEVICE "" "" "SOURCES")
    if(DEVICE_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "halocline_compile_for_devices(${target}): '${DEVICE_UNPARSED_ARGUMENTS}' is "
                            "not understood. Name files after SOURCES.")
    endif()
    if(HALOCLINE_DEVICES STREQUAL "none")
        return()
    elseif(NOT HALOCLINE_DEVICES MATCHES "^(auto|emulated)$")
        message(FATAL_ERROR "HALOCLINE_DEVICES is '${HALOCLINE_DEVICES}'. It takes auto, emulated or none.")
    endif()
    if(NOT DEVICE_SOURCES)
        get_target_property(DEVICE_SOURCES ${target} SOURCES)
    endif()
    list(FILTER DEVICE_SOURCES INCLUDE REGEX "\\.(cpp|cc|cxx|C)$")
    halocline_find_image_tools()
    set(by_nvcc FALSE)
    set(suffix cpp)
    if(HALOCLINE_CUDA AND HALOCLINE_DEVICES STREQUAL "auto")
        set(by_nvcc TRUE)
        set(suffix cu)
    endif()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.devices")
    set(images)
    set(anchors)
    foreach(source IN LISTS DEVICE_SOURCES)
        get_filename_component(path "${source}" ABSOLUTE)
        # By its place in the project: several targets may have the file.
        file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${path}")
        string(MAKE_C_IDENTIFIER "${name}" file)
        string(SHA1 digest "${name}")  # a/b.cpp and a_b.cpp would be one
        string(SUBSTRING ${digest} 0 8 digest)
        string(APPEND file "_${digest}")
        set(anchor "halocline_image_of_${file}")
        list(APPEND anchors ${anchor})
        get_property(definitions SOURCE "${source}" PROPERTY COMPILE_DEFINITIONS)
        if(NOT "HALOCLINE_IMAGE=${anchor}" IN_LIST definitions)
            set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_DEFINITIONS
                         "HALOCLINE_SOURCE=\"${name}\"" "HALOCLINE_IMAGE=${anchor}")
        endif()
        set(image "${folder}/${file}.${suffix}")
        file(CONFIGURE OUTPUT "${image}" @ONLY CONTENT
"// Generated: the device image of a source file, see HaloclineDevices.cmake.
#define HALOCLINE_DEVICE_IMAGE 1
#define HALOCLINE_SOURCE \"@name@\"
#include \"@path@\"
")
        list(APPEND images "${image}")
    endforeach()
    if(NOT images)
        message(FATAL_ERROR "halocline_compile_for_devices(${target}) finds no C++ file (.cpp, .cc, .cxx) "
                            "in the target. Name files after SOURCES.")
    endif()
    halocline_compile_images(${target} ${by_nvcc} ${images})
    halocline_link_images(${target} ${anchors})
endfunction()

function(halocline_find_image_tools)
    if(NOT CMAKE_LINKER OR NOT CMAKE_OBJCOPY OR NOT CMAKE_NM)
        message(FATAL_ERROR "Device images need ld, objcopy and nm of GNU binutils (CMAKE_LINKER, "
                            "CMAKE_OBJCOPY, CMAKE_NM). Install binutils, or set HALOCLINE_DEVICES=none.")
    endif()
endfunction()

function(halocline_compile_images target by_nvcc)
    set(image ${target}_device_image)
    add_library(${image} OBJECT ${ARGN})
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS)
        set_property(TARGET ${image} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
    endforeach()
    # Each by itself: the macros of an image tell which source file it is of.
    set_target_properties(${image} PROPERTIES UNITY_BUILD OFF
        POSITION_INDEPENDENT_CODE "$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>"
        CXX_STANDARD 20 CUDA_STANDARD 20 CXX_EXTENSIONS OFF)
    target_link_libraries(${image} PRIVATE "$<TARGET_PROPERTY:${target},LINK_LIBRARIES>")
    if(NOT by_nvcc)
        # What an image leaves out, its source file uses: no warnings for that. The emulated device shows
        # what a GPU would do, not how fast: -O1 gives the same bits in two thirds of the time.
        target_compile_options(${image} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>" -w
                               -fno-gnu-unique "$<$<CONFIG:Release>:-O1>")
        return()
    endif()
    # Host code of an image works on the program's objects: it is compiled for the same machine.
    get_target_property(flags halocline::compile_options HALOCLINE_HOST_FLAGS)
    list(TRANSFORM flags PREPEND "-Xcompiler=")
    target_compile_options(${image} PRIVATE ${flags} -Xcompiler=-fopenmp -Xcompiler=-fno-gnu-unique
                           -Xcompiler=-w -diag-suppress=177,550)
endfunction()

# halocline_link_images(target anchor...)
function(halocline_link_images target)
    list(JOIN ARGN " " anchors)
    set(image ${target}_device_image)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.devices/image.o")
    add_custom_command(OUTPUT "${object}" VERBATIM COMMAND_EXPAND_LISTS
        COMMENT "Closing the device image of ${target}"
        DEPENDS ${image} "$<TARGET_OBJECTS:${image}>" "${HALOCLINE_CLOSE_DEVICE_IMAGE}"
        COMMAND "${CMAKE_COMMAND}" -E env "NM=${CMAKE_NM}" "OBJCOPY=${CMAKE_OBJCOPY}" "LD=${CMAKE_LINKER}"
                "CXX=${CMAKE_CXX_COMPILER}" "${HALOCLINE_CLOSE_DEVICE_IMAGE}" "${anchors}" "${object}"
                "$<TARGET_OBJECTS:${image}>")
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE "${object}")
endfunction()
