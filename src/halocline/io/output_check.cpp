// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A trial file is the only test that also knows quotas, read-only mounts and full disks.
#include "halocline/io/output_check.hpp"

#include <algorithm>
#include <filesystem>

#include "halocline/core/error.hpp"
#include "halocline/core/output_file.hpp"
#include "halocline/core/output_names.hpp"

namespace halocline {

namespace {

/// More than one block of any file system, so that a full disk shows. What is not published goes.
void try_to_write(const std::string& path) {
    try {
        OutputFile file = OutputFile::create_text(path);
        if (!file.temporary_path().empty()) {
            file.write(std::string(8192, '\0'));
            file.complete();
        }
    } catch (const Error& error) {  // nothing ran yet: whatever failed is the place's fault
        throw EnvironmentError(error.what());
    }
}

void require_space(const std::string& prefix, std::int64_t needed_bytes) {
    std::error_code failure;
    const auto space = std::filesystem::space(folder_of(prefix), failure);
    if (!failure && static_cast<std::uintmax_t>(needed_bytes) > space.available) {
        refuse_prefix(prefix,
                      "the results need " + std::to_string(needed_bytes >> 20U) +
                          " MiB, the disk has " + std::to_string(space.available >> 20U) +
                          " MiB free",
                      "Free space or choose another folder with -o.");
    }
}

}  // namespace

void refuse_prefix(const std::string& prefix, const std::string& reason,
                   const std::string& remedy) {
    throw EnvironmentError("results cannot be written with the prefix '" + prefix + "' (" + reason +
                           "). " + remedy);
}

void require_output_folder(const std::string& prefix) {
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    const std::string base = base_of(prefix);
    validate<UsageError>(std::none_of(base.begin(), base.end(), is_control),
                         "the prefix of output files has control characters (files of such names "
                         "are hard to get rid of). Choose another prefix with -o.");
    std::error_code failure;
    if (!std::filesystem::is_directory(folder_of(prefix), failure)) {
        refuse_prefix(prefix, "there is no folder '" + folder_of(prefix) + "'",
                      "Create the folder or choose another prefix with -o.");
    }
}

void check_output_writable(const Communicator& comm, const std::string& prefix,
                           const std::vector<std::string>& files, std::int64_t needed_bytes) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            require_output_folder(prefix);
            try_to_write(prefix + "halocline-writable-test");
            std::for_each(files.begin(), files.end(), try_to_write);
            require_space(prefix, needed_bytes);
        }
    });
}

}  // namespace halocline
