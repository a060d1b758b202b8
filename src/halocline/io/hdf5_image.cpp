// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/hdf5_image.hpp"

#include "halocline/io/hdf5_layout.hpp"

namespace halocline {

namespace {

/// The words of OP2's files.
const char* op2_type(ElementType type) {
    switch (type) {
        case ElementType::float32:
            return "float";
        case ElementType::int64:
            return "long";
        case ElementType::int32:
            return "int";
        case ElementType::float64:
            break;
    }
    return "double";
}

}  // namespace

Hdf5Image make_field_image(const std::vector<Hdf5Image::Shape>& shapes,
                           const std::vector<Hdf5Image::Attribute>& attributes) {
    Hdf5Layout layout;
    std::vector<std::uint64_t> places;
    for (const Hdf5Image::Shape& shape : shapes) {
        places.push_back(
            layout.add_dataset(shape.name, {shape.rows, shape.dim}, stored_type(shape.type)));
        layout.add_short_integer(shape.name, "size",
                                 shape.dim * static_cast<int>(bytes_of(shape.type)));
        layout.add_short_integer(shape.name, "dim", shape.dim);
        layout.add_text(shape.name, "type", op2_type(shape.type));
        if (!shape.parts.empty()) {
            layout.add_text(shape.name, "parts", shape.parts);
        }
    }
    for (const Hdf5Image::Attribute& attribute : attributes) {
        if (const auto* const text = std::get_if<std::string>(&attribute.value)) {
            layout.add_text("/", attribute.name, *text);
        } else {
            layout.add_integer("/", attribute.name, std::get<std::int64_t>(attribute.value));
        }
    }
    Hdf5Image image = layout.finish();
    image.data_offsets = std::move(places);
    return image;
}

}  // namespace halocline
