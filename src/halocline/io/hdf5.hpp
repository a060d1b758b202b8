// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reading HDF5 with owned handles, checked calls and errors as sentences.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halocline/core/communicator.hpp"

namespace halocline {

/// An HDF5 identifier and the call that gives it back.
class Hdf5Handle {
public:
    using Close = herr_t (*)(hid_t);

    Hdf5Handle() = default;
    Hdf5Handle(hid_t id, Close close_call) noexcept : id_(id), close_(close_call) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept;
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
    Hdf5Handle(const Hdf5Handle&) = delete;
    Hdf5Handle& operator=(const Hdf5Handle&) = delete;
    ~Hdf5Handle() { close(); }

    [[nodiscard]] hid_t get() const noexcept { return id_; }
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

/// Class of a dataset's elements, as far as we tell them apart.
enum class Hdf5Kind { integer, real, other };

/// An open dataset of one or two dimensions, read in blocks of rows.
class Hdf5Dataset {
public:
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::vector<hsize_t>& shape() const noexcept { return shape_; }
    [[nodiscard]] Hdf5Kind kind() const noexcept { return kind_; }
    /// Bytes of one element in the file.
    [[nodiscard]] std::size_t element_bytes() const noexcept { return element_bytes_; }
    /// False when the dataset was declared but its values are not all in the file.
    [[nodiscard]] bool is_stored() const;

    /// Reads the rows of this rank, in pieces below 2 GiB. All ranks of the file take part, with an
    /// empty range too. Throws InputError where HDF5 reports a failure, after this rank has done its
    /// part in every piece.
    void read(BlockRange rows, std::span<double> values) const;
    void read(BlockRange rows, std::span<std::int32_t> values) const;
    void read(BlockRange rows, std::span<std::int64_t> values) const;

private:
    friend class Hdf5File;
    [[nodiscard]] bool has_all_chunks(hid_t properties) const;
    Hdf5Dataset(const Communicator& comm, std::string file, std::string name, Hdf5Handle handle);
    /// Why HDF5 could not read the piece; empty when it could.
    [[nodiscard]] std::string read_piece(BlockRange rows, hid_t type, hid_t properties,
                                         void* values) const;
    void read_as(BlockRange rows, hid_t type, std::size_t element_bytes, void* values) const;

    Communicator comm_;
    std::string file_;
    std::string name_;
    Hdf5Handle handle_;
    std::vector<hsize_t> shape_;
    Hdf5Kind kind_ = Hdf5Kind::other;
    std::size_t element_bytes_ = 0;
};

/// A file open for reading, shared by all ranks of a communicator. One rank uses plain POSIX files,
/// more use MPI-IO. (Writing: hdf5_image.hpp says why it goes another way.)
class Hdf5File {
public:
    /// Opens for reading. Collective. Throws InputError on every rank when the file is missing, not
    /// readable or no HDF5 file; `role` says what needs it, e.g. "mesh file".
    [[nodiscard]] static Hdf5File open(const Communicator& comm, const std::string& path,
                                       const std::string& role);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// Is there anything of this name?
    [[nodiscard]] bool has(const std::string& name) const;
    /// Names of the objects in the root group.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Throws InputError naming file and dataset when it is missing, damaged or no dataset.
    [[nodiscard]] Hdf5Dataset dataset(const std::string& name) const;

private:
    Hdf5File(const Communicator& comm, std::string path, Hdf5Handle handle)
        : comm_(comm), path_(std::move(path)), handle_(std::move(handle)) {}

    Communicator comm_;
    std::string path_;
    Hdf5Handle handle_;
};

}  // namespace halocline
