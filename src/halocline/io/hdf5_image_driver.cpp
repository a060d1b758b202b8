// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/io/hdf5_image_driver.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

namespace halocline {

namespace {

/// The driver's file; HDF5 owns it from open to close. The first member is what HDF5 knows of it.
struct ImageFile {
    H5FD_t base;
    Hdf5Image* image;
    const bool* keeps_values;
    haddr_t end;
};

ImageFile* own(H5FD_t* file) { return reinterpret_cast<ImageFile*>(file); }
const ImageFile* own(const H5FD_t* file) { return reinterpret_cast<const ImageFile*>(file); }

H5FD_t* open_image(const char*, unsigned, hid_t properties, haddr_t) {
    const auto* info = static_cast<const ImageDriverInfo*>(H5Pget_driver_info(properties));
    auto* file = new ImageFile{};
    file->image = info->image;
    file->keeps_values = info->keeps_values;
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

herr_t write_image(H5FD_t* file, H5FD_mem_t kind, hid_t, haddr_t at, std::size_t size,
                   const void* from) {
    if (kind == H5FD_MEM_DRAW && !*own(file)->keeps_values) {
        return 0;
    }
    const auto* bytes = static_cast<const char*>(from);
    own(file)->image->pieces.push_back({at, std::vector<char>(bytes, bytes + size)});
    return 0;
}

}  // namespace

H5FD_class_t image_driver() {
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(512);  // the range of unregistered drivers
#endif
    driver.name = "halocline_image";
    driver.maxaddr = (haddr_t{1} << 62U) - 1;
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(ImageDriverInfo);
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

}  // namespace halocline
