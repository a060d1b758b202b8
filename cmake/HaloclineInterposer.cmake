# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# halocline_add_interposer: a preloaded library around every function of MPI, with wrappers made from
# the table of prototypes and the rules of a tool. Include HaloclineMpiFamilies first.
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)

# halocline_make_wrappers(tool FAMILY family RULES file.toml FOLDER folder)
#
# Target halocline_<tool>_<family>_generated, which makes functions.hpp and wrappers.cpp in the folder.
function(halocline_make_wrappers tool)
    cmake_parse_arguments(PARSE_ARGV 1 MADE "" "FAMILY;RULES;FOLDER" "")
    set(target halocline_${tool}_${MADE_FAMILY}_generated)
    if(TARGET ${target})
        return()
    endif()
    set(table "${PROJECT_SOURCE_DIR}/tools/mpi_table")
    set(folder "${MADE_FOLDER}")
    get_target_property(includes halocline_mpi_headers_${MADE_FAMILY} INTERFACE_INCLUDE_DIRECTORIES)
    list(TRANSFORM includes PREPEND -I)
    # Open MPI hides what MPI 3 removed, but programs of that age still find it in the library.
    file(WRITE "${folder}/declarations.c" "#include <mpi.h>\n")
    add_custom_command(
        OUTPUT "${folder}/functions.hpp" "${folder}/wrappers.cpp"
        COMMAND "${CMAKE_C_COMPILER}" -E -DOMPI_OMIT_MPI1_COMPAT_DECLS=0 ${includes} "${folder}/declarations.c" -o "${folder}/declarations.i"
        COMMAND Python3::Interpreter "${table}/generate.py" --rules "${MADE_RULES}"
                --header "${folder}/declarations.i" --output "${folder}"
        DEPENDS "${table}/generate.py" "${table}/prototypes.py" "${table}/mpi.table" "${MADE_RULES}"
        COMMENT "Making the MPI wrappers of ${tool} for ${MADE_FAMILY}" VERBATIM)
    add_custom_target(${target} DEPENDS "${folder}/functions.hpp" "${folder}/wrappers.cpp")
endfunction()

# halocline_add_interposer(tool FAMILY family RULES file.toml SOURCES file... [SANITIZE name])
#
# Target halocline_<tool>_<family>, file lib/halocline/libhalocline-<tool>-<family>.so below the build and
# the install folder. It needs the C library alone: a process without MPI loads it unharmed.
function(halocline_add_interposer tool)
    cmake_parse_arguments(PARSE_ARGV 1 MADE "" "FAMILY;RULES;SANITIZE" "SOURCES")
    set(target halocline_${tool}_${MADE_FAMILY})
    if(MADE_SANITIZE)
        string(APPEND target _${MADE_SANITIZE})
    endif()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${MADE_FAMILY}")
    halocline_make_wrappers(${tool} FAMILY ${MADE_FAMILY} RULES "${MADE_RULES}" FOLDER "${folder}")

    # Parameters of MPI's prototypes may be named like anything.
    set_source_files_properties("${folder}/wrappers.cpp" PROPERTIES COMPILE_OPTIONS -Wno-shadow)
    set(preload "${PROJECT_SOURCE_DIR}/tools/preload")
    add_library(${target} SHARED ${MADE_SOURCES} "${folder}/wrappers.cpp" "${preload}/mpi_library.cpp")
    add_dependencies(${target} halocline_${tool}_${MADE_FAMILY}_generated)
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${folder}"
                               "${PROJECT_SOURCE_DIR}/tools" "${PROJECT_SOURCE_DIR}/src")
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE OMPI_OMIT_MPI1_COMPAT_DECLS=0
        "HALOCLINE_FAMILY=\"${MADE_FAMILY}\"" "HALOCLINE_TOOL_TITLE=\"halocline ${tool}\""
        "HALOCLINE_VERSION=\"${PROJECT_VERSION}\"")
    # Not the options of the layers: this code runs inside other people's programs, on any processor.
    target_compile_options(${target} PRIVATE -O2 -fvisibility=hidden -fno-exceptions -fno-rtti
        -fno-threadsafe-statics -fasynchronous-unwind-tables -U_FORTIFY_SOURCE -Wno-deprecated-declarations)
    target_link_libraries(${target} PRIVATE halocline_warnings halocline_mpi_headers_${MADE_FAMILY}
                          ${CMAKE_DL_LIBS})
    # The C driver: a dependency on libstdc++ could clash with the one a program brings along.
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/halocline"
        OUTPUT_NAME "halocline-${tool}-${MADE_FAMILY}")
    target_link_options(${target} PRIVATE -static-libgcc -Wl,--no-undefined -Wl,-z,now -Wl,--as-needed
                        "-Wl,--version-script=${preload}/exports.map")
    if(MADE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${MADE_SANITIZE} -fno-omit-frame-pointer -g)
        target_link_options(${target} PRIVATE -fsanitize=${MADE_SANITIZE})
        set_target_properties(${target} PROPERTIES OUTPUT_NAME "halocline-${tool}-${MADE_FAMILY}-${MADE_SANITIZE}"
            HALOCLINE_FOR_TESTS ON)
    else()
        install(TARGETS ${target} LIBRARY DESTINATION "${HALOCLINE_TOOL_LIBRARY_DIR}")
    endif()
endfunction()
