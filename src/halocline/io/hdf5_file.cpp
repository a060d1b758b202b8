// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Files: opening, and finding datasets.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "halocline/core/error.hpp"
#include "halocline/io/hdf5.hpp"

namespace halocline {

namespace {

/// HDF5 prints its error stack on its own by default; here it becomes part of a sentence.
void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

Hdf5Handle access_properties() {
    Hdf5Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // Objects left open by an error must not keep the file open.
    H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 10, 7)
    // Readers need no lock, and some file systems of clusters have none.
    H5Pset_file_locking(properties.get(), false, true);
#endif
    return properties;
}

[[noreturn]] void fail_open(const std::string& file, int reason) {
    const std::string why = std::strerror(reason);
    switch (reason) {
        case ENOENT:
        case ENOTDIR:
            throw InputError(file + " does not exist. Check its name and folder.");
        case EACCES:
        case EPERM:
            throw InputError(file + " cannot be read (" + why + "). Change its permissions.");
        case EMFILE:
        case ENFILE:
        case ENOMEM:
            throw EnvironmentError(file + " cannot be opened (" + why +
                                   "). Raise the limits of this job (ulimit -a shows them).");
        default:
            throw InputError(file + " cannot be opened (" + why + "). Check its name and folder.");
    }
}

/// What is wrong with a file that should be an HDF5 file, before HDF5 tries to open it. Opened, not
/// asked for: access(2) does not know limits, and a pipe would wait for its writer.
void require_hdf5(const std::string& path, const std::string& file) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        fail_open(file, errno);
    }
    struct stat status {};
    const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    ::close(descriptor);
    validate<InputError>(regular, file + " is not a regular file. Name an HDF5 file.");
    if (H5Fis_hdf5(path.c_str()) <= 0) {
        H5Eclear2(H5E_DEFAULT);
        throw InputError(
            file +
            " is not an HDF5 file (its signature is missing). Name an HDF5 file, or copy "
            "it again if it is incomplete.");
    }
}

Hdf5Handle open_here(const std::string& path, const std::string& file) {
    require_hdf5(path, file);
    const Hdf5Handle properties = access_properties();
    Hdf5Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, properties.get()), H5Fclose);
    validate<InputError>(handle.valid(), file + " cannot be opened (HDF5: " + hdf5_reason() +
                                             "). Copy it again: it may be incomplete.");
    return handle;
}

/// Throws InputError where a link on the way to `name` leads into another file.
void require_own(hid_t file, const std::string& name, const std::string& label) {
    for (std::size_t end = 0; end != std::string::npos;) {
        end = name.find('/', end + 1);
        H5L_info_t link{};
        const std::string part_of_name = name.substr(0, end);
        const bool known = H5Lget_info(file, part_of_name.c_str(), &link, H5P_DEFAULT) >= 0;
        validate<InputError>(!known || link.type != H5L_TYPE_EXTERNAL,
                             label +
                                 " is a link into another file (a copy of this one would lack "
                                 "its values). Write the values into this file.");
    }
}

herr_t take_name(hid_t, const char* name, const H5L_info_t*, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

}  // namespace

Hdf5File Hdf5File::open(const Communicator& comm, const std::string& path,
                        const std::string& role) {
    silence_hdf5();
    const std::string file = role + " '" + path + "'";
    Hdf5Handle handle;
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            handle = open_here(path, file);
        }
    });
    // It was good on rank 0: what another one finds is about its host.
    run_agreed(comm, [&] {
        if (!comm.is_root()) {
            handle = open_here(path, file + ", seen by rank " + std::to_string(comm.rank()) + ",");
        }
    });
    return {path, std::move(handle)};
}

bool Hdf5File::has(const std::string& name) const {
    const bool found = H5Lexists(handle_.get(), name.c_str(), H5P_DEFAULT) > 0;
    H5Eclear2(H5E_DEFAULT);
    return found;
}

std::vector<std::string> Hdf5File::names() const {
    std::vector<std::string> names;
    H5Literate(handle_.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take_name, &names);
    return names;
}

namespace {

std::optional<std::string> variable_text(hid_t attribute, hid_t type) {
    const Hdf5Handle space(H5Aget_space(attribute), H5Sclose);
    char* text = nullptr;
    if (H5Sget_simple_extent_npoints(space.get()) != 1 || H5Aread(attribute, type, &text) < 0 ||
        text == nullptr) {
        H5Eclear2(H5E_DEFAULT);
        return std::nullopt;
    }
    std::string value(text);
    H5free_memory(text);
    return value;
}

}  // namespace

std::optional<std::string> Hdf5File::text(const std::string& name) const {
    const Hdf5Handle attribute(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(attribute.valid() ? H5Aget_type(attribute.get()) : -1, H5Tclose);
    if (type.valid() && H5Tis_variable_str(type.get()) > 0) {
        return variable_text(attribute.get(), type.get());
    }
    if (!type.valid() || H5Tget_class(type.get()) != H5T_STRING ||
        H5Aget_storage_size(attribute.get()) != H5Tget_size(type.get())) {
        H5Eclear2(H5E_DEFAULT);
        return std::nullopt;
    }
    std::string value(H5Tget_size(type.get()), '\0');
    if (H5Aread(attribute.get(), type.get(), value.data()) < 0) {
        H5Eclear2(H5E_DEFAULT);
        return std::nullopt;
    }
    value.resize(std::strlen(value.c_str()));
    return value;
}

std::optional<std::int64_t> Hdf5File::integer(const std::string& name) const {
    const Hdf5Handle attribute(H5Aopen(handle_.get(), name.c_str(), H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type(attribute.valid() ? H5Aget_type(attribute.get()) : -1, H5Tclose);
    std::int64_t value = 0;
    if (!type.valid() || H5Tget_class(type.get()) != H5T_INTEGER ||
        H5Aget_storage_size(attribute.get()) != H5Tget_size(type.get()) ||
        H5Aread(attribute.get(), H5T_NATIVE_INT64, &value) < 0) {
        H5Eclear2(H5E_DEFAULT);
        return std::nullopt;
    }
    return value;
}

Hdf5Dataset Hdf5File::dataset(const std::string& name) const {
    const std::string label = "dataset '" + name + "' of '" + path_ + "'";
    validate<InputError>(has(name), "'" + path_ + "' has no dataset '" + name +
                                        "'. Write the dataset or name another file.");
    require_own(handle_.get(), name, label);
    Hdf5Handle opened(H5Dopen2(handle_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!opened.valid()) {
        throw InputError(label + " cannot be opened (HDF5: " + hdf5_reason() +
                         "). It is damaged or no dataset: make or copy the file again.");
    }
    return {path_, name, std::move(opened)};
}

}  // namespace halocline
