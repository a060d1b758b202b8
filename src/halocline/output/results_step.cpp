// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/output/results_step.hpp"

#include <string>

#include "halocline/core/error.hpp"
#include "halocline/io/block_exchange.hpp"

namespace halocline::output {

void for_rows_in_order(const Communicator& comm, const FieldRows& rows, const RowsInOrder& work) {
    BlockExchange exchange(comm, *rows.pattern, rows.values.dim, rows.values.type);
    int code = 0;
    std::string problem;
    for (std::int64_t window = 0; window < exchange.windows(); ++window) {
        const std::span<const std::byte> bytes =
            rows.sorted ? exchange.collect_sorted(window, rows.values.bytes())
                        : exchange.collect(window, rows.values);
        try {
            if (code == 0) {
                work(exchange.rows(window).begin, {reinterpret_cast<const double*>(bytes.data()),
                                                   bytes.size() / sizeof(double)});
            }
        } catch (const Error& error) {
            code = static_cast<int>(error.code());
            problem = error.what();
        }
    }
    comm.agree(code, problem);
}

void write_field(const Communicator& comm, const ResultsFile& file, std::size_t field,
                 const FieldRows& rows) {
    for_rows_in_order(comm, rows, [&](std::int64_t first, std::span<const double> values) {
        file.write_rows(0, field, first, values);
    });
}

}  // namespace halocline::output
