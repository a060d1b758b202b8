// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one way to write a file: under a temporary name, and under its own only when it is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace halocline {

/// A file that replaces `path` in one step, or not at all.
///
/// It is written beside `path` under a random name, made exclusively: what lies at
/// another name is neither followed nor touched. `publish` puts it on the disk and gives it its name;
/// a file that was not published is removed with the object. A link at `path` is kept: the file it
/// leads to is replaced, in that file's folder. Anything but a regular file at `path` is refused.
/// All functions throw RunError naming the file and the system's reason.
class OutputFile {
public:
    OutputFile() = default;
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&& other) noexcept;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

    /// Makes the hidden file beside `path`, empty and open for writing.
    [[nodiscard]] static OutputFile create(const std::string& path);
    /// The same for text, which may also go where it is taken as it comes: to /dev/stdout, /dev/null, a
    /// shell's >(command).
    [[nodiscard]] static OutputFile create_text(const std::string& path);
    /// Opens the file that another rank has made, to write at places of its own.
    /// @param temporary  that rank's `temporary_path()`
    [[nodiscard]] static OutputFile join(const std::string& path, const std::string& temporary);

    /// Makes room for `size` bytes, most of them a hole.
    void resize(std::uint64_t size) const;
    /// Writes `size` bytes from `offset` on; another thread or rank may write elsewhere meanwhile.
    void write_at(std::uint64_t offset, const void* bytes, std::size_t size) const;
    /// Takes room on the disk for what `write_direct` will bring. Returns whether the system can write
    /// past its page cache here; else nothing happens.
    [[nodiscard]] bool reserve_direct(std::uint64_t offset, std::uint64_t size) const;
    /// `write_at` past the page cache: offset, address and size are multiples of a page. Returns false,
    /// with nothing written, where the file system refuses that. (For `FileStream`.)
    [[nodiscard]] bool write_direct(std::uint64_t offset, const void* bytes,
                                    std::size_t size) const;
    /// Writes behind what was written last.
    void write(std::string_view text) const;
    /// Puts on the disk what this rank wrote and closes: some file systems report a full disk or quota
    /// only here. Every rank completes before one publishes.
    void complete();
    /// Completes, and gives the file its name.
    void publish();
    /// Puts on the disk what this rank wrote so far.
    void flush() const;
    /// Gives the file its name and keeps it open: what is written from here on goes to the file that
    /// readers see.
    void publish_open();
    /// Throws RunError when the name leads to another file by now, or to none: what is written would be
    /// lost. Behind `publish_open`, on the rank that made the file.
    void require_named() const;

    /// Name under which the file lies until it is published; empty where text is written directly.
    [[nodiscard]] const std::string& temporary_path() const noexcept { return temporary_; }

private:
    OutputFile(std::string path, std::string temporary, int descriptor, bool owned);
    void take_permissions() const;
    void rename_to_target();

    std::string path_;       ///< as the user named it
    std::string target_;     ///< what is replaced: `path_` with links followed
    std::string temporary_;  ///< empty: written directly
    int file_ = -1;
    mutable int direct_ = not_opened;  ///< the same file past the page cache; opened when asked for
    static constexpr int not_opened = -1;
    static constexpr int refused = -2;
    bool owned_ = false;  ///< removed unless published
};

/// Replaces `path` by `text` in one step, and clears its folder of what dead processes left.
void replace_file(const std::string& path, std::string_view text);

/// Adds a line to a table that runs share, behind `head` when the file is new. The line arrives whole
/// or not at all; a link is followed, a pipe refused.
void append_line(const std::string& path, std::string_view head, std::string_view line);

}  // namespace halocline
