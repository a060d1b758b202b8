// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The files of cases. All ranks read before MPI_Init, rank 0 writes in MPI_Finalize.
#include "collectives/memory.hpp"

#include "collectives/placement.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "halocline/core/error.hpp"
#include "halocline/core/output_file.hpp"

namespace halocline::endpoints {

namespace {

constexpr const char* first_line = "halocline endpoints memory 1";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// The text of a file, up to a megabyte; empty where it cannot be read.
std::string text_of_file(const std::string& path) {
    const File file(std::fopen(path.c_str(), "rb"), &std::fclose);
    std::string text(file != nullptr ? std::size_t{1} << 20 : 0, '\0');
    text.resize(file != nullptr ? std::fread(text.data(), 1, text.size(), file.get()) : 0);
    return text;
}

std::string stamp_of(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) {
        return {};
    }
    return std::to_string(found.st_size) + " " + std::to_string(found.st_mtim.tv_sec);
}

std::string one_line(std::string text) {
    for (char& c : text) {
        c = c == '\0' || c == '\n' ? ' ' : c;
    }
    return text;
}

/// What follows a label in /proc/cpuinfo, the first time.
std::string model_of_processor() {
    const std::string text = text_of_file("/proc/cpuinfo");
    for (const char* label : {"\nmodel name", "\nCPU part"}) {
        if (const std::size_t at = text.find(label); at != std::string::npos) {
            const std::size_t from = text.find(':', at);
            return text.substr(from + 1, text.find('\n', from) - from - 1);
        }
    }
    return {};
}

/// The first of several variables that is set.
std::string first_of(const Lookup& lookup, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (const char* value = lookup(name); value != nullptr && *value != '\0') {
            return value;
        }
    }
    return {};
}

/// FNV-1a: names the file; the case itself stands in it and is compared.
std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
    return hash;
}

}  // namespace

ProcessFacts facts_of_process(const std::string& mpi_version) {
    ProcessFacts facts;
    std::array<char, PATH_MAX> path{};
    if (const ssize_t length = readlink("/proc/self/exe", path.data(), path.size()); length > 0) {
        facts.program.assign(path.data(), static_cast<std::size_t>(length));
    }
    if (getcwd(path.data(), path.size()) != nullptr) {
        facts.folder = path.data();
    }
    facts.stamp = stamp_of(facts.program);
    facts.arguments = one_line(text_of_file("/proc/self/cmdline"));
    facts.processor = model_of_processor();
    const cpu_set_t online = online_cpus();
    const cpu_set_t own = own_mask();
    facts.cpus = CPU_COUNT(&online);
    facts.own_cpus = CPU_COUNT(&own);
    facts.mpi = one_line(mpi_version);
    return facts;
}

CaseKey case_of(const Settings& settings, const ProcessFacts& facts, const Lookup& lookup) {
    const std::string ranks = first_of(
        lookup, {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
    if (ranks.empty() || facts.program.empty()) {
        return {};
    }
    std::string text = "program " + facts.program + "\nstamp " + facts.stamp;
    if (settings.run_case.empty()) {
        text += "\narguments " + facts.arguments + "\nfolder " + facts.folder;
    } else {
        text += "\ncase " + settings.run_case;
    }
    text += "\nranks " + ranks + "\nranks of node " +
            first_of(lookup, {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
    text += "\nendpoints " + std::to_string(settings.threads) + "\nOMP_NUM_THREADS " +
            first_of(lookup, {"OMP_NUM_THREADS"});
    text += "\nthresholds " + std::to_string(settings.allreduce_threshold) + " " +
            std::to_string(settings.bcast_threshold);
    text += "\nprocessor" + facts.processor + "\ncores " + std::to_string(facts.own_cpus) + " of " +
            std::to_string(facts.cpus) + "\nMPI " + facts.mpi + "\n";
    return {text};
}

std::string memory_folder(const Settings& settings, const Lookup& lookup) {
    if (!settings.memory.empty()) {
        return settings.memory == "none" ? std::string() : settings.memory;
    }
    if (const std::string cache = first_of(lookup, {"XDG_CACHE_HOME"}); !cache.empty()) {
        return cache + "/halocline/endpoints";
    }
    const std::string home = first_of(lookup, {"HOME"});
    return home.empty() ? std::string() : home + "/.cache/halocline/endpoints";
}

Memory::Memory(std::string folder, CaseKey key) : key_(std::move(key)), folder_(std::move(folder)) {
    if (!folder_.empty() && !key_.text.empty()) {
        std::array<char, 17> name{};
        std::snprintf(name.data(), name.size(), "%016llx",
                      static_cast<unsigned long long>(hash_of(key_.text)));
        file_ = folder_ + "/" + name.data() + ".txt";
    }
}

std::optional<Plan> Memory::read() const {
    if (!works()) {
        return std::nullopt;
    }
    const std::string text = text_of_file(file_);
    for (const Plan plan : {Plan::watch, Plan::attempt, Plan::split, Plan::plain}) {
        const std::string head =
            std::string(first_line) + "\n" + key_.text + "plan " + name_of(plan) + "\n";
        if (text.starts_with(head)) {
            return plan;
        }
    }
    return std::nullopt;
}

// Another job may read meanwhile: the file changes in one step.
bool Memory::write(Plan plan, const std::string& reason) const {
    if (!works()) {
        return false;
    }
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    try {
        replace_file(file_, std::string(first_line) + "\n" + key_.text + "plan " + name_of(plan) +
                                "\nwhy " + reason + "\n");
    } catch (const Error&) {
        return false;
    }
    return true;
}

}  // namespace halocline::endpoints
