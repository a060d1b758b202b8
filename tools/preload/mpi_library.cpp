// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Identifies the MPI library of the process. Uses the C library alone: it runs before constructors.
#include "preload/mpi_library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifndef _GNU_SOURCE
#error "dladdr and RTLD_NEXT need _GNU_SOURCE"
#endif

namespace halocline::preload {

namespace {

constexpr const char* own_family = HALOCLINE_FAMILY;
constexpr const char* title = HALOCLINE_TOOL_TITLE;
constexpr int environment_error = 4;

/// Symbols that belong to a family's binary interface, not to a version of it.
struct Mark {
    const char* symbol;
    const char* family;
};
constexpr Mark marks[] = {{"ompi_mpi_comm_world", "openmpi"}, {"MPIR_Dup_fn", "mpich"}};
/// The name that the MPI 5 standard gives the library of its own binary interface.
constexpr const char* standard_name = "libmpi_abi.";

const char* file_name(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

bool begins_with(const char* text, const char* start) {
    return std::strncmp(text, start, std::strlen(start)) == 0;
}

void* open_loaded(const char* path) { return dlopen(path, RTLD_LAZY | RTLD_NOLOAD); }

/// Files that may be MPI libraries, by their names. dlopen must not be called while they are listed: it
/// takes the loader's locks in another order.
struct Candidates {
    char paths[8][PATH_MAX];
    int count;
};

int note_candidate(dl_phdr_info* info, std::size_t, void* list) {
    auto& found = *static_cast<Candidates*>(list);
    if (info->dlpi_name != nullptr && begins_with(file_name(info->dlpi_name), "libmpi") &&
        found.count < 8) {
        std::snprintf(found.paths[found.count++], PATH_MAX, "%s", info->dlpi_name);
    }
    return 0;
}

/// A loaded MPI library that the global search does not reach: dlopen with RTLD_LOCAL, as in Python.
void* find_hidden_library() {
    Candidates found{};
    dl_iterate_phdr(note_candidate, &found);
    for (int i = 0; i < found.count; ++i) {
        void* handle = open_loaded(found.paths[i]);
        if (handle != nullptr && dlsym(handle, "PMPI_Init") != nullptr) {
            return handle;
        }
    }
    return nullptr;
}

/// Once found, it stays: MPI is never unloaded.
void* hidden_library() {
    static std::atomic<void*> library{nullptr};
    void* found = library.load(std::memory_order_acquire);
    if (found == nullptr) {
        found = find_hidden_library();
        library.store(found, std::memory_order_release);
    }
    return found;
}

void* find_from(void* first, const char* name) {
    if (void* found = dlsym(first, name)) {
        return found;
    }
    void* library = hidden_library();
    return library == nullptr ? nullptr : dlsym(library, name);
}

/// An MPI library of the process; `family` is "" for those that no tool library is made for.
struct Found {
    const char* path;
    const char* family;
};

Found library_at(const void* address) {
    Dl_info info{};
    if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
        return {"unknown", ""};
    }
    void* handle = open_loaded(info.dli_fname);
    if (handle == nullptr || begins_with(file_name(info.dli_fname), standard_name)) {
        return {info.dli_fname, ""};
    }
    for (const Mark& mark : marks) {
        if (dlsym(handle, mark.symbol) != nullptr) {
            return {info.dli_fname, mark.family};
        }
    }
    return {info.dli_fname, ""};
}

/// Whether this is the first rank, or the launcher does not tell.
bool is_first() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
        if (const char* rank = std::getenv(name)) {
            return std::strcmp(rank, "0") == 0;
        }
    }
    return true;
}

