// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Datasets: shape, completeness, reading.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/io/deflated_chunk.hpp"
#include "halocline/io/hdf5.hpp"

namespace halocline {

namespace {

std::string label(const std::string& file, const std::string& dataset) {
    return "dataset '" + dataset + "' of '" + file + "'";
}

[[noreturn]] void fail_read(const std::string& file, const std::string& dataset,
                            const std::string& reason) {
    throw InputError(label(file, dataset) + " cannot be read (HDF5: " + reason +
                     "). Check that the file was copied completely.");
}

bool is_one_of(hid_t type, std::initializer_list<hid_t> known) {
    return std::any_of(known.begin(), known.end(),
                       [&](hid_t one) { return H5Tequal(type, one) > 0; });
}

/// By what computers write. Types of other widths, with gaps or a bias of their own come from damage:
/// HDF5 converts them, and what it makes of a value depends on those around it.
Hdf5Kind kind_of(hid_t type) {
    if (is_one_of(type, {H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_U8LE,
                         H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE, H5T_STD_I8BE, H5T_STD_I16BE,
                         H5T_STD_I32BE, H5T_STD_I64BE, H5T_STD_U8BE, H5T_STD_U16BE, H5T_STD_U32BE,
                         H5T_STD_U64BE})) {
        return Hdf5Kind::integer;
    }
    if (is_one_of(type, {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE})) {
        return Hdf5Kind::real;
    }
    return Hdf5Kind::other;
}

/// How the bytes of one chunk lie in the file.
struct ChunkStorage {
    bool checkable = true;          ///< nothing but checksums, shuffling and zlib
    bool deflated = false;          ///< packed by zlib
    hsize_t checksums_inside = 0;   ///< bytes of checksums added before packing
    hsize_t checksums_outside = 0;  ///< and after it
};

/// `left_out`: bits of filters that the chunk did not go through.
ChunkStorage storage_of(hid_t properties, unsigned left_out) {
    constexpr hsize_t checksum_bytes = 4;
    ChunkStorage storage;
    const int filters = H5Pget_nfilters(properties);
    for (int i = 0; i < filters; ++i) {
        unsigned flags = 0;
        std::size_t values = 0;
        const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags,
                                                   &values, nullptr, 0, nullptr, nullptr);
        if ((left_out >> static_cast<unsigned>(i) & 1U) != 0 || filter == H5Z_FILTER_SHUFFLE) {
            continue;
        }
        if (filter == H5Z_FILTER_FLETCHER32) {
            (storage.deflated ? storage.checksums_outside : storage.checksums_inside) +=
                checksum_bytes;
        } else if (filter == H5Z_FILTER_DEFLATE && !storage.deflated) {
            storage.deflated = true;
        } else {
            storage.checkable = false;
        }
    }
    return storage;
}

/// Whether the chunk at `at`, `stored` bytes in the file, gives `whole` bytes. What other filters make
/// counts as whole.
bool is_whole(hid_t dataset, std::span<const hsize_t> at, hsize_t stored, hsize_t whole,
              const ChunkStorage& storage) {
    if (!storage.checkable || !storage.deflated) {
        return !storage.checkable || stored == whole;
    }
    const hsize_t most = 2 * whole + 4096;  // zlib itself adds a thousandth
    if (stored > most || stored < storage.checksums_outside) {
        return false;
    }
    std::vector<std::byte> bytes(stored);
    std::uint32_t left_out = 0;
    if (H5Dread_chunk(dataset, H5P_DEFAULT, at.data(), &left_out, bytes.data()) < 0) {
        return false;
    }
    bytes.resize(stored - storage.checksums_outside);
    return inflated_bytes(bytes, whole) == whole;
}

/// a * b, or the largest number where that does not fit.
hsize_t product(hsize_t a, hsize_t b) {
    return b != 0 && a > HSIZE_UNDEF / b ? HSIZE_UNDEF : a * b;
}

}  // namespace

std::string shape_text(const std::vector<hsize_t>& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return text + ")";
}

