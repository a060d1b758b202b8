// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lists the library's version and control variables, with the values that this launch line gave them.
#include "describe.hpp"

#include "variables.hpp"

#include <mpi.h>

#include <vector>

namespace halocline::tune_bench {

namespace {

std::string library_version() {
    std::vector<char> text(MPI_MAX_LIBRARY_VERSION_STRING + 1);
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    return text.data();
}

std::string items_text(const std::vector<EnumItem>& items) {
    std::string text = "[";
    for (const EnumItem& item : items) {
        text += (text.size() > 1 ? ",[" : "[") + std::to_string(item.value) + "," +
                quoted(item.name) + "]";
    }
    return text + "]";
}

}  // namespace

void describe(Output& output) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    output.line("{\"library\":" + quoted(library_version()) +
                ",\"ranks\":" + std::to_string(ranks) + "}");
    for (const VariableInfo& each : all_variables()) {
        output.line("{\"variable\":" + quoted(each.name) + ",\"type\":" + quoted(each.type) +
                    ",\"value\":" + quoted(each.value) + ",\"writable\":" +
                    (each.writable ? "true" : "false") + ",\"items\":" + items_text(each.items) +
                    ",\"description\":" + quoted(each.description) + "}");
    }
    output.line("{\"end\":true}");
}

}  // namespace halocline::tune_bench
