// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Names by result_names.hpp, values by write_fields.
#include "halocline/run/output.hpp"

#include "halocline/core/clock.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/io/result_names.hpp"

namespace halocline::run {

void Output::write(const std::string& path, const std::string& dataset, const DatStore& values) {
    const ScopedTimer timer(io_.blocked_s);
    io_.bytes += write_fields(comm_, path, {{dataset, values}});
    io_.files.push_back(path);
}

void Output::write_flow(int step, const DatStore& state) {
    write(flow_path(prefix_, step), flow_dataset, state);
}

void Output::write_level(const char* quantity, int level, const DatStore& values, int steps) {
    write(result_path(prefix_, quantity, level, steps), result_dataset(quantity, level), values);
}

}  // namespace halocline::run
