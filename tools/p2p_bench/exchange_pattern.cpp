// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A strict reader: a misread pattern would measure something else without a word.
#include "exchange_pattern.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline::p2p {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 7> top_keys{
    "format", "version", "made_by", "source", "ranks", "bytes_per_element", "sends"};
constexpr std::array<std::string_view, 3> message_keys{"peer", "elements", "bytes"};
constexpr std::int64_t most_bytes = (std::int64_t{1} << 31) - 1;  // MPI counts are int

class Reader {
public:
    explicit Reader(const std::string& path) : path_(path) {}

    ExchangePattern read(const std::string& text) const {
        const json file = json::parse(text, nullptr, false);
        if (!file.is_object() || !file.contains("format") ||
            file.at("format") != "halocline-exchange-pattern") {
            refuse("is not an exchange pattern (\"format\" is not \"halocline-exchange-pattern\")");
        }
        check_keys(file, top_keys, "");
        if (!file.contains("version") || file.at("version") != 1) {
            refuse("has a version that this program does not know (it knows 1)");
        }
        const std::int64_t ranks = integer(file, "ranks", "");
        const std::int64_t element =
            file.contains("bytes_per_element") ? integer(file, "bytes_per_element", "") : 0;
        if (!file.contains("sends") || !file.at("sends").is_array() ||
            static_cast<std::int64_t>(file.at("sends").size()) != ranks || ranks < 1) {
            refuse("'sends' is not one list for each of the 'ranks' ranks");
        }
        ExchangePattern pattern;
        for (const json& list : file.at("sends")) {
            pattern.sends.push_back(messages(list, pattern.ranks(), ranks, element));
        }
        return pattern;
    }

private:
    [[noreturn]] void refuse(const std::string& reason) const {
        throw InputError(path_ + ": " + reason +
                         ". Write it anew with halocline mesh partition … --pattern.");
    }

    void check_keys(const json& object, std::span<const std::string_view> known,
                    const std::string& where) const {
        for (const auto& [key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end()) {
                throw InputError(path_ + ": unknown key '" + where + key + "'. " +
                                 suggest_name(key, known));
            }
        }
    }

    std::int64_t integer(const json& object, const char* key, const std::string& where) const {
        if (!object.contains(key) || !object.at(key).is_number_integer() ||
            object.at(key).get<std::int64_t>() < 0) {
            refuse("'" + where + key + "' is not a whole number of 0 or more");
        }
        return object.at(key).get<std::int64_t>();
    }

    std::vector<ExchangePattern::Message> messages(const json& list, int rank, std::int64_t ranks,
                                                   std::int64_t element) const {
        const std::string where = "sends[" + std::to_string(rank) + "]";
        if (!list.is_array()) {
            refuse("'" + where + "' is not a list");
        }
        std::vector<ExchangePattern::Message> found;
        std::set<std::int64_t> peers;
        for (const json& entry : list) {
            const std::string here = where + "[" + std::to_string(&entry - &list.front()) + "].";
            if (!entry.is_object()) {
                refuse("'" + here.substr(0, here.size() - 1) + "' is not a message");
            }
            check_keys(entry, message_keys, here);
            const std::int64_t peer = integer(entry, "peer", here);
            if (peer >= ranks || peer == rank || !peers.insert(peer).second) {
                refuse("'" + here + "peer' is " + std::to_string(peer) +
                       " (it must be another rank of the " + std::to_string(ranks) +
                       ", once in a list)");
            }
            const std::int64_t bytes = length(entry, element, here);
            if (bytes > 0) {
                found.push_back({static_cast<int>(peer), static_cast<std::size_t>(bytes)});
            }
        }
        return found;
    }

    std::int64_t length(const json& entry, std::int64_t element, const std::string& where) const {
        const bool by_elements = entry.contains("elements");
        if (by_elements == entry.contains("bytes")) {
            refuse("'" + where + "elements' or '" + where + "bytes' must be given, one of them");
        }
        if (by_elements && element < 1) {
            refuse("'bytes_per_element' is missing or 0, and '" + where + "elements' needs it");
        }
        const std::int64_t count = integer(entry, by_elements ? "elements" : "bytes", where);
        const std::int64_t unit = by_elements ? element : 1;
        if (count > most_bytes / unit) {
            refuse("'" + where + (by_elements ? "elements" : "bytes") +
                   "' makes a message beyond 2 GiB");
        }
        return count * unit;
    }

    const std::string& path_;
};

}  // namespace

ExchangePattern parse_exchange_pattern(const std::string& text, const std::string& path) {
    return Reader(path).read(text);
}

ExchangePattern read_exchange_pattern(const std::string& path) {
    std::error_code failure;
    const bool regular = std::filesystem::is_regular_file(path, failure);
    std::ifstream file(regular ? path : std::string());
    if (!file) {
        throw InputError(
            path +
            ": cannot be read (it is missing, not permitted or no regular file). Write one with "
            "halocline mesh partition … --pattern.");
    }
    std::ostringstream text;
    text << file.rdbuf();
    return parse_exchange_pattern(text.str(), path);
}

}  // namespace halocline::p2p
