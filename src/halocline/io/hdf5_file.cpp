// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Files: opening with POSIX or MPI-IO and finding datasets.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "halocline/core/error.hpp"
#include "halocline/io/hdf5.hpp"

namespace halocline {

namespace {

/// HDF5 prints its error stack on its own by default; here it becomes part of a sentence.
void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

Hdf5Handle access_properties(const Communicator& comm) {
    Hdf5Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    if (comm.size() > 1) {
        H5Pset_fapl_mpio(properties.get(), comm.get(), MPI_INFO_NULL);
    }
    // Objects left open by an error must not keep the file open.
    H5Pset_fclose_degree(properties.get(), H5F_CLOSE_STRONG);
    return properties;
}

/// What is wrong with a file that should be an HDF5 file, before HDF5 tries to open it.
void require_hdf5(const std::string& path, const std::string& role) {
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) {
        throw InputError(role + " '" + path + "' does not exist. Check its name and folder.");
    }
    if (!std::filesystem::is_regular_file(status)) {
        throw InputError(role + " '" + path + "' is no regular file. Name an HDF5 file.");
    }
    if (::access(path.c_str(), R_OK) != 0) {
        throw InputError(role + " '" + path + "' cannot be read (" + std::strerror(errno) +
                         "). Change its permissions.");
    }
    if (H5Fis_hdf5(path.c_str()) <= 0) {
        H5Eclear2(H5E_DEFAULT);
        throw InputError(role + " '" + path +
                         "' is no HDF5 file (its signature is missing). Name an HDF5 file, or copy "
                         "it again if it is incomplete.");
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
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            require_hdf5(path, role);
        }
    });
    Hdf5Handle handle;
    run_agreed(comm, [&] {
        const Hdf5Handle properties = access_properties(comm);
        handle = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, properties.get()), H5Fclose);
        if (!handle.valid()) {
            throw InputError(role + " '" + path + "' cannot be opened (HDF5: " + hdf5_reason() +
                             "). Copy it again: it may be incomplete.");
        }
    });
    return {comm, path, std::move(handle)};
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

Hdf5Dataset Hdf5File::dataset(const std::string& name) const {
    const std::string label = "dataset '" + name + "' of '" + path_ + "'";
    validate<InputError>(has(name), "'" + path_ + "' has no dataset '" + name +
                                        "'. Write the dataset or name another file.");
    Hdf5Handle opened(H5Dopen2(handle_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!opened.valid()) {
        throw InputError(label + " cannot be opened (HDF5: " + hdf5_reason() +
                         "). It is damaged or no dataset: make or copy the file again.");
    }
    return {comm_, path_, name, std::move(opened)};
}

}  // namespace halocline
