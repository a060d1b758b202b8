// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats become rows of a file and its description.
#include "halocline/io/field_writer.hpp"

#include <set>
#include <utility>

#include "halocline/core/collective_calls.hpp"
#include "halocline/core/error.hpp"
#include "halocline/io/field_rows.hpp"
#include "halocline/io/fields_alike.hpp"

namespace halocline {

void require_writable(const std::string& path, const std::vector<FieldToWrite>& fields) {
    std::set<std::string> names;
    for (const FieldToWrite& field : fields) {
        validate<ContractError>(!field.store->temporary,
                                "dat '" + field.store->name + "' cannot be written to '" + path +
                                    "' (it is temporary: it exists within a chain only). Write a "
                                    "dat of make_dat.");
        validate<ContractError>(names.insert(field.dataset).second,
                                "two dats become dataset '" + field.dataset + "' of '" + path +
                                    "' (one would be lost). Give each its name: {\"name\", dat}.");
    }
}

FieldToWrite::FieldToWrite(std::string_view name, const DatStore& dat,
                           std::vector<RowPart> parts_of_rows)
    : dataset(name), store(&dat), parts(std::move(parts_of_rows)) {}
FieldToWrite::~FieldToWrite() = default;
FieldToWrite::FieldToWrite(const FieldToWrite&) = default;
FieldToWrite& FieldToWrite::operator=(const FieldToWrite&) = default;
FieldToWrite::FieldToWrite(FieldToWrite&&) noexcept = default;
FieldToWrite& FieldToWrite::operator=(FieldToWrite&&) noexcept = default;

std::string text_of(const std::vector<RowPart>& parts) {
    std::string text;
    for (const RowPart& part : parts) {
        text += (text.empty() ? "" : " ") + part.name + ":" + std::to_string(part.columns);
    }
    return text;
}

std::int64_t write_fields(const Communicator& comm, const std::string& path,
                          const std::vector<FieldToWrite>& fields) {
    enter_call(comm, "writes fields");
    run_agreed(comm, [&] { require_writable(path, fields); });
    require_fields_alike(comm, "write to", path, fields);
    RowPatterns patterns(comm);
    std::vector<FieldRows> rows;
    std::vector<Hdf5Image::Shape> shapes;
    std::int64_t bytes = 0;
    for (const FieldToWrite& field : fields) {
        rows.push_back({field.dataset, &patterns.of(*field.store->set), field.store->raw()});
        shapes.push_back({field.dataset, field.store->set->global_size, field.store->dim,
                          field.store->type, text_of(field.parts)});
        bytes += rows.back().bytes();
    }
    write_field_rows(comm, path, make_field_image(shapes), rows);
    return bytes;
}

}  // namespace halocline
