# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Functions that make targets: layers, programs, tools and the command names users type.

function(halocline_add_subdirectory_if_present folder)
    if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
        add_subdirectory("${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/${folder}")
    endif()
endfunction()

# halocline_add_layer(name [SOURCES file...] [DEPENDS layer...] [LIBRARIES target...])
#
# One layer, one target `halocline_<name>` (`halocline::<name>`): static with sources, interface
# without. DEPENDS names lower layers, LIBRARIES other targets; both are public. Headers that lie in
# the layer's folder are installed. A layer may consist of parts, each such a target in a folder below.
function(halocline_add_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 LAYER "" "" "SOURCES;DEPENDS;LIBRARIES")
    set(target halocline_${name})
    if(LAYER_SOURCES)
        add_library(${target} STATIC ${LAYER_SOURCES})
        set(scope PUBLIC)
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:halocline_warnings>)
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    add_library(halocline::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
        $<BUILD_INTERFACE:${HALOCLINE_GENERATED_DIR}>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    halocline_check_depends(${name} ${LAYER_DEPENDS})
    list(TRANSFORM LAYER_DEPENDS PREPEND halocline_ OUTPUT_VARIABLE lower_layers)
    target_link_libraries(${target} ${scope} halocline_compile_options ${lower_layers} ${LAYER_LIBRARIES})
    add_dependencies(${target} halocline_build_info)
    set_property(GLOBAL APPEND PROPERTY HALOCLINE_LAYER_TARGETS ${target})
    install(TARGETS ${target} EXPORT halocline_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}")
    install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/"
            DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}"
            FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
endfunction()

# halocline_compile_quickly(file...)
#
# For sources that a run goes through once (command lines, JSON, TOML): what they include takes up to
# four times as long to compile at -O3, and nobody would see the difference.
function(halocline_compile_quickly)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${HALOCLINE_QUICK_FLAGS}")
endfunction()

# A layer that does not exist yet is a reversed order: say so at configuration, not at link time.
function(halocline_check_depends name)
    foreach(layer IN LISTS ARGN)
        if(NOT TARGET halocline_${layer})
            message(FATAL_ERROR "Layer '${name}' depends on '${layer}', which is no lower layer "
                                "(layers only look down, lowest first in CMakeLists.txt).")
        endif()
    endforeach()
endfunction()

# The target users link: everything that is there.
function(halocline_add_umbrella)
    get_property(layers GLOBAL PROPERTY HALOCLINE_LAYER_TARGETS)
    add_library(halocline INTERFACE)
    add_library(halocline::halocline ALIAS halocline)
    target_link_libraries(halocline INTERFACE ${layers})
endfunction()

# halocline_add_command(name SOURCES file... [LIBRARIES target...])   an installed command
function(halocline_add_command name)
    cmake_parse_arguments(PARSE_ARGV 1 PROGRAM "" "" "SOURCES;LIBRARIES")
    add_executable(${name} ${PROGRAM_SOURCES})
    target_link_libraries(${name} PRIVATE ${PROGRAM_LIBRARIES} halocline_warnings)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# halocline_add_example(name SOURCES file... [LIBRARIES target...])   built, not installed
function(halocline_add_example name)
    cmake_parse_arguments(PARSE_ARGV 1 EXAMPLE "" "" "SOURCES;LIBRARIES")
    add_executable(${name} ${EXAMPLE_SOURCES})
    target_link_libraries(${name} PRIVATE halocline::halocline ${EXAMPLE_LIBRARIES} halocline_warnings)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
endfunction()

# halocline_install_aliases(target alias...)
#
# More names for one program, as relative symbolic links beside it, in the build and installed.
function(halocline_install_aliases target)
    foreach(alias IN LISTS ARGN)
        add_custom_command(TARGET ${target} POST_BUILD VERBATIM
            COMMAND "${CMAKE_COMMAND}" -E create_symlink "$<TARGET_FILE_NAME:${target}>"
                    "$<TARGET_FILE_DIR:${target}>/${alias}")
        install(FILES "$<TARGET_FILE_DIR:${target}>/${alias}" DESTINATION ${CMAKE_INSTALL_BINDIR})
    endforeach()
endfunction()
