// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Datasets: shape, completeness, reading in pieces.
#include <algorithm>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/io/hdf5.hpp"

namespace halocline {

namespace {

/// MPI-IO and HDF5 1.10 count bytes of one transfer in an int.
constexpr std::size_t largest_piece_bytes = std::size_t{1} << 30U;

[[noreturn]] void fail_read(const std::string& file, const std::string& dataset,
                            const std::string& reason) {
    throw InputError("dataset '" + dataset + "' of '" + file + "' cannot be read (HDF5: " + reason +
                     "). Check that the file was copied completely.");
}

Hdf5Kind kind_of(hid_t type) {
    switch (H5Tget_class(type)) {
        case H5T_INTEGER:
            return Hdf5Kind::integer;
        case H5T_FLOAT:
            return Hdf5Kind::real;
        default:
            return Hdf5Kind::other;
    }
}

/// Collective when the file is shared.
Hdf5Handle transfer_properties(bool shared) {
    Hdf5Handle properties(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
    if (shared) {
        H5Pset_dxpl_mpio(properties.get(), H5FD_MPIO_COLLECTIVE);
    }
    return properties;
}

}  // namespace

Hdf5Dataset::Hdf5Dataset(const Communicator& comm, std::string file, std::string name,
                         Hdf5Handle handle)
    : comm_(comm), file_(std::move(file)), name_(std::move(name)), handle_(std::move(handle)) {
    const Hdf5Handle space(H5Dget_space(handle_.get()), H5Sclose);
    const Hdf5Handle type(H5Dget_type(handle_.get()), H5Tclose);
    if (!space.valid() || !type.valid()) {
        fail_read(file_, name_, hdf5_reason());
    }
    shape_.resize(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
    H5Sget_simple_extent_dims(space.get(), shape_.data(), nullptr);
    kind_ = kind_of(type.get());
    element_bytes_ = H5Tget_size(type.get());
}

bool Hdf5Dataset::is_stored() const {
    const Hdf5Handle properties(H5Dget_create_plist(handle_.get()), H5Pclose);
    if (H5Pget_layout(properties.get()) == H5D_CHUNKED) {
        return has_all_chunks(properties.get());
    }
    hsize_t bytes = element_bytes_;
    for (const hsize_t extent : shape_) {
        bytes = extent != 0 && bytes > HSIZE_UNDEF / extent ? HSIZE_UNDEF : bytes * extent;
    }
    return H5Dget_storage_size(handle_.get()) >= bytes;
}

bool Hdf5Dataset::has_all_chunks(hid_t properties) const {
    std::vector<hsize_t> chunk(shape_.size());
    if (H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data()) < 0) {
        return false;
    }
    hsize_t wanted = 1;
    for (std::size_t i = 0; i < shape_.size(); ++i) {
        const hsize_t along = (shape_[i] + chunk[i] - 1) / chunk[i];
        wanted = along != 0 && wanted > HSIZE_UNDEF / along ? HSIZE_UNDEF : wanted * along;
    }
    const Hdf5Handle space(H5Dget_space(handle_.get()), H5Sclose);
    hsize_t stored = 0;
    return H5Dget_num_chunks(handle_.get(), space.get(), &stored) >= 0 && stored >= wanted;
}

std::string Hdf5Dataset::read_piece(BlockRange rows, hid_t type, hid_t properties,
                                    void* values) const {
    std::vector<hsize_t> start(shape_.size(), 0);
    std::vector<hsize_t> count(shape_);
    start[0] = static_cast<hsize_t>(rows.begin);
    count[0] = static_cast<hsize_t>(rows.size());
    const Hdf5Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
    const Hdf5Handle file(H5Dget_space(handle_.get()), H5Sclose);
    if (rows.size() == 0) {
        H5Sselect_none(memory.get());
        H5Sselect_none(file.get());
    } else {
        H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                            nullptr);
    }
    const herr_t status =
        H5Dread(handle_.get(), type, memory.get(), file.get(), properties, values);
    return status < 0 ? hdf5_reason() : "";
}

void Hdf5Dataset::read_as(BlockRange rows, hid_t type, std::size_t element_bytes,
                          void* values) const {
    std::size_t row_bytes = element_bytes;
    for (std::size_t i = 1; i < shape_.size(); ++i) {
        row_bytes *= shape_[i];
    }
    const auto piece_rows =
        static_cast<std::int64_t>(std::max<std::size_t>(1, largest_piece_bytes / row_bytes));
    const std::int64_t pieces = comm_.max((rows.size() + piece_rows - 1) / piece_rows);
    const Hdf5Handle properties = transfer_properties(comm_.size() > 1);
    std::string reason;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
        const std::int64_t begin = std::min(rows.begin + piece * piece_rows, rows.end);
        const std::int64_t end = std::min(begin + piece_rows, rows.end);
        char* target =
            static_cast<char*>(values) + static_cast<std::size_t>(begin - rows.begin) * row_bytes;
        // A failed rank stays in step: the others wait for it in every collective piece.
        const std::string fault = read_piece({begin, end}, type, properties.get(), target);
        reason = reason.empty() ? fault : reason;
    }
    if (!reason.empty()) {
        fail_read(file_, name_, reason);
    }
}

void Hdf5Dataset::read(BlockRange rows, std::span<double> values) const {
    read_as(rows, H5T_NATIVE_DOUBLE, sizeof(double), values.data());
}

void Hdf5Dataset::read(BlockRange rows, std::span<std::int32_t> values) const {
    read_as(rows, H5T_NATIVE_INT32, sizeof(std::int32_t), values.data());
}

void Hdf5Dataset::read(BlockRange rows, std::span<std::int64_t> values) const {
    read_as(rows, H5T_NATIVE_INT64, sizeof(std::int64_t), values.data());
}

}  // namespace halocline
