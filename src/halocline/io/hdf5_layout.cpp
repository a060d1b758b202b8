// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Files made through a driver that keeps what is written in a list.
#include "halocline/io/hdf5_layout.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "halocline/core/error.hpp"
#include "halocline/io/hdf5_image_driver.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline {

namespace {

hid_t hdf5_type(StoredType type) {
    switch (type) {
        case StoredType::float32:
            return H5T_IEEE_F32LE;
        case StoredType::int64:
            return H5T_STD_I64LE;
        case StoredType::int32:
            return H5T_STD_I32LE;
        case StoredType::uint8:
            return H5T_STD_U8LE;
        case StoredType::float64:
            break;
    }
    return H5T_IEEE_F64LE;
}

Hdf5Handle space_of(const std::vector<std::int64_t>& shape) {
    const std::vector<hsize_t> extents(shape.begin(), shape.end());
    return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose};
}

Hdf5Handle open_object(hid_t file, const std::string& name) {
    return {H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose};
}

/// Equal results are equal files: no times. The place of values is needed now; filling them would put
/// them all into memory.
Hdf5Handle dataset_properties() {
    Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(properties.get(), false);
    return properties;
}

Hdf5Handle create_dataset(hid_t file, const std::string& name,
                          const std::vector<std::int64_t>& shape, StoredType type) {
    const Hdf5Handle space = space_of(shape);
    const Hdf5Handle properties = dataset_properties();
    return {H5Dcreate2(file, name.c_str(), hdf5_type(type), space.get(), H5P_DEFAULT,
                       properties.get(), H5P_DEFAULT),
            H5Dclose};
}

