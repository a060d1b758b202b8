// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writing of run records and what they need from all ranks.
#include "halocline/io/run_record.hpp"

#include "halocline/core/error.hpp"
#include "halocline/core/output_file.hpp"

namespace halocline {

void write_run_record(const Communicator& comm, const std::string& path, const RunRecord& record) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            replace_file(path, to_json_text(record));
        }
    });
}

record::Spread spread_of(const Communicator& comm, double value) {
    return {comm.min(value), comm.sum(value) / comm.size(), comm.max(value)};
}

}  // namespace halocline
