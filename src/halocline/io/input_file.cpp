// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The strict parser of input.dat.
#include "halocline/io/input_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"
#include "halocline/io/text_file.hpp"

namespace halocline {

namespace {

constexpr std::array<std::string_view, 4> known_keys{"size", "num_levels", "mesh_name",
                                                     "base_array_index"};
constexpr std::array<std::string_view, 2> known_sections{"[levels]", "[mg_mapping]"};
constexpr std::array<std::string_view, 4> known_meshes{"la_cascade", "rotor37", "fvcorr", "m6wing"};
constexpr std::int64_t most_levels = 64;

/// A value and the line it came from.
struct Entry {
    int line = 0;
    std::string value;
};

/// Everything the file says, before it is known whether it fits together.
struct RawInput {
    std::map<std::string, Entry, std::less<>> keys;
    std::map<std::string, int, std::less<>> section_lines;
    std::map<std::string, std::map<std::int64_t, Entry>, std::less<>> sections;
};

class InputParser {
public:
    explicit InputParser(const std::string& path) : path_(path) {}

    MgcfdInput parse(std::string_view text) {
        for (const TextLine& line : setting_lines(text, path_)) {
            take_line(line);
        }
        MgcfdInput input;
        input.path = path_;
        input.size = integer("size");
        input.num_levels = static_cast<int>(integer_between("num_levels", 1, most_levels));
        if (raw_.keys.contains("base_array_index")) {
            input.base_array_index = static_cast<int>(integer_between("base_array_index", 0, 1));
        }
        input.mesh_name = mesh_name();
        input.level_files = section_files("[levels]", input.num_levels);
        if (raw_.section_lines.contains("[mg_mapping]")) {
            input.mg_mapping = section_files("[mg_mapping]", input.num_levels - 1);
        }
        return input;
    }

private:
    [[noreturn]] void fail(int line, const std::string& message) const {
        throw InputError((line > 0 ? place(path_, line) : path_) + ": " + message);
    }

    void take_line(const TextLine& line) {
        if (line.text.front() == '[') {
            open_section(line);
            return;
        }
        const std::optional<KeyValue> pair = split_key_value(line.text);
        if (!pair) {
            fail(line.number, "found " + in_quotes(line.text) +
                                  ", which is no 'key = value', '[section]' or '# comment'. "
                                  "Correct or remove the line.");
        }
        if (pair->value.empty()) {
            fail(line.number,
                 "key " + in_quotes(pair->key) + " has no value. Write one behind the '='.");
        }
        const auto known = std::find(known_keys.begin(), known_keys.end(), pair->key);
        if (known == known_keys.end() && !section_.empty()) {
            take_file(line.number, *pair);
        } else {
            take_key(line.number, *pair);
        }
    }

    void open_section(const TextLine& line) {
        if (std::find(known_sections.begin(), known_sections.end(), line.text) ==
            known_sections.end()) {
            fail(line.number, "unknown section " + in_quotes(line.text) + ". " +
                                  suggest_name(line.text, known_sections));
        }
        if (!raw_.section_lines.emplace(line.text, line.number).second) {
            fail(line.number, "section " + line.text + " is given twice (first in line " +
                                  std::to_string(raw_.section_lines[line.text]) +
                                  "). Keep one of them.");
        }
        section_ = line.text;
    }

    void take_key(int line, const KeyValue& pair) {
        section_.clear();
        if (std::find(known_keys.begin(), known_keys.end(), pair.key) == known_keys.end()) {
            fail(line,
                 "unknown key " + in_quotes(pair.key) + ". " + suggest_name(pair.key, known_keys));
        }
        const auto [place_of, is_new] = raw_.keys.emplace(pair.key, Entry{line, pair.value});
        if (!is_new) {
            fail(line, "key '" + pair.key + "' is given twice (first in line " +
                           std::to_string(place_of->second.line) + "). Keep one of them.");
        }
    }

    void take_file(int line, const KeyValue& pair) {
        const std::optional<std::int64_t> index = parse_integer(pair.key);
        if (!index) {
            fail(line, "section " + section_ + " needs lines 'index = file', found key " +
                           in_quotes(pair.key) + ". " + suggest_name(pair.key, known_keys));
        }
        auto& files = raw_.sections[section_];
        const auto [place_of, is_new] = files.emplace(*index, Entry{line, pair.value});
        if (!is_new) {
            fail(line, "index " + std::to_string(*index) + " of " + section_ +
                           " is given twice (first in line " +
                           std::to_string(place_of->second.line) +
                           "). Number the files 0, 1, 2, …");
        }
    }

    const Entry& required(const std::string& key) const {
        const auto found = raw_.keys.find(key);
        if (found == raw_.keys.end()) {
            fail(0, "key '" + key + "' is missing. Add a line '" + key + " = …'.");
        }
        return found->second;
    }

    std::int64_t integer(const std::string& key) const {
        const Entry& entry = required(key);
        const std::optional<std::int64_t> value = parse_integer(entry.value);
        if (!value) {
            fail(entry.line, "'" + key + "' is " + in_quotes(entry.value) +
                                 ", which is not an integer. Write a whole number.");
        }
        return *value;
    }

    std::int64_t integer_between(const std::string& key, std::int64_t low,
                                 std::int64_t high) const {
        const std::int64_t value = integer(key);
        if (value < low || value > high) {
            fail(raw_.keys.find(key)->second.line,
                 "'" + key + "' is " + std::to_string(value) + " (it must be " +
                     std::to_string(low) + (high == low + 1 ? " or " : " to ") +
                     std::to_string(high) + "). Correct the value.");
        }
        return value;
    }

    std::string mesh_name() const {
        const Entry& entry = required("mesh_name");
        if (std::find(known_meshes.begin(), known_meshes.end(), entry.value) ==
            known_meshes.end()) {
            fail(entry.line, "unknown mesh_name " + in_quotes(entry.value) + ". " +
                                 suggest_name(entry.value, known_meshes));
        }
        return entry.value;
    }

    std::vector<std::string> section_files(const std::string& section, int count) const {
        const auto opened = raw_.section_lines.find(section);
        if (opened == raw_.section_lines.end()) {
            fail(0, "section " + section +
                        " is missing (it names the mesh file of each level). Add '" + section +
                        "' and a line 'index = file' for each level.");
        }
        const auto found = raw_.sections.find(section);
        const std::int64_t given =
            found == raw_.sections.end() ? 0 : static_cast<std::int64_t>(found->second.size());
        if (given != count) {
            fail(opened->second, "section " + section + " names " + std::to_string(given) +
                                     (given == 1 ? " file, but" : " files, but") +
                                     " num_levels calls for " + std::to_string(count) +
                                     ". Correct num_levels or the section.");
        }
        std::vector<std::string> files;
        for (std::int64_t level = 0; level < count; ++level) {
            const auto file = found->second.find(level);
            if (file == found->second.end()) {
                fail(opened->second, "section " + section + " has no index " +
                                         std::to_string(level) + ". Number the files 0, 1, 2, …");
            }
            files.push_back(file->second.value);
        }
        return files;
    }

    const std::string& path_;
    std::string section_;
    RawInput raw_;
};

}  // namespace

MgcfdInput parse_mgcfd_input(std::string_view text, const std::string& path) {
    return InputParser(path).parse(text);
}

MgcfdInput read_mgcfd_input(const Communicator& comm, const std::string& path) {
    return parse_mgcfd_input(read_text_file(comm, path, "input file"), path);
}

std::string in_directory(const std::string& directory, const std::string& file) {
    return directory.empty() ? file : (std::filesystem::path(directory) / file).string();
}

}  // namespace halocline