bool write_attribute(hid_t file, const std::string& object_name, const std::string& name,
                     hid_t type, const Hdf5Handle& space, const void* value) {
    const Hdf5Handle object = open_object(file, object_name);
    const Hdf5Handle attribute(
        H5Acreate2(object.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    return attribute.valid() && H5Awrite(attribute.get(), type, value) >= 0;
}

#if H5_VERSION_GE(1, 12, 0)
using ObjectInfo = H5O_info1_t;
#else
using ObjectInfo = H5O_info_t;
#endif

std::uint64_t address_of(hid_t file, const std::string& name) {
    ObjectInfo info{};
    return H5Oget_info_by_name1(file, name.c_str(), &info, H5P_DEFAULT) >= 0 ? info.addr : 0;
}

/// No number that a file of ours holds otherwise.
constexpr std::int64_t first_marker = 0x68616c6f634c494eLL;

}  // namespace

StoredType stored_type(ElementType type) noexcept {
    switch (type) {
        case ElementType::float32:
            return StoredType::float32;
        case ElementType::int64:
            return StoredType::int64;
        case ElementType::int32:
            return StoredType::int32;
        case ElementType::float64:
            break;
    }
    return StoredType::float64;
}

std::size_t bytes_of(StoredType type) noexcept {
    switch (type) {
        case StoredType::float32:
        case StoredType::int32:
            return 4;
        case StoredType::uint8:
            return 1;
        default:
            return 8;
    }
}

Hdf5Layout::Hdf5Layout()
    : image_(std::make_unique<Hdf5Image>()), keeps_values_(std::make_unique<bool>(true)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const H5FD_class_t description = image_driver();
    driver_ = Hdf5Handle(H5FDregister(&description), H5FDunregister);
    const Hdf5Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const ImageDriverInfo info{image_.get(), keeps_values_.get()};
    H5Pset_driver(properties.get(), driver_.get(), &info);
    file_ = Hdf5Handle(H5Fcreate("layout", H5F_ACC_TRUNC, H5P_DEFAULT, properties.get()), H5Fclose);
    require(file_.valid(), "/");
}

Hdf5Layout::~Hdf5Layout() = default;

void Hdf5Layout::require(bool done, const std::string& name) const {
    validate<RunError>(done, "'" + name + "' of a result file cannot be laid out (HDF5: " +
                                 hdf5_reason() + "). Give it another name.");
}

void Hdf5Layout::add_group(const std::string& name, bool ordered) {
    const Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    if (ordered) {
        H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    }
    const Hdf5Handle group(
        H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
        H5Gclose);
    require(group.valid(), name);
}

void Hdf5Layout::link_hard(const std::string& existing, const std::string& name) {
    require(H5Lcreate_hard(file_.get(), existing.c_str(), file_.get(), name.c_str(), H5P_DEFAULT,
                           H5P_DEFAULT) >= 0,
            name);
}

void Hdf5Layout::link_soft(const std::string& target, const std::string& name) {
    require(
        H5Lcreate_soft(target.c_str(), file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0,
        name);
}

std::uint64_t Hdf5Layout::add_dataset(const std::string& name,
                                      const std::vector<std::int64_t>& shape, StoredType type) {
    const Hdf5Handle dataset = create_dataset(file_.get(), name, shape, type);
    require(dataset.valid(), name);
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
        return 0;
    }
    const haddr_t place = H5Dget_offset(dataset.get());
    require(place != HADDR_UNDEF, name);
    return place;
}

namespace {

Hdf5Handle chunked_properties(const std::vector<hsize_t>& chunk, const Compression& compression) {
    Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(properties.get(), false);
    H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(properties.get());
    const auto level = static_cast<unsigned>(compression.level);
    if (compression.codec == Codec::deflate) {
        H5Pset_deflate(properties.get(), level);
    } else {
        H5Pset_filter(properties.get(), hdf5_filter_zstd, H5Z_FLAG_OPTIONAL, 1, &level);
    }
    return properties;
}

}  // namespace

/// HDF5 gives each chunk its room when it is written: what is written here is dropped. A chunk that is
/// never packed is read as the hole it is.
std::size_t Hdf5Layout::add_chunked(const std::string& name, const std::vector<std::int64_t>& shape,
                                    StoredType type, const Compression& compression) {
    std::vector<hsize_t> chunk(shape.begin(), shape.end());
    chunk.front() = static_cast<hsize_t>(compression.chunk_rows);
    const Hdf5Handle properties = chunked_properties(chunk, compression);
    const Hdf5Handle dataset(
        H5Dcreate2(file_.get(), name.c_str(), hdf5_type(type), space_of(shape).get(), H5P_DEFAULT,
                   properties.get(), H5P_DEFAULT),
        H5Dclose);
    require(dataset.valid(), name);
    std::size_t bytes = bytes_of(type);
    for (const hsize_t extent : chunk) {
        bytes *= static_cast<std::size_t>(extent);
    }
    const Buffer<std::byte> nothing(bytes);
    *keeps_values_ = false;
    std::vector<ChunkPlace> places;
    std::vector<hsize_t> offset(shape.size(), 0);
    for (; offset.front() < static_cast<hsize_t>(shape.front()); offset.front() += chunk.front()) {
        haddr_t place = HADDR_UNDEF;
        hsize_t size = 0;
        unsigned left_out = 0;
        require(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, unpacked_chunk, offset.data(), bytes,
                               nothing.data()) >= 0 &&
                    H5Dget_chunk_info_by_coord(dataset.get(), offset.data(), &left_out, &place,
                                               &size) >= 0,
                name);
        places.push_back({place, 0});
    }
    *keeps_values_ = true;
    chunked_.push_back({std::move(places), bytes, chunk.front(), chunk.size()});
    return chunked_.size() - 1;
}

void Hdf5Layout::link_external(const std::string& file, const std::string& object,
                               const std::string& name) {
    require(H5Lcreate_external(file.c_str(), object.c_str(), file_.get(), name.c_str(), H5P_DEFAULT,
                               H5P_DEFAULT) >= 0,
            name);
}

void Hdf5Layout::add_values(const std::string& name, const std::vector<std::int64_t>& shape,
                            std::span<const std::int64_t> values) {
    const Hdf5Handle dataset = create_dataset(file_.get(), name, shape, StoredType::int64);
    require(
        dataset.valid() && (values.empty() || H5Dwrite(dataset.get(), H5T_NATIVE_INT64, H5S_ALL,
                                                       H5S_ALL, H5P_DEFAULT, values.data()) >= 0),
        name);
}