Hdf5Dataset::Hdf5Dataset(std::string file, std::string name, Hdf5Handle handle)
    : file_(std::move(file)), name_(std::move(name)), handle_(std::move(handle)) {
    const Hdf5Handle space(H5Dget_space(handle_.get()), H5Sclose);
    const Hdf5Handle type(H5Dget_type(handle_.get()), H5Tclose);
    if (!space.valid() || !type.valid()) {
        fail_read(file_, name_, hdf5_reason());
    }
    shape_.resize(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
    H5Sget_simple_extent_dims(space.get(), shape_.data(), nullptr);
    kind_ = kind_of(type.get());
    element_bytes_ = H5Tget_size(type.get());
    is_signed_ = kind_ != Hdf5Kind::integer || H5Tget_sign(type.get()) == H5T_SGN_2;
}

bool Hdf5Dataset::fits(ElementType type) const noexcept {
    if (is_integer(type)) {
        const std::size_t needed = is_signed_ ? element_bytes_ : 2 * element_bytes_;
        return kind_ == Hdf5Kind::integer && needed <= bytes_of(type);
    }
    return kind_ == Hdf5Kind::real && element_bytes_ <= bytes_of(type);
}

std::string Hdf5Dataset::type_text() const {
    if (kind_ == Hdf5Kind::other) {
        return "no numbers";
    }
    return std::to_string(8 * element_bytes_) + "-bit " + (is_signed_ ? "" : "unsigned ") +
           (kind_ == Hdf5Kind::real ? "floating-point numbers" : "integers");
}

void Hdf5Dataset::require_stored() const {
    validate<InputError>(is_stored(), label(file_, name_) + " was declared with shape " +
                                          shape_text(shape_) +
                                          " but its values are not all in the file (writing it was "
                                          "interrupted). Make the file again.");
}

bool Hdf5Dataset::is_stored() const {
    const Hdf5Handle properties(H5Dget_create_plist(handle_.get()), H5Pclose);
    if (H5Pget_external_count(properties.get()) != 0) {
        return false;  // what is missing of other files HDF5 reads as zeros
    }
    if (H5Pget_layout(properties.get()) == H5D_CHUNKED) {
        return has_all_chunks(properties.get());
    }
    hsize_t bytes = element_bytes_;
    for (const hsize_t extent : shape_) {
        bytes = product(bytes, extent);
    }
    return H5Dget_storage_size(handle_.get()) >= bytes;
}

bool Hdf5Dataset::has_all_chunks(hid_t properties) const {
    std::vector<hsize_t> chunk(shape_.size());
    if (H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) < 0) {
        return false;
    }
    const Hdf5Handle space(H5Dget_space(handle_.get()), H5Sclose);
    std::vector<hsize_t> most(shape_.size());
    H5Sget_simple_extent_dims(space.get(), nullptr, most.data());
    hsize_t wanted = 1;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        if (most[i] != H5S_UNLIMITED && chunk[i] > most[i]) {
            return false;  // HDF5 would copy more out of a chunk than is in it
        }
        wanted = product(wanted, shape_[i] / chunk[i] + (shape_[i] % chunk[i] != 0 ? 1 : 0));
    }
    hsize_t stored = 0;
    return H5Dget_num_chunks(handle_.get(), space.get(), &stored) >= 0 && stored == wanted;
}

// HDF5 1.10 copies a whole chunk out of what its filters gave, without checking how much that is: a
// compressed chunk is unpacked twice, once to count its bytes.
void Hdf5Dataset::require_whole_chunks(BlockRange rows) const {
    const Hdf5Handle properties(H5Dget_create_plist(handle_.get()), H5Pclose);
    if (H5Pget_layout(properties.get()) != H5D_CHUNKED || shape_.size() > 2) {
        return;
    }
    std::array<hsize_t, 2> chunk{1, 1};
    H5Pget_chunk(properties.get(), static_cast<int>(shape_.size()), chunk.data());
    const hsize_t columns = shape_.size() > 1 ? shape_[1] : 1;
    const auto end = static_cast<hsize_t>(rows.end);
    for (hsize_t row = static_cast<hsize_t>(rows.begin) / chunk[0] * chunk[0]; row < end;
         row += chunk[0]) {
        for (hsize_t column = 0; column < columns; column += chunk[1]) {
            const std::array<hsize_t, 2> at{row, column};
            unsigned left_out = 0;
            haddr_t address = HADDR_UNDEF;
            hsize_t bytes = 0;
            const bool found = H5Dget_chunk_info_by_coord(handle_.get(), at.data(), &left_out,
                                                          &address, &bytes) >= 0;
            const ChunkStorage storage = storage_of(properties.get(), left_out);
            const hsize_t whole = chunk[0] * chunk[1] * element_bytes_ + storage.checksums_inside;
            if (!found || address == HADDR_UNDEF ||
                !is_whole(handle_.get(), at, bytes, whole, storage)) {
                fail_read(file_, name_,
                          "the chunk of row " + std::to_string(row) + " is damaged" +
                              (storage.deflated
                                   ? ": it does not inflate to " + std::to_string(whole) + " bytes"
                                   : ""));
            }
        }
    }
}

void Hdf5Dataset::read_as(BlockRange rows, hid_t type, void* values) const {
    if (rows.size() == 0) {
        return;
    }
    require_whole_chunks(rows);
    std::vector<hsize_t> start(shape_.size(), 0);
    std::vector<hsize_t> count(shape_);
    start[0] = static_cast<hsize_t>(rows.begin);
    count[0] = static_cast<hsize_t>(rows.size());
    const Hdf5Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
    const Hdf5Handle file(H5Dget_space(handle_.get()), H5Sclose);
    H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    if (H5Dread(handle_.get(), type, memory.get(), file.get(), H5P_DEFAULT, values) < 0) {
        fail_read(file_, name_, hdf5_reason());
    }
}

void Hdf5Dataset::read(BlockRange rows, std::span<double> values) const {
    read_as(rows, H5T_NATIVE_DOUBLE, values.data());
}

void Hdf5Dataset::read(BlockRange rows, ElementType type, std::span<std::byte> values) const {
    switch (type) {
        case ElementType::float64:
            read_as(rows, H5T_NATIVE_DOUBLE, values.data());
            break;
        case ElementType::float32:
            read_as(rows, H5T_NATIVE_FLOAT, values.data());
            break;
        case ElementType::int64:
            read_as(rows, H5T_NATIVE_INT64, values.data());
            break;
        case ElementType::int32:
            read_as(rows, H5T_NATIVE_INT32, values.data());
            break;
    }
}

void Hdf5Dataset::read(BlockRange rows, std::span<std::int32_t> values) const {
    read_as(rows, H5T_NATIVE_INT32, values.data());
}

void Hdf5Dataset::read(BlockRange rows, std::span<std::int64_t> values) const {
    read_as(rows, H5T_NATIVE_INT64, values.data());
}

}  // namespace halocline
