// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writing of run records and what they need from all ranks.
#include "halocline/io/run_record.hpp"

#include <array>
#include <ctime>

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

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

}  // namespace halocline
