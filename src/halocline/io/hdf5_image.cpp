// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// An HDF5 file driver that keeps what is written in a list, and the file made through it.
#include "halocline/io/hdf5_image.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "halocline/core/error.hpp"
#include "halocline/io/hdf5.hpp"

namespace halocline {

namespace {

/// The driver's file; HDF5 owns it from open to close. The first member is what HDF5 knows of it.
struct ImageFile {
    H5FD_t base;
    Hdf5Image* image;
    haddr_t end;
};

ImageFile* own(H5FD_t* file) { return reinterpret_cast<ImageFile*>(file); }
const ImageFile* own(const H5FD_t* file) { return reinterpret_cast<const ImageFile*>(file); }

/// Driver information in the access properties: a pointer to the image to fill.
struct ImageInfo {
    Hdf5Image* image;
};

H5FD_t* open_image(const char*, unsigned, hid_t properties, haddr_t) {
    const auto* info = static_cast<const ImageInfo*>(H5Pget_driver_info(properties));
    auto* file = new ImageFile{};
    file->image = info->image;
    return &file->base;
}

herr_t close_image(H5FD_t* file) {
    own(file)->image->file_bytes = own(file)->end;
    delete own(file);
    return 0;
}

herr_t query_image(const H5FD_t*, unsigned long* flags) {
    *flags = 0;
    return 0;
}

haddr_t end_of_image(const H5FD_t* file, H5FD_mem_t) { return own(file)->end; }

herr_t set_end_of_image(H5FD_t* file, H5FD_mem_t, haddr_t end) {
    own(file)->end = end;
    return 0;
}

herr_t read_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* into) {
    std::memset(into, 0, size);
    for (const Hdf5Image::Piece& piece : own(file)->image->pieces) {
        const haddr_t begin = std::max(at, piece.at);
        const haddr_t end = std::min(at + size, piece.at + piece.bytes.size());
        if (begin < end) {
            std::memcpy(static_cast<char*>(into) + (begin - at), &piece.bytes[begin - piece.at],
                        end - begin);
        }
    }
    return 0;
}

herr_t write_image(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size,
                   const void* from) {
    const auto* bytes = static_cast<const char*>(from);
    own(file)->image->pieces.push_back({at, std::vector<char>(bytes, bytes + size)});
    return 0;
}

H5FD_class_t image_driver() {
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(512);  // the range of unregistered drivers
#endif
    driver.name = "halocline_image";
    driver.maxaddr = (haddr_t{1} << 62U) - 1;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(ImageInfo);
    driver.open = open_image;
    driver.close = close_image;
    driver.query = query_image;
    driver.get_eoa = end_of_image;
    driver.set_eoa = set_end_of_image;
    driver.get_eof = end_of_image;
    driver.read = read_image;
    driver.write = write_image;
    std::fill(std::begin(driver.fl_map), std::end(driver.fl_map), H5FD_MEM_SUPER);
    return driver;
}

bool add_integer(hid_t dataset, const char* name, int value) {
    const hsize_t one = 1;
    const Hdf5Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const Hdf5Handle attribute(
        H5Acreate2(dataset, name, H5T_NATIVE_INT, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute.valid() && H5Awrite(attribute.get(), H5T_NATIVE_INT, &value) >= 0;
}

bool add_wide_integer(hid_t object, const char* name, std::int64_t value) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle attribute(
        H5Acreate2(object, name, H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute.valid() && H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value) >= 0;
}

bool add_text(hid_t dataset, const char* name, const std::string& value) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(1, value.size()));
    const Hdf5Handle attribute(
        H5Acreate2(dataset, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute.valid() && H5Awrite(attribute.get(), type.get(), value.c_str()) >= 0;
}

hid_t hdf5_type(ElementType type) {
    switch (type) {
        case ElementType::float32:
            return H5T_NATIVE_FLOAT;
        case ElementType::int64:
            return H5T_NATIVE_INT64;
        case ElementType::int32:
            return H5T_NATIVE_INT32;
        case ElementType::float64:
            break;
    }
    return H5T_NATIVE_DOUBLE;
}

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

bool add_attributes(hid_t dataset, const Hdf5Image::Shape& field) {
    return add_integer(dataset, "size", field.dim * static_cast<int>(bytes_of(field.type))) &&
           add_integer(dataset, "dim", field.dim) &&
           add_text(dataset, "type", op2_type(field.type));
}

bool add_attribute(hid_t object, const Hdf5Image::Attribute& attribute) {
    const char* const name = attribute.name.c_str();
    const auto* const text = std::get_if<std::string>(&attribute.value);
    return text != nullptr
               ? add_text(object, name, *text)
               : add_wide_integer(object, name, std::get<std::int64_t>(attribute.value));
}

/// Declares the dataset and returns the place of its values; HADDR_UNDEF on failure.
haddr_t declare_field(hid_t file, const Hdf5Image::Shape& field) {
    const std::array<hsize_t, 2> shape{static_cast<hsize_t>(field.rows),
                                       static_cast<hsize_t>(field.dim)};
    const Hdf5Handle space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose);
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    // The place of the values is needed now; filling them would put them all into memory.
    H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(properties.get(), false);  // equal results are equal files
    const Hdf5Handle dataset(H5Dcreate2(file, field.name.c_str(), hdf5_type(field.type),
                                        space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                             H5Dclose);
    if (!dataset.valid() || !add_attributes(dataset.get(), field)) {
        return HADDR_UNDEF;
    }
    return field.rows == 0 ? 0 : H5Dget_offset(dataset.get());
}

}  // namespace

Hdf5Image make_field_image(const std::vector<Hdf5Image::Shape>& shapes,
                           const std::vector<Hdf5Image::Attribute>& attributes) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    Hdf5Image image;
    const H5FD_class_t description = image_driver();
    const Hdf5Handle driver(H5FDregister(&description), H5FDunregister);
    const Hdf5Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const ImageInfo info{&image};
    H5Pset_driver(properties.get(), driver.get(), &info);
    Hdf5Handle file(H5Fcreate("field", H5F_ACC_TRUNC, H5P_DEFAULT, properties.get()), H5Fclose);
    for (const Hdf5Image::Shape& shape : shapes) {
        image.data_offsets.push_back(declare_field(file.get(), shape));
        if (image.data_offsets.back() == HADDR_UNDEF) {
            throw RunError("dataset '" + shape.name +
                           "' of a result file cannot be laid out (HDF5: " + hdf5_reason() +
                           "). Give it another name.");
        }
    }
    for (const Hdf5Image::Attribute& attribute : attributes) {
        validate<RunError>(add_attribute(file.get(), attribute),
                           "attribute '" + attribute.name +
                               "' of a result file cannot be laid out (HDF5: " + hdf5_reason() +
                               ").");
    }
    if (file.close() < 0) {
        throw RunError("a result file cannot be laid out (HDF5: " + hdf5_reason() + ").");
    }
    return image;
}

}  // namespace halocline
