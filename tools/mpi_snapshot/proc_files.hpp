// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Small files of /proc, read without the heap and without stdio.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halocline::snapshot {

/// Reads up to size - 1 bytes and ends them with a zero; returns their number, -1 on failure.
long read_proc_file(const char* path, char* buffer, std::size_t size);

/// The number after `key` in a text like "key: 123"; false when there is none.
bool number_after(const char* text, const char* key, std::uint64_t& value);

/// Reads a long file line by line, no further than asked.
class LineReader {
public:
    explicit LineReader(const char* path);
    ~LineReader();
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    /// Copies the next line without its end, cut to size - 1 bytes; false at the end of the file.
    bool next(char* line, std::size_t size);

private:
    bool refill();

    int file_;
    std::size_t at_ = 0;
    std::size_t filled_ = 0;
    char buffer_[1024];
};

}  // namespace halocline::snapshot
