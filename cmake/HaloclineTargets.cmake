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
# the layer's folder are installed.
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
    install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/"
            DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/halocline/${name}"
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

# halocline_targets_below(folder variable): all targets of a source folder and the folders below that
# have something to build, but for those of tests.
function(halocline_targets_below folder variable)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    set(found "")
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        get_target_property(for_tests ${target} HALOCLINE_FOR_TESTS)
        if(NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT for_tests)
            list(APPEND found ${target})
        endif()
    endforeach()
    foreach(subfolder IN LISTS below)
        halocline_targets_below("${subfolder}" more)
        list(APPEND found ${more})
    endforeach()
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# `cmake --build . --target installed`: library, programs and tools, without examples, benchmarks and tests.
function(halocline_add_installed_target)
    add_custom_target(installed)
    get_property(folders DIRECTORY "${PROJECT_SOURCE_DIR}" PROPERTY SUBDIRECTORIES)
    list(FILTER folders INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/(src|apps|tools)(/|$)")
    foreach(folder IN LISTS folders)
        halocline_targets_below("${folder}" targets)
        if(targets)
            add_dependencies(installed ${targets})
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
