// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Decodes datatypes, makes datatypes of bytes, packs and unpacks.
#include "collectives/byte_types.hpp"

#include "collectives/session.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <vector>

namespace halocline::endpoints {

namespace {

constexpr std::size_t largest_block = std::size_t{1} << 30;

bool is_named(MPI_Datatype type, int& integers, int& addresses, int& types, int& combiner) {
    real().Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_INTEGER || combiner == MPI_COMBINER_F90_COMPLEX;
}

void free_if_derived(MPI_Datatype type) {
    int unused[3] = {};
    int combiner = 0;
    if (!is_named(type, unused[0], unused[1], unused[2], combiner)) {
        real().Type_free(&type);
    }
}

MPI_Datatype committed(MPI_Datatype type) {
    real().Type_commit(&type);
    return type;
}

/// One element of any number of bytes: whole blocks and a rest.
MPI_Datatype one_element(std::size_t bytes) {
    MPI_Datatype element{};
    if (bytes <= largest_block) {
        real().Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &element);
        return element;
    }
    MPI_Datatype block{};
    real().Type_contiguous(static_cast<int>(largest_block), MPI_BYTE, &block);
    const std::size_t blocks = bytes / largest_block;
    std::array<int, 2> counts = {static_cast<int>(blocks), static_cast<int>(bytes % largest_block)};
    std::array<MPI_Aint, 2> places = {0, static_cast<MPI_Aint>(blocks * largest_block)};
    std::array<MPI_Datatype, 2> types = {block, MPI_BYTE};
    real().Type_create_struct(2, counts.data(), places.data(), types.data(), &element);
    real().Type_free(&block);
    return element;
}

}  // namespace

std::size_t size_of(MPI_Datatype type) {
    MPI_Count size = 0;
    real().Type_size_x(type, &size);
    return size > 0 ? static_cast<std::size_t>(size) : 0;
}

MPI_Aint extent_of(MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    real().Type_get_extent(type, &lower, &extent);
    return extent;
}

bool is_contiguous(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = 0;
    if (is_named(type, integers, addresses, types, combiner)) {
        return static_cast<MPI_Aint>(size_of(type)) == extent_of(type);
    }
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) {
        return false;
    }
    int count = 0;
    MPI_Aint address = 0;
    MPI_Datatype inner{};
    real().Type_get_contents(type, integers, addresses, types, &count, &address, &inner);
    const bool contiguous = is_contiguous(inner);
    free_if_derived(inner);
    return contiguous;
}

ByteType::ByteType(std::size_t bytes) : type_(MPI_BYTE) {
    if (bytes <= static_cast<std::size_t>(INT_MAX)) {
        count_ = static_cast<int>(bytes);
        return;
    }
    type_ = committed(one_element(bytes));
    made_ = true;
}

ByteType::ByteType(std::size_t bytes, std::size_t extent) : type_(MPI_BYTE), made_(true) {
    MPI_Datatype element = one_element(bytes);
    MPI_Datatype spaced{};
    real().Type_create_resized(element, 0, static_cast<MPI_Aint>(extent), &spaced);
    real().Type_free(&element);
    type_ = committed(spaced);
}

ByteType::~ByteType() {
    if (made_) {
        real().Type_free(&type_);
    }
}

Stretch::Stretch(void* buffer, std::size_t count, MPI_Datatype type, bool load)
    : buffer_(buffer), count_(count), type_(type), size_(count * size_of(type)) {
    if (is_contiguous(type)) {
        bytes_ = static_cast<std::byte*>(buffer);
        return;
    }
    copy_ = std::make_unique_for_overwrite<std::byte[]>(size_);
    bytes_ = copy_.get();
    if (load) {
        pack(buffer_, count_, type_, bytes_);
    }
}

void Stretch::store() const {
    if (copy_ != nullptr) {
        unpack(bytes_, buffer_, count_, type_);
    }
}

int pack(const void* buffer, std::size_t count, MPI_Datatype type, std::byte* bytes,
         std::size_t batch_bytes) {
    const std::size_t size = size_of(type);
    const std::size_t batch =
        std::max<std::size_t>(1, batch_bytes / std::max<std::size_t>(1, size));
    const MPI_Aint extent = extent_of(type);
    for (std::size_t done = 0; done < count; done += batch) {
        const std::size_t now = std::min(batch, count - done);
        int position = 0;
        const auto* from =
            static_cast<const std::byte*>(buffer) + static_cast<MPI_Aint>(done) * extent;
        const int code =
            real().Pack(from, static_cast<int>(now), type, bytes + done * size,
                        static_cast<int>(now * size), &position, Session::get().private_world());
        if (code != MPI_SUCCESS) {
            return code;
        }
    }
    return MPI_SUCCESS;
}

int unpack(const std::byte* bytes, void* buffer, std::size_t count, MPI_Datatype type,
           std::size_t batch_bytes) {
    const std::size_t size = size_of(type);
    const std::size_t batch =
        std::max<std::size_t>(1, batch_bytes / std::max<std::size_t>(1, size));
    const MPI_Aint extent = extent_of(type);
    for (std::size_t done = 0; done < count; done += batch) {
        const std::size_t now = std::min(batch, count - done);
        int position = 0;
        auto* to = static_cast<std::byte*>(buffer) + static_cast<MPI_Aint>(done) * extent;
        const int code =
            real().Unpack(bytes + done * size, static_cast<int>(now * size), &position, to,
                          static_cast<int>(now), type, Session::get().private_world());
        if (code != MPI_SUCCESS) {
            return code;
        }
    }
    return MPI_SUCCESS;
}

}  // namespace halocline::endpoints
