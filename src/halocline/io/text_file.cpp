// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reading and splitting of setting files.
#include "halocline/io/text_file.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// Far above any setting file; protects from a mesh or a device given by mistake.
constexpr std::size_t largest_text_bytes = std::size_t{1} << 20U;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\v\f";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string load_text(const std::string& path, const std::string& what) {
    require_regular_file(path, what);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw InputError(what + " '" + path + "' cannot be opened (" + std::strerror(errno) +
                         "). Check its name and folder.");
    }
    std::string text(largest_text_bytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    validate<InputError>(!file.bad(), what + " '" + path + "' cannot be read. Check the disk.");
    text.resize(static_cast<std::size_t>(file.gcount()));
    validate<InputError>(text.size() <= largest_text_bytes && text.rfind("\x89HDF", 0) != 0,
                         what + " '" + path +
                             "' is not a file of settings (it is too large or an HDF5 file). "
                             "Name the text file that lists the settings.");
    return text;
}

}  // namespace

void require_regular_file(const std::string& path, const std::string& what) {
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(path, failure);
    if (std::filesystem::is_directory(status)) {
        throw InputError(what + " '" + path +
                         "' is a folder (a file is needed). Name the file in it.");
    }
    validate<InputError>(
        !std::filesystem::exists(status) || std::filesystem::is_regular_file(status),
        what + " '" + path +
            "' is a pipe or device (the run could wait for it for ever). Copy its "
            "contents to a file and name that.");
}

std::string read_text_file(const Communicator& comm, const std::string& path,
                           const std::string& what) {
    std::string text;
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            text = load_text(path, what);
        }
    });
    return comm.broadcast(text);
}

std::vector<TextLine> setting_lines(std::string_view text, const std::string& path) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    validate<InputError>(text.find('\0') == std::string_view::npos,
                         path + ": this is not a text file (it holds zero bytes). Check its name.");
    std::vector<TextLine> lines;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        ++number;
        if (!line.empty() && line.front() != '#') {
            lines.push_back({number, std::string(line)});
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::optional<KeyValue> split_key_value(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
        return std::nullopt;
    }
    return KeyValue{std::string(trimmed(line.substr(0, equals))),
                    std::string(trimmed(line.substr(equals + 1)))};
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || text.empty()) {
        return std::nullopt;
    }
    return value;
}

std::string place(const std::string& path, int line) { return path + ":" + std::to_string(line); }

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 80;
    std::string result = "'";
    for (const char c : text.substr(0, longest)) {
        const auto code = static_cast<unsigned char>(c);
        result += code < 0x20 || code == 0x7F ? '?' : c;
    }
    return result + (text.size() > longest ? "…'" : "'");
}

}  // namespace halocline
