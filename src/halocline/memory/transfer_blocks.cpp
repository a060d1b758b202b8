// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads transfer-blocks.json strictly: a wrong key would silently cost speed.
#include "halocline/memory/transfer_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline {

namespace {

constexpr std::array<std::string_view, 6> known_keys{"format",  "version", "made_by",
                                                     "machine", "device",  "entries"};

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
    throw InputError(path + ": " + reason +
                     " Write it anew with halocline p2p --sweep --write-blocks.");
}

void check_keys(const std::string& path, const nlohmann::json& file) {
    for (const auto& [key, value] : file.items()) {
        if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end()) {
            refuse(path, "unknown key '" + key + "'. " + suggest_name(key, known_keys));
        }
    }
}

std::size_t read_size(const std::string& path, const nlohmann::json& entry, const char* key) {
    if (!entry.is_object() || !entry.contains(key) || !entry.at(key).is_number_unsigned()) {
        refuse(path, std::string("an entry has no '") + key + "' that is a whole number.");
    }
    return entry.at(key).get<std::size_t>();
}

}  // namespace

TransferBlocks::TransferBlocks()
    : entries_{{0, 0}, {std::size_t{512} << 10, std::size_t{256} << 10}} {}

TransferBlocks::TransferBlocks(std::vector<Entry> entries) : entries_(std::move(entries)) {
    const bool ascending = std::is_sorted(
        entries_.begin(), entries_.end(),
        [](const Entry& a, const Entry& b) { return a.message_bytes <= b.message_bytes; });
    validate<ContractError>(ascending,
                            "transfer blocks are out of order (message sizes must ascend). Sort "
                            "them.");
}

TransferBlocks TransferBlocks::read(const std::string& path) {
    std::ifstream stream(path);
    if (!stream) {
        refuse(path, "cannot be read (it is missing or not permitted).");
    }
    const nlohmann::json file = nlohmann::json::parse(stream, nullptr, false);
    if (!file.is_object() || file.value("format", "") != "halocline-transfer-blocks") {
        refuse(path,
               "is not a transfer-blocks file (\"format\" is not \"halocline-transfer-blocks\").");
    }
    check_keys(path, file);
    if (!file.contains("version") || file.at("version") != 1) {
        refuse(path, "has a version that this program does not know (it knows 1).");
    }
    if (!file.contains("entries") || !file.at("entries").is_array()) {
        refuse(path, "has no list 'entries'.");
    }
    std::vector<Entry> entries;
    for (const nlohmann::json& entry : file.at("entries")) {
        entries.push_back(
            {read_size(path, entry, "message_bytes"), read_size(path, entry, "block_bytes")});
        if (entries.size() > 1 &&
            entries[entries.size() - 2].message_bytes >= entries.back().message_bytes) {
            refuse(path, "'entries' are out of order (message_bytes must ascend).");
        }
    }
    TransferBlocks blocks(std::move(entries));
    blocks.origin_ = path;
    return blocks;
}

TransferBlocks TransferBlocks::of_this_machine() {
    const std::string path = default_path();
    return !path.empty() && std::filesystem::exists(path) ? read(path) : TransferBlocks();
}

TransferBlocks TransferBlocks::of_root(const Communicator& comm) {
    TransferBlocks own;
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            own = of_this_machine();
        }
    });
    std::string bytes(own.entries_.size() * sizeof(Entry), '\0');
    std::memcpy(bytes.data(), own.entries_.data(), bytes.size());
    bytes = comm.broadcast(bytes);
    std::vector<Entry> entries(bytes.size() / sizeof(Entry));
    std::memcpy(entries.data(), bytes.data(), bytes.size());
    TransferBlocks agreed(std::move(entries));
    agreed.origin_ = comm.broadcast(own.origin_);
    return agreed;
}

std::string TransferBlocks::default_path() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    if (const std::string path = variable("HALOCLINE_TRANSFER_BLOCKS"); !path.empty()) {
        return path;
    }
    std::string folder = variable("XDG_CONFIG_HOME");
    if (folder.empty() && !variable("HOME").empty()) {
        folder = variable("HOME") + "/.config";
    }
    return folder.empty() ? "" : folder + "/halocline/transfer-blocks.json";
}

std::size_t TransferBlocks::block_for(std::size_t message_bytes) const {
    std::size_t block = 0;
    for (const Entry& entry : entries_) {
        if (entry.message_bytes > message_bytes) {
            break;
        }
        block = entry.block_bytes;
    }
    return block < message_bytes ? block : 0;
}

}  // namespace halocline
