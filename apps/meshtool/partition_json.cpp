// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Key names and order of the report.
#include "partition_json.hpp"

#include <nlohmann/json.hpp>

namespace halocline::meshtool {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Lists of numbers, one a part; links apart from each other as one list a quantity: short to
/// write, quick to read.
Json json_of_parts(const LevelReport& level) {
    Json from = Json::array();
    Json to = Json::array();
    Json nodes = Json::array();
    for (const dist::PartLink& link : level.nodes.links) {
        from.push_back(link.from);
        to.push_back(link.to);
        nodes.push_back(link.elements);
    }
    return {{"nodes", level.nodes.parts.owned},
            {"shared_nodes", level.nodes.parts.shared},
            {"edges", level.edge_parts.owned},
            {"edges_of_others", level.edge_parts.import_exec},
            {"boundary", level.boundary_parts.owned},
            {"links", {{"from", from}, {"to", to}, {"nodes", nodes}}}};
}

Json json_of(const LevelReport& level, std::size_t index, bool per_part) {
    Json json{{"level", index},
              {"imbalance", level.imbalance},
              {"largest_part", level.nodes.largest},
              {"smallest_part", level.nodes.smallest},
              {"edge_cut", level.edge_cut},
              {"halo_nodes", level.halo_nodes},
              {"import_exec", level.import_exec},
              {"import_nonexec", level.import_nonexec},
              {"neighbours", {{"mean", level.mean_neighbours}, {"max", level.max_neighbours}}},
              {"messages_per_exchange", level.nodes.links.size()},
              {"bytes_per_exchange", level.halo_nodes * bytes_per_element},
              {"disconnected_parts", level.pieces.disconnected_parts},
              {"components", level.pieces.components},
              {"predicted_exchange_s", json_of(level.exchange_s)}};
    if (per_part) {
        json["parts"] = json_of_parts(level);
    }
    return json;
}

Json json_of(const std::vector<LevelReport>& levels, std::size_t first, bool per_part) {
    Json json = Json::array();
    for (std::size_t l = 0; l < levels.size(); ++l) {
        json.push_back(json_of(levels[l], first + l, per_part));
    }
    return json;
}

Json json_of(const WayReport& way, bool per_part) {
    Json json{{"partitioner", way.partitioner}, {"method", way.method}};
    if (!way.error.empty()) {
        json["error"] = way.error;
        return json;
    }
    json["library"] = way.library;
    json["wall_s"] = way.wall_s;
    json["cpu_s"] = way.cpu_s;
    json["memory_bytes"] = json_of(way.memory_bytes);
    json["halo_elements"] = way.halo_elements;
    json["levels"] = json_of(way.levels, 0, per_part);
    if (!way.pressure_levels.empty()) {
        json["pressure_levels"] = json_of(way.pressure_levels, 1, per_part);
    }
    return json;
}

Json sizes_of(const std::vector<MgcfdLevel>& levels, std::size_t first) {
    Json json = Json::array();
    for (std::size_t l = 0; l < levels.size(); ++l) {
        json.push_back({{"level", first + l},
                        {"nodes", levels[l].nodes},
                        {"edges", levels[l].edges},
                        {"boundary_entries", levels[l].boundary_entries}});
    }
    return json;
}

Json mesh_json(const MeshSummary& mesh) {
    Json json{{"input", mesh.input.path},
              {"name", mesh.input.mesh_name},
              {"hash", mesh.hash},
              {"declared_bytes", mesh.declared_bytes},
              {"levels", sizes_of(mesh.levels, 0)}};
    if (!mesh.pressure_levels.empty()) {
        json["pressure_levels"] = sizes_of(mesh.pressure_levels, 1);
    }
    return json;
}

/// Indented for people, unless it lists thousands of parts.
std::string to_text(const Json& json, int indent = 2) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string report_text(const PartitionReport& report, const PartitionOptions& options, int ranks) {
    Json json;
    json["schema"] = "halocline.partition-report";
    json["schema_version"] = 1;
    json["command"] = options.command;
    json["ranks"] = ranks;
    json["parts"] = options.parts;
    json["weights"] = options.weights.empty() ? Json(nullptr) : Json(options.weights);
    json["bytes_per_element"] = bytes_per_element;
    json["mesh"] = mesh_json(report.mesh);
    json["link"] = nullptr;
    if (report.link) {
        json["link"] = {{"latency_s", report.link->latency_s},
                        {"bytes_per_s", report.link->bytes_per_s},
                        {"origin", report.link_measured ? "measured between two ranks" : "given"}};
    }
    json["ways"] = Json::array();
    for (const WayReport& way : report.ways) {
        json["ways"].push_back(json_of(way, options.per_part));
    }
    return to_text(json, options.per_part ? -1 : 2);
}

std::string pattern_text(const WayReport& way, const PartitionOptions& options,
                         const std::string& mesh) {
    std::vector<Json> sends(static_cast<std::size_t>(options.parts), Json::array());
    for (const dist::PartLink& link : way.levels.front().nodes.links) {
        sends[static_cast<std::size_t>(link.from)].push_back(
            {{"peer", link.to}, {"elements", link.elements}});
    }
    Json json;
    json["format"] = "halocline-exchange-pattern";
    json["version"] = 1;
    json["made_by"] = options.command;
    json["source"] = {
        {"mesh", mesh}, {"partitioner", way.partitioner}, {"method", way.method}, {"level", 0}};
    json["ranks"] = options.parts;
    json["bytes_per_element"] = bytes_per_element;
    json["sends"] = sends;
    return to_text(json);
}

}  // namespace halocline::meshtool
