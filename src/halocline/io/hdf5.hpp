// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reading HDF5 with owned handles, checked calls and errors as sentences.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"
#include "halocline/core/element_type.hpp"

namespace halocline {

/// An HDF5 identifier and the call that gives it back.
class Hdf5Handle {
public:
    using Close = herr_t (*)(hid_t);  ///< the function that closes handles of this kind

    Hdf5Handle() = default;
    /// Takes the handle `id`; `close_call` closes it.
    Hdf5Handle(hid_t id, Close close_call) noexcept : id_(id), close_(close_call) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept;
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;
    ~Hdf5Handle() { close(); }

    /// The handle for calls of HDF5.
    [[nodiscard]] hid_t get() const noexcept { return id_; }
    /// Whether there is a handle.
    [[nodiscard]] bool valid() const noexcept { return id_ >= 0; }
    /// Closes now; negative when HDF5 reports a failure.
    herr_t close() noexcept;

private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// What HDF5 says about its last failure, innermost reason first. To be asked before any other call
/// of HDF5, a close included: each clears the error stack.
[[nodiscard]] std::string hdf5_reason();

/// Elements of a dataset: integers of 1, 2, 4 or 8 bytes, IEEE numbers of 4 or 8, or anything else.
enum class Hdf5Kind { integer, real, other };

/// "(60, 3)"
[[nodiscard]] std::string shape_text(const std::vector<hsize_t>& shape);

/// An open dataset of one or two dimensions, read in blocks of rows.
class Hdf5Dataset {
public:
    /// Name in the file, with groups.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Extents of all dimensions.
    [[nodiscard]] const std::vector<hsize_t>& shape() const noexcept { return shape_; }
    /// What its values are.
    [[nodiscard]] Hdf5Kind kind() const noexcept { return kind_; }
    /// Bytes of one element in the file.
    [[nodiscard]] std::size_t element_bytes() const noexcept { return element_bytes_; }
    /// Whether every value of the file is one of `type`, to the last bit.
    [[nodiscard]] bool fits(ElementType type) const noexcept;
    /// "64-bit integers"
    [[nodiscard]] std::string type_text() const;
    /// Throws InputError when the dataset was declared but its values are not all in the file.
    void require_stored() const;

    /// Reads rows. Throws InputError where HDF5 reports a failure.
    void read(BlockRange rows, std::span<double> values) const;
    /// The same for integers of 32 bits.
    void read(BlockRange rows, std::span<std::int32_t> values) const;
    /// The same for integers of 64 bits.
    void read(BlockRange rows, std::span<std::int64_t> values) const;
    /// The same into memory for rows of `type`.
    void read(BlockRange rows, ElementType type, std::span<std::byte> values) const;

private:
    friend class Hdf5File;
    Hdf5Dataset(std::string file, std::string name, Hdf5Handle handle);
    [[nodiscard]] bool is_stored() const;
    [[nodiscard]] bool has_all_chunks(hid_t properties) const;
    void require_whole_chunks(BlockRange rows) const;
    void read_as(BlockRange rows, hid_t type, void* values) const;

    std::string file_;
    std::string name_;
    Hdf5Handle handle_;
    std::vector<hsize_t> shape_;
    Hdf5Kind kind_ = Hdf5Kind::other;
    bool is_signed_ = true;
    std::size_t element_bytes_ = 0;
};

/// A file open for reading. Every rank opens it for itself and reads its own rows: what HDF5 finds
/// wrong is an error of that rank, which the others learn of, and never a collective call that
/// they wait in (docs/decisions/0036). Only `open` is collective. (Writing: hdf5_image.hpp says why
/// it goes another way.)
class Hdf5File {
public:
    /// Opens for reading, rank 0 first. Collective. Throws the same InputError on every rank when the
    /// file is missing, not readable, damaged or no HDF5 file; EnvironmentError when this machine
    /// cannot open one more. `role` says what needs it, e.g. "mesh file".
    [[nodiscard]] static Hdf5File open(const Communicator& comm, const std::string& path,
                                       const std::string& role);

    /// The path that the file was opened by.
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// Is there anything of this name?
    [[nodiscard]] bool has(const std::string& name) const;
    /// Names of the objects in the root group.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Attributes of the root group; none where they are missing or something else.
    [[nodiscard]] std::optional<std::string> text(const std::string& attribute) const;
    /// An attribute of the root group; nothing where there is none.
    [[nodiscard]] std::optional<std::int64_t> integer(const std::string& attribute) const;
    /// Throws InputError naming file and dataset when it is missing, damaged, no dataset or kept in
    /// another file.
    [[nodiscard]] Hdf5Dataset dataset(const std::string& name) const;

private:
    Hdf5File(std::string path, Hdf5Handle handle)
        : path_(std::move(path)), handle_(std::move(handle)) {}

    std::string path_;
    Hdf5Handle handle_;
};

}  // namespace halocline
