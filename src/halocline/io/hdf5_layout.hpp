// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Builds an Hdf5Image: groups, links, attributes and datasets, small ones with their values.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "halocline/io/compression.hpp"
#include "halocline/io/hdf5.hpp"
#include "halocline/io/hdf5_chunk_tree.hpp"
#include "halocline/io/hdf5_image.hpp"

namespace halocline {

/// Types of values in a file.
enum class StoredType { float64, float32, int64, int32, uint8 };

/// The type in the file of a dat's values.
[[nodiscard]] StoredType stored_type(ElementType type) noexcept;
/// Bytes of one value in the file.
[[nodiscard]] std::size_t bytes_of(StoredType type) noexcept;

/// HDF5's registered number of the filter that unpacks zstd.
inline constexpr int hdf5_filter_zstd = 32015;

/// A file in the making. Datasets have their place in the file given at once, so that their values can be
/// written later, by anybody. Names are paths from the root, "/" the root itself. Failures throw
/// RunError. The same calls make the same bytes.
class Hdf5Layout {
public:
    Hdf5Layout();
    ~Hdf5Layout();
    Hdf5Layout(const Hdf5Layout&) = delete;
    Hdf5Layout& operator=(const Hdf5Layout&) = delete;

    /// `ordered`: links keep the order in which they were made, as VTK wants it of some groups.
    void add_group(const std::string& name, bool ordered = false);
    void link_hard(const std::string& existing, const std::string& name);
    void link_soft(const std::string& target, const std::string& name);

    /// A dataset without values; returns their place in the file (0 where there are none).
    std::uint64_t add_dataset(const std::string& name, const std::vector<std::int64_t>& shape,
                              StoredType type);
    /// A dataset in chunks of `compression.chunk_rows` rows, packed. Its values are written later, a chunk
    /// at a time, into the room that each has, and the head of the chunk then says how many bytes there
    /// are: what is not used is a hole in the file. Returns the number of the dataset, for `chunks`.
    [[nodiscard]] std::size_t add_chunked(const std::string& name,
                                          const std::vector<std::int64_t>& shape, StoredType type,
                                          const Compression& compression);
    /// After `finish`: the chunks of a dataset, by row.
    [[nodiscard]] std::vector<ChunkPlace> take_chunks(std::size_t dataset) {
        return std::move(chunked_[dataset].places);
    }
    /// A link to an object of another file, whose name is relative to the folder of this one.
    void link_external(const std::string& file, const std::string& object, const std::string& name);
    /// A small dataset with its values.
    void add_values(const std::string& name, const std::vector<std::int64_t>& shape,
                    std::span<const std::int64_t> values);

    void add_text(const std::string& object, const std::string& name, const std::string& value);
    /// One integer of eight bytes; several are an array.
    void add_integer(const std::string& object, const std::string& name, std::int64_t value);
    void add_integers(const std::string& object, const std::string& name,
                      std::span<const std::int64_t> values);
    /// OP2's kind: an array of one integer of four bytes.
    void add_short_integer(const std::string& object, const std::string& name, int value);

    /// A number of eight bytes in the file that is written again and again.
    enum class Slot : std::size_t {};
    /// An integer attribute whose place is wanted.
    [[nodiscard]] Slot add_counter(const std::string& object, const std::string& name);
    /// A dataset of one dimension with room for `capacity` values and an extent that is a slot: readers see
    /// as many values as it says. It starts at 0. Its values begin at `place`.
    struct Growing {
        Slot extent;
        std::uint64_t place;
    };
    [[nodiscard]] Growing add_growing(const std::string& name, std::int64_t capacity,
                                      StoredType type);

    /// Closes the file; nothing can be added any more.
    [[nodiscard]] Hdf5Image finish();
    /// After `finish`: where in the file the number is.
    [[nodiscard]] std::uint64_t place(Slot slot) const;

private:
    struct Number {
        std::uint64_t object;  ///< address of the object's header
        std::int64_t marker;   ///< what is searched for
        bool is_extent;
        std::uint64_t place;
    };
    void require(bool done, const std::string& name) const;
    void locate(Number& number);

    std::unique_ptr<Hdf5Image> image_;
    std::unique_ptr<bool> keeps_values_;  ///< false: values that HDF5 writes are dropped
    Hdf5Handle driver_;
    Hdf5Handle file_;
    std::vector<Number> numbers_;
    std::vector<ChunkedDataset> chunked_;
};

}  // namespace halocline
