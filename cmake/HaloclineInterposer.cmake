# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Preloaded libraries around MPI: one for each MPI library on the machine (their ABIs differ), made
# from the table of prototypes, linked with neither.

# Sets HALOCLINE_MPI_FAMILIES (of openmpi, mpich) and for each HALOCLINE_<family>_{MPICC,MPIFORT,MPIRUN,INCLUDES,LIBRARIES}.
function(halocline_find_mpi_families)
    set(families "")
    foreach(family openmpi mpich)
        find_program(HALOCLINE_${family}_MPICC NAMES mpicc.${family})
        find_program(HALOCLINE_${family}_MPIFORT NAMES mpifort.${family})
        find_program(HALOCLINE_${family}_MPIRUN NAMES mpirun.${family} mpiexec.${family})
        mark_as_advanced(HALOCLINE_${family}_MPICC HALOCLINE_${family}_MPIFORT HALOCLINE_${family}_MPIRUN)
        if(NOT HALOCLINE_${family}_MPICC OR NOT HALOCLINE_${family}_MPIRUN)
            continue()
        endif()
        execute_process(COMMAND "${HALOCLINE_${family}_MPICC}" -show OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
        separate_arguments(flags UNIX_COMMAND "${flags}")
        set(includes ${flags})
        list(FILTER includes INCLUDE REGEX "^-I")
        list(TRANSFORM includes REPLACE "^-I" "")
        set(libraries ${flags})
        list(FILTER libraries INCLUDE REGEX "^-(L|lmp)")
        set(HALOCLINE_${family}_INCLUDES "${includes}" PARENT_SCOPE)
        set(HALOCLINE_${family}_LIBRARIES "${libraries}" PARENT_SCOPE)
        list(APPEND families ${family})
    endforeach()
    set(HALOCLINE_MPI_FAMILIES "${families}" PARENT_SCOPE)
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
    set(table "${PROJECT_SOURCE_DIR}/tools/mpi_table")
    if(NOT TARGET halocline_${tool}_${MADE_FAMILY}_generated)
        set(includes ${HALOCLINE_${MADE_FAMILY}_INCLUDES})
        list(TRANSFORM includes PREPEND -I)
        file(WRITE "${folder}/declarations.c" "#include <mpi.h>\n")
        add_custom_command(
            OUTPUT "${folder}/functions.hpp" "${folder}/wrappers.cpp"
            COMMAND "${CMAKE_C_COMPILER}" -E ${includes} "${folder}/declarations.c" -o "${folder}/declarations.i"
            COMMAND Python3::Interpreter "${table}/generate.py" --rules "${MADE_RULES}"
                    --header "${folder}/declarations.i" --output "${folder}"
            DEPENDS "${table}/generate.py" "${table}/prototypes.py" "${table}/mpi.table" "${MADE_RULES}"
            COMMENT "Making the MPI wrappers of ${tool} for ${MADE_FAMILY}" VERBATIM)
        add_custom_target(halocline_${tool}_${MADE_FAMILY}_generated
                          DEPENDS "${folder}/functions.hpp" "${folder}/wrappers.cpp")
    endif()

    add_library(${target} SHARED ${MADE_SOURCES} "${folder}/wrappers.cpp")
    add_dependencies(${target} halocline_${tool}_${MADE_FAMILY}_generated)
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${folder}")
    target_include_directories(${target} SYSTEM PRIVATE ${HALOCLINE_${MADE_FAMILY}_INCLUDES})
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX
        OMPI_OMIT_MPI1_COMPAT_DECLS=0 "HALOCLINE_VERSION=\"${PROJECT_VERSION}\"")
    # Not the options of the layers: this code runs inside other people's programs, on any processor.
    target_compile_options(${target} PRIVATE -O2 -fvisibility=hidden -fno-exceptions -fno-rtti
        -fno-threadsafe-statics -fasynchronous-unwind-tables -U_FORTIFY_SOURCE -Wno-deprecated-declarations)
    target_link_libraries(${target} PRIVATE halocline_warnings)
    # The C driver: a dependency on libstdc++ could clash with the one a program brings along.
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/halocline"
        OUTPUT_NAME "halocline-${tool}-${MADE_FAMILY}")
    target_link_options(${target} PRIVATE -static-libgcc -Wl,--no-undefined -Wl,-z,now)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
    if(MADE_SANITIZE)
        target_compile_options(${target} PRIVATE -fsanitize=${MADE_SANITIZE} -fno-omit-frame-pointer -g)
        target_link_options(${target} PRIVATE -fsanitize=${MADE_SANITIZE})
        set_target_properties(${target} PROPERTIES OUTPUT_NAME "halocline-${tool}-${MADE_FAMILY}-${MADE_SANITIZE}")
    else()
        install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/halocline")
    endif()
endfunction()
