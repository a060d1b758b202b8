// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reading /proc with plain system calls.
#include "proc_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

namespace halocline::snapshot {

long read_proc_file(const char* path, char* buffer, std::size_t size) {
    buffer[0] = '\0';
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return -1;
    }
    std::size_t filled = 0;
    while (filled + 1 < size) {
        const auto got = read(file, buffer + filled, size - 1 - filled);
        if (got <= 0) {
            break;
        }
        filled += static_cast<std::size_t>(got);
    }
    close(file);
    buffer[filled] = '\0';
    return static_cast<long>(filled);
}

bool number_after(const char* text, const char* key, std::uint64_t& value) {
    const char* at = std::strstr(text, key);
    if (at == nullptr) {
        return false;
    }
    at += std::strlen(key);
    while (*at == ' ' || *at == '\t' || *at == ':' || *at == '=') {
        ++at;
    }
    if (*at < '0' || *at > '9') {
        return false;
    }
    value = 0;
    for (; *at >= '0' && *at <= '9'; ++at) {
        value = 10 * value + static_cast<std::uint64_t>(*at - '0');
    }
    return true;
}

LineReader::LineReader(const char* path) : file_(open(path, O_RDONLY | O_CLOEXEC)) {}

LineReader::~LineReader() {
    if (file_ >= 0) {
        close(file_);
    }
}

bool LineReader::refill() {
    const auto got = file_ < 0 ? 0 : read(file_, buffer_, sizeof buffer_);
    at_ = 0;
    filled_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    return filled_ > 0;
}

bool LineReader::next(char* line, std::size_t size) {
    std::size_t length = 0;
    bool any = false;
    while (at_ < filled_ || refill()) {
        any = true;
        const char letter = buffer_[at_++];
        if (letter == '\n') {
            break;
        }
        if (length + 1 < size) {
            line[length++] = letter;
        }
    }
    line[length] = '\0';
    return any;
}

}  // namespace halocline::snapshot
