// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The report as JSON, keys in the order of docs/formats/halo-result.md.
#include <nlohmann/json.hpp>

#include "bench_parts/report_heading.hpp"
#include "halocline/core/output_file.hpp"
#include "report.hpp"

namespace halocline::halo_bench {

namespace {

using json = nlohmann::ordered_json;

json device_json(const Report& report) {
    if (!report.device) {
        return {{"kind", "none"}, {"name", "none"}, {"note", report.device_note}};
    }
    json made{{"kind", report.device->kind},
              {"name", report.device->name},
              {"details", report.device->details},
              {"note", report.device_note}};
    if (report.gpus > 0) {
        made["gpus"] = report.gpus;
        made["takes_turns"] = report.takes_turns;
    }
    if (report.device->kind == "emulated") {
        made["link_latency_s"] = report.options.device.link.latency_s;
        made["link_bytes_per_s"] = report.options.device.link.bytes_per_s;
    }
    return made;
}

json row_json(const Row& row) {
    return {{"scheme", row.scheme},
            {"fields", row.fields},
            {"link_copies", row.cost.link_copies},
            {"link_bytes", row.cost.link_bytes},
            {"messages", row.cost.messages},
            {"message_bytes", row.cost.message_bytes},
            {"checked_values", row.checked_values},
            {"min_s", row.time.min_s},
            {"lower_s", row.time.lower_s},
            {"median_s", row.time.median_s},
            {"upper_s", row.time.upper_s},
            {"max_s", row.time.max_s}};
}

json mesh_json(const MeshReport& mesh) {
    json made{{"vertices", mesh.vertices},
              {"whole_bytes", mesh.whole_bytes},
              {"halo_bytes", mesh.halo_bytes},
              {"sent_bytes", mesh.sent_bytes},
              {"sent_to", mesh.sent_to},
              {"directions", mesh.directions},
              {"all_are_neighbours", mesh.all_are_neighbours}};
    made["rows"] = json::array();
    for (const Row& row : mesh.rows) {
        made["rows"].push_back(row_json(row));
    }
    return made;
}

json run_json(const Report& report) {
    json made{{"started", report.started},
              {"command", report.options.command},
              {"host", report.host},
              {"one_host", report.one_host},
              {"mpi", report.mpi},
              {"domains", report.ranks},
              {"device", device_json(report)},
              {"partitioner", report.partitioner},
              {"repetitions", report.options.repetitions}};
    made["refused"] = json::array();
    for (const SchemeRefusal& refusal : report.refused) {
        made["refused"].push_back({{"scheme", refusal.scheme}, {"reason", refusal.reason}});
    }
    made["meshes"] = json::array();
    for (const MeshReport& mesh : report.meshes) {
        made["meshes"].push_back(mesh_json(mesh));
    }
    return made;
}

}  // namespace

void write_json(const Communicator& comm, const Report& report, const std::string& path) {
    run_agreed(comm, [&] {
        if (comm.is_root()) {
            json made = bench_parts::report_heading("halocline-halo-result", 1);
            made["runs"] = json::array({run_json(report)});
            made["records"] = json::array();
            replace_file(path, made.dump(1) + "\n");
        }
    });
}

}  // namespace halocline::halo_bench
