# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# halocline_add_program_test(name file label [pytest option...]): pytest on the built programs.

function(halocline_add_program_test name file label)
    list(JOIN HALOCLINE_MPIRUN_FLAGS " " flags)
    get_filename_component(folder "${file}" DIRECTORY)
    add_test(NAME ${name}
             COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/support/run_pytest.py" -q -p no:cacheprovider "${file}" ${ARGN}
             WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    # COST: many starts of one program. What takes longest begins first, on a fresh machine, too.
    # orte_tmpdir_base: Open MPI's jobs share a folder, which one may remove while another begins.
    set_tests_properties(${name} PROPERTIES TIMEOUT 1200 PROCESSORS 1 COST 50
        SKIP_RETURN_CODE 77 LABELS "${label}" ENVIRONMENT
        "${HALOCLINE_TEST_ENVIRONMENT};OMPI_MCA_orte_tmpdir_base=${PROJECT_BINARY_DIR}/mpi/${name};PYTHONDONTWRITEBYTECODE=1;PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/support:${PROJECT_SOURCE_DIR}/python:${folder};HALOCLINE_PROGRAMS=$<TARGET_FILE_DIR:mgcfd>;HALOCLINE_MPIRUN=${HALOCLINE_MPIRUN};HALOCLINE_MPIRUN_FLAGS=${flags};HALOCLINE_TEST_DATA_DIR=${PROJECT_SOURCE_DIR}/data")
endfunction()
