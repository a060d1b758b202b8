// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writing at places of a file, with the operating system's reason when it fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace halocline {

/// An open file, written by this rank alone or at places that no other rank writes.
/// Member functions throw RunError naming file and reason.
class OutputFile {
public:
    OutputFile() = default;
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    /// Creates or replaces `path` with `size` zero bytes, most of them a hole.
    [[nodiscard]] static OutputFile create(const std::string& path, std::uint64_t size);
    /// Opens an existing file for writing.
    [[nodiscard]] static OutputFile open(const std::string& path);

    void write_at(std::uint64_t offset, const void* bytes, std::size_t size) const;
    /// Closes now; some file systems report a full disk or quota only here.
    void close();

private:
    OutputFile(std::string path, int descriptor) : path_(std::move(path)), file_(descriptor) {}

    std::string path_;
    int file_ = -1;
};

/// Replaces `path` by `text` in one step: written under a temporary name, then renamed.
void replace_file(const std::string& path, const std::string& text);

/// Renames within a folder. Throws RunError.
void rename_file(const std::string& from, const std::string& to);

}  // namespace halocline
