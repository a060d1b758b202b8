// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The JSON writer.
#include "json_file.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace halocline::snapshot {

void JsonFile::flush() {
    std::size_t done = 0;
    while (done < filled_ && !failed_) {
        const long written = syscall(SYS_write, file_, buffer_ + done, filled_ - done);
        if (written > 0) {
            done += static_cast<std::size_t>(written);
        } else if (written < 0 && errno != EINTR) {
            failed_ = true;
        }
    }
    filled_ = 0;
}

void JsonFile::put(char character) {
    if (filled_ == sizeof buffer_) {
        flush();
    }
    buffer_[filled_++] = character;
}

void JsonFile::separate() {
    if (comma_) {
        put(',');
    }
    comma_ = true;
}

void JsonFile::open(char bracket) {
    separate();
    put(bracket);
    comma_ = false;
}

void JsonFile::shut(char bracket) {
    put(bracket);
    comma_ = true;
}

void JsonFile::copy(const char* text, std::size_t length) {
    while (length > 0) {
        if (filled_ == sizeof buffer_) {
            flush();
        }
        const std::size_t room = sizeof buffer_ - filled_;
        const std::size_t part = length < room ? length : room;
        std::memcpy(buffer_ + filled_, text, part);
        filled_ += part;
        text += part;
        length -= part;
    }
}

void JsonFile::raw(const char* text, std::size_t length) {
    separate();
    copy(text, length);
}

void JsonFile::raw(const char* text) { raw(text, std::strlen(text)); }

JsonFile& JsonFile::key(const char* name) {
    raw("\"", 1);
    copy(name, std::strlen(name));
    copy("\":", 2);
    comma_ = false;
    return *this;
}

namespace {

/// "00" to "99".
struct TwoDigits {
    char text[200];
    constexpr TwoDigits() : text() {
        for (int i = 0; i < 100; ++i) {
            text[2 * i] = static_cast<char>('0' + i / 10);
            text[2 * i + 1] = static_cast<char>('0' + i % 10);
        }
    }
};
constexpr TwoDigits two_digits;

}  // namespace

void JsonFile::number(std::uint64_t value) {
    char digits[21];
    char* const end = digits + sizeof digits;
    char* at = end;
    for (; value >= 100; value /= 100) {
        at -= 2;
        std::memcpy(at, two_digits.text + 2 * (value % 100), 2);
    }
    if (value >= 10) {
        *--at = static_cast<char>('0' + value % 10);
        value /= 10;
    }
    *--at = static_cast<char>('0' + value);
    raw(at, static_cast<std::size_t>(end - at));
}

void JsonFile::number(std::int64_t value) {
    if (value >= 0) {
        number(static_cast<std::uint64_t>(value));
        return;
    }
    separate();
    put('-');
    comma_ = false;
    number(~static_cast<std::uint64_t>(value) + 1);
}

void JsonFile::hexadecimal(std::uint64_t value) {
    char text[17];
    for (int i = 0; i < 16; ++i) {
        text[i] = "0123456789abcdef"[(value >> (60 - 4 * i)) & 15];
    }
    string(text, 16);
}

void JsonFile::put_escaped(unsigned char character) {
    if (character == '"' || character == '\\') {
        put('\\');
        put(static_cast<char>(character));
    } else if (character < 0x20) {
        for (const char* at = "\\u00"; *at != '\0'; ++at) {
            put(*at);
        }
        put("0123456789abcdef"[character >> 4]);
        put("0123456789abcdef"[character & 15]);
    } else {
        put(static_cast<char>(character));
    }
}

namespace {

/// Length of the UTF-8 sequence at `text`, 0 when it is none: names of files are any bytes.
std::size_t sequence_length(const char* text, std::size_t left) {
    const auto lead = static_cast<unsigned char>(*text);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (i >= left || (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/// How many characters from `text` on stand in JSON as they are.
std::size_t plain_length(const char* text, std::size_t left) {
    std::size_t length = 0;
    while (length < left && text[length] >= 0x20 && text[length] < 0x7f && text[length] != '"' &&
           text[length] != '\\') {
        ++length;
    }
    return length;
}

}  // namespace

void JsonFile::string(const char* text, std::size_t length) {
    separate();
    put('"');
    for (std::size_t at = 0; at < length;) {
        const std::size_t plain = plain_length(text + at, length - at);
        copy(text + at, plain);
        at += plain;
        if (at == length) {
            break;
        }
        const std::size_t bytes = sequence_length(text + at, length - at);
        if (bytes == 0) {
            put('?');
            ++at;
        }
        for (std::size_t i = 0; i < bytes; ++i) {
            put_escaped(static_cast<unsigned char>(text[at++]));
        }
    }
    put('"');
}

void JsonFile::string(const char* text) { string(text, std::strlen(text)); }

bool JsonFile::finish() {
    flush();
    return !failed_;
}

}  // namespace halocline::snapshot
