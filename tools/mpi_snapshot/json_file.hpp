// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Writes JSON through a small buffer, without heap, stdio or floating point: safe in a signal handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halocline::snapshot {

/// Commas are put where they belong; keys and values must alternate in objects.
class JsonFile {
public:
    explicit JsonFile(int file) : file_(file) {}
    JsonFile(const JsonFile&) = delete;
    JsonFile& operator=(const JsonFile&) = delete;

    void begin_object() { open('{'); }
    void end_object() { shut('}'); }
    void begin_array() { open('['); }
    void end_array() { shut(']'); }

    /// `name` is one of ours: nothing in it needs to be escaped.
    JsonFile& key(const char* name);
    void number(std::uint64_t value);
    void number(std::int64_t value);
    void number(int value) { number(static_cast<std::int64_t>(value)); }
    void number(std::uint32_t value) { number(static_cast<std::uint64_t>(value)); }
    void boolean(bool value) { raw(value ? "true" : "false"); }
    void null() { raw("null"); }
    void string(const char* text);
    void string(const char* text, std::size_t length);
    void hexadecimal(std::uint64_t value);
    void line_break() { put('\n'); }

    /// False when something could not be written.
    bool finish();

private:
    void open(char bracket);
    void shut(char bracket);
    void raw(const char* text, std::size_t length);
    void raw(const char* text);
    void copy(const char* text, std::size_t length);
    void separate();
    void put(char character);
    void put_escaped(unsigned char character);
    void flush();

    char buffer_[4096];
    std::size_t filled_ = 0;
    int file_;
    bool comma_ = false;
    bool failed_ = false;
};

}  // namespace halocline::snapshot