void Hdf5Layout::add_text(const std::string& object, const std::string& name,
                          const std::string& value) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(1, value.size()));
    require(write_attribute(file_.get(), object, name, type.get(), space, value.c_str()), name);
}

void Hdf5Layout::add_integer(const std::string& object, const std::string& name,
                             std::int64_t value) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    require(write_attribute(file_.get(), object, name, H5T_STD_I64LE, space, &value), name);
}

void Hdf5Layout::add_integers(const std::string& object, const std::string& name,
                              std::span<const std::int64_t> values) {
    const Hdf5Handle space = space_of({static_cast<std::int64_t>(values.size())});
    require(write_attribute(file_.get(), object, name, H5T_STD_I64LE, space, values.data()), name);
}

void Hdf5Layout::add_short_integer(const std::string& object, const std::string& name, int value) {
    require(write_attribute(file_.get(), object, name, H5T_NATIVE_INT, space_of({1}), &value),
            name);
}

Hdf5Layout::Slot Hdf5Layout::add_counter(const std::string& object, const std::string& name) {
    const std::int64_t marker = first_marker + static_cast<std::int64_t>(numbers_.size());
    add_integer(object, name, marker);
    numbers_.push_back({address_of(file_.get(), object), marker, false, 0});
    return Slot{numbers_.size() - 1};
}

Hdf5Layout::Growing Hdf5Layout::add_growing(const std::string& name, std::int64_t capacity,
                                            StoredType type) {
    const std::uint64_t place = add_dataset(name, {capacity}, type);
    numbers_.push_back({address_of(file_.get(), name), capacity, true, 0});
    return {Slot{numbers_.size() - 1}, place};
}

Hdf5Image Hdf5Layout::finish() {
    validate<RunError>(file_.close() >= 0,
                       "a result file cannot be laid out (HDF5: " + hdf5_reason() + ").");
    for (Number& number : numbers_) {
        locate(number);
    }
    locate_chunk_heads(*image_, chunked_);
    return std::move(*image_);
}

/// An extent follows the head of its dataspace message: version 1, one dimension, no largest extent or
/// one, in a header of the old kind, which has no checksum. (HDF5 File Format Specification 3.0, IV.A.2.b)
void Hdf5Layout::locate(Number& number) {
    constexpr std::size_t word = sizeof(std::int64_t);
    constexpr std::size_t longest_header = 1024;
    std::vector<std::array<unsigned char, 2 * word>> heads;
    for (const int flags : {0, 1}) {
        heads.push_back({1, 1, static_cast<unsigned char>(flags)});
        std::memcpy(heads.back().data() + word, &number.marker, word);
    }
    for (auto piece = image_->pieces.rbegin(); piece != image_->pieces.rend(); ++piece) {
        std::vector<char>& bytes = piece->bytes;
        for (std::size_t i = 0; i + word <= bytes.size(); ++i) {
            const std::uint64_t at = piece->at + i;
            const bool is_head =
                i >= word && std::any_of(heads.begin(), heads.end(), [&](const auto& head) {
                    return std::memcmp(&bytes[i - word], head.data(), head.size()) == 0;
                });
            const bool found = number.is_extent ? is_head && at > number.object &&
                                                      at < number.object + longest_header
                                                : std::memcmp(&bytes[i], &number.marker, word) == 0;
            if (found) {
                number.place = at;
                std::memset(&bytes[i], 0, word);
                return;
            }
        }
    }
    throw RunError(
        "a result file cannot be laid out (this HDF5 library writes headers of another "
        "kind). Use HDF5 1.10 to 1.14 with its default file format.");
}

std::uint64_t Hdf5Layout::place(Slot slot) const {
    return numbers_[static_cast<std::size_t>(slot)].place;
}

}  // namespace halocline