void say(const char* sentence, const Found& found, const char* advice) {
    char text[2 * PATH_MAX];
    const int length =
        std::snprintf(text, sizeof text, "%s: %s (%s). %s\n", title, sentence, found.path, advice);
    [[maybe_unused]] const auto written =
        write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

/// This library's file with another family in its name; false where the name has none.
bool sibling_of(const char* own, const char* family, char* made, std::size_t room) {
    char mark[32];
    std::snprintf(mark, sizeof mark, "-%s", own_family);
    const char* name = file_name(own);
    const char* at = std::strstr(name, mark);
    if (at == nullptr) {
        return false;
    }
    std::snprintf(made, room, "%.*s-%s%s", static_cast<int>(at - own), own, family,
                  at + std::strlen(mark));
    return true;
}

/// LD_PRELOAD with `replacement` (may be empty) for the entry of this library.
void replace_in_preload(const char* own, const char* replacement) {
    const char* given = std::getenv("LD_PRELOAD");
    if (given == nullptr) {
        return;
    }
    const std::size_t room = std::strlen(given) + std::strlen(replacement) + 1;
    char* made = static_cast<char*>(std::calloc(1, room));
    char* rest = strdup(given);
    char* state = nullptr;
    for (char* entry = strtok_r(rest, ": ", &state); entry != nullptr;
         entry = strtok_r(nullptr, ": ", &state)) {
        const char* kept = std::strcmp(file_name(entry), file_name(own)) == 0 ? replacement : entry;
        if (*kept != '\0') {
            std::strcat(made, *made == '\0' ? "" : ":");
            std::strcat(made, kept);
        }
    }
    setenv("LD_PRELOAD", made, 1);
    std::free(made);
    std::free(rest);
}

constexpr const char* changed_variable = "HALOCLINE_PRELOAD_CHANGED";

/// Starts this process again, with the sibling or without this library. Returns when it cannot.
void start_again(const Found& found, char** argv) {
    Dl_info own{};
    char program[PATH_MAX] = "";
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    // A loader that was started by hand has eaten its own arguments.
    if (dladdr(reinterpret_cast<const void*>(&find_mpi_function), &own) == 0 || length <= 0 ||
        begins_with(file_name(program), "ld-") || begins_with(file_name(program), "ld.so") ||
        std::getenv(changed_variable) != nullptr) {
        return;
    }
    char sibling[PATH_MAX] = "";
    if (*found.family == '\0' ||
        !sibling_of(own.dli_fname, found.family, sibling, sizeof sibling) ||
        access(sibling, R_OK) != 0) {
        *sibling = '\0';
        if (is_first()) {
            say("the program uses an MPI library that no library of this tool serves", found,
                "It runs without the tool; link it to Open MPI or MPICH.");
        }
    }
    replace_in_preload(own.dli_fname, sibling);
    setenv(changed_variable, "1", 1);
    execv(program, argv);
}

[[noreturn]] void refuse(const Found& found) {
    const bool known = *found.family != '\0';
    if (!is_first()) {
        sleep(1);  // a launcher ends all when one is gone: the first rank shall have spoken
        _exit(environment_error);
    }
    char advice[128];
    std::snprintf(advice, sizeof advice,
                  known ? "Say which one the program uses: --mpi %s."
                        : "Run it without the tool, or with Open MPI or MPICH.",
                  found.family);
    say(known ? "the preloaded library serves " HALOCLINE_FAMILY
                ", and the program has loaded another MPI library"
              : "the program has loaded an MPI library that no library of this tool serves",
        found, advice);
    _exit(environment_error);
}

bool is_own(const Found& found) { return std::strcmp(found.family, own_family) == 0; }

/// For programs that are linked to MPI: before anything of theirs has run.
__attribute__((constructor)) void make_way(int, char** argv, char**) {
    const void* init = dlsym(RTLD_NEXT, "PMPI_Init");
    if (init == nullptr) {
        unsetenv(changed_variable);
        return;
    }
    const Found found = library_at(init);
    if (!is_own(found)) {
        start_again(found, argv);
        refuse(found);
    }
    unsetenv(changed_variable);  // what this process starts is looked at anew
}

void require_own_family() {
    static std::atomic<bool> known{false};
    if (known.load(std::memory_order_acquire)) {
        return;
    }
    const void* init = find_from(RTLD_NEXT, "PMPI_Init");
    const Found found = init == nullptr ? Found{"none is loaded", ""} : library_at(init);
    if (!is_own(found)) {
        refuse(found);
    }
    known.store(true, std::memory_order_release);
}

}  // namespace

void* find_mpi_function(const char* name) {
    require_own_family();
    // Another tool of ours may stand between this one and MPI (export.hpp: dlsym does not see it).
    void* other_tool = dlvsym(RTLD_NEXT, name, "HALOCLINE");
    return other_tool != nullptr ? other_tool : find_from(RTLD_NEXT, name);
}

void* find_mpi_data(const char* name) { return find_from(RTLD_DEFAULT, name); }

}  // namespace halocline::preload
