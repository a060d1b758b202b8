// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The record has exactly the keys of its schema; what was not measured is null.
#include "halocline/io/run_record.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "halocline/core/utc_time.hpp"

namespace halocline {
namespace {

using Json = nlohmann::json;

Json schema() {
    std::ifstream file(HALOCLINE_TEST_DATA_DIR
                       "/../python/halocline/record/schema/record.v1.schema.json");
    return Json::parse(file);
}

/// The part of the schema a `$ref`, or the one alternative that is not null, leads to.
Json resolved(const Json& all, Json part) {
    if (part.contains("anyOf")) {
        for (const Json& choice : part["anyOf"]) {
            if (choice.value("type", "") != "null") {
                part = Json(choice);
                break;
            }
        }
    }
    if (part.contains("$ref")) {
        const std::string name = part["$ref"].get<std::string>();
        part = Json(all["$defs"][name.substr(name.rfind('/') + 1)]);
    }
    return part;
}

/// Every object in `value` has just the schema's keys, in depth.
void expect_keys(const Json& all, const Json& part_in, const Json& value,
                 const std::string& where) {
    const Json part = resolved(all, part_in);
    if (value.is_array() && part.contains("items")) {
        for (const Json& item : value) {
            expect_keys(all, part["items"], item, where + "[]");
        }
    }
    if (!value.is_object() || !part.contains("properties")) {
        return;
    }
    std::set<std::string> known;
    std::set<std::string> written;
    for (const auto& [key, unused] : part["properties"].items()) {
        known.insert(key);
    }
    for (const auto& [key, item] : value.items()) {
        written.insert(key);
        if (known.contains(key)) {
            expect_keys(all, part["properties"][key], item, where + "." + key);
        }
    }
    EXPECT_EQ(written, known) << where;
}

/// A loop of 1000 elements and 2e9 bytes in half a second.
record::Loop flux_loop() {
    record::Loop loop;
    loop.name = "flux_edge";
    loop.level = 0;
    loop.set = "edges";
    loop.calls = 2;
    loop.seconds = 0.5;
    loop.elements = 1000;
    loop.bytes = 2000000000;
    return loop;
}

RunRecord full_record() {
    RunRecord run;
    run.program = "mgcfd";
    run.started = utc_now();
    run.run_case = record::Case{"case.toml", "sha256:00"};
    run.hosts = {{"node1", 2, "cpu", 4, 1024}};
    run.devices = {{"node1", "emulated", std::nullopt}};
    run.mpi.thread_level = "multiple";
    run.settings.strategies = {{"flux_edge", "gather"}};
    run.mesh.levels = {{0, 8, 12, 24}};
    run.partition = record::Partition{};
    run.partition->levels = {{0, 1, 1.0, 1, 1}};
    run.loops = {flux_loop()};
    record::LinearSolver pressure;
    pressure.levels = {{1000, 2700}, {125, 300}};
    pressure.solves = 4;
    pressure.iterations = 50;
    run.linear_solvers = {pressure};
    run.triad_gb_per_s = 40.0;
    run.results.rms = {1e-9, std::numeric_limits<double>::quiet_NaN()};
    run.results.norms = {{0, "variables", {1.0}, {0.5}, {2.0}}};
    run.results.validation = record::Validation{
        true,
        "ref",
        {0},
        {{0, 10, 1, 0, 1e-9, 1e-9, 1e-9, 1e-9, 7, 4, 1.0, 1.0, std::vector<double>{0, 1, 2}}}};
    run.results.memory_bound = record::MemoryBound{0.1, 0.5};
    run.status.failure = record::Failure{3, 0, "flux_edge", 7, std::vector<double>{0, 1, 2}};
    return run;
}

TEST(RunRecord, Keys_AreThoseOfTheSchema) {
    const Json all = schema();
    ASSERT_TRUE(all.contains("properties"));
    expect_keys(all, all, Json::parse(to_json_text(full_record())), "record");
}

// 5e5 ns an element, 4 GB/s, a tenth of 40 GB/s.
TEST(RunRecord, DerivedNumbers_FollowFromCounts) {
    const Json loop = Json::parse(to_json_text(full_record()))["loops"][0];
    EXPECT_DOUBLE_EQ(loop["ns_per_element"].get<double>(), 5e5);
    EXPECT_DOUBLE_EQ(loop["gb_per_s"].get<double>(), 4.0);
    EXPECT_DOUBLE_EQ(loop["percent_of_triad"].get<double>(), 10.0);
    EXPECT_TRUE(loop["seconds_max"].is_null());
}

// 50 iterations in 4 solves.
TEST(RunRecord, MeanIterations_FollowFromCounts) {
    const Json solver = Json::parse(to_json_text(full_record()))["linear_solvers"][0];
    EXPECT_DOUBLE_EQ(solver["mean_iterations"].get<double>(), 12.5);
    EXPECT_EQ(solver["levels"][1]["nodes"], 125);
}

TEST(RunRecord, NotANumberAndNotMeasured_AreNull) {
    const Json full = Json::parse(to_json_text(full_record()));
    EXPECT_TRUE(full["results"]["rms"][1].is_null());
    RunRecord bare;
    bare.loops = {record::Loop{}};
    const Json json = Json::parse(to_json_text(bare));
    EXPECT_TRUE(json["triad_gb_per_s"].is_null());
    EXPECT_TRUE(json["partition"].is_null());
    EXPECT_TRUE(json["loops"][0]["level"].is_null());
    EXPECT_TRUE(json["loops"][0]["gb_per_s"].is_null());
    EXPECT_EQ(json["status"]["state"], "ok");
}

TEST(RunRecord, BytesThatAreNoText_DoNotStopTheRecord) {
    RunRecord run;
    run.command = {"mgcfd", "\xff\xfe"};
    EXPECT_EQ(Json::parse(to_json_text(run))["command"].size(), 2U);
}

TEST(RunRecord, Time_IsIso8601InUtc) {
    const std::string now = utc_now();
    ASSERT_EQ(now.size(), 20U);
    EXPECT_EQ(now[10], 'T');
    EXPECT_EQ(now.back(), 'Z');
}

}  // namespace
}  // namespace halocline
