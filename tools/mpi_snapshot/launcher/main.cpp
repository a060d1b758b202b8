// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// halocline-snapshot: the last word of a launch line before the program; preloads the recorder.
#include "mpi_family.hpp"

#include "halocline/core/nearest.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

namespace halocline::snapshot {

namespace {

constexpr int usage_error = 2;
constexpr int environment_error = 4;
constexpr int run_failed = 5;

constexpr const char* help =
    R"(halocline-snapshot: record an MPI program, started once for each rank by a launcher.

usage: mpirun -n 4 halocline-snapshot [options] PROGRAM [ARGUMENTS]

  -o, --output DIR   folder of the rank files (default: $HALOCLINE_SNAPSHOT_DIR, else
                     halocline-snapshot); it must be seen by all hosts
  --mpi FAMILY       openmpi or mpich, where neither launcher nor program tell (Python under srun)
  --depth N          frames of a call site, 1 to 8 (default 1)
  --no-sites         no call sites
  --no-io            no timing of file calls
  --no-openmp        no timing of parallel regions
  --version          print the version
  -h, --help         this text

examples:
  mpirun -n 4 halocline-snapshot ./app case.in
  srun -n 64 halocline-snapshot -o $SLURM_SUBMIT_DIR/run1 ./app
  halocline snapshot show run1        # the report, afterwards

`halocline snapshot -- mpirun -n 4 ./app` does both steps at once.
)";

constexpr std::string_view option_names[] = {"--output", "--mpi",       "--depth",   "--no-sites",
                                             "--no-io",  "--no-openmp", "--version", "--help"};

struct Options {
    std::string folder;
    std::optional<Family> family;
    int program = 0;  // index in argv
};

[[noreturn]] void fail(int code, const std::string& text) {
    std::cerr << "halocline-snapshot: " << text << '\n';
    std::exit(code);
}

[[noreturn]] void show(const char* text) {
    std::cout << text << std::flush;
    if (!std::cout) {
        fail(run_failed, "standard output cannot be written. Send it elsewhere.");
    }
    std::exit(0);
}

void set_variable(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

std::string value_of(int argc, char** argv, int& at) {
    if (at + 1 >= argc) {
        fail(usage_error, std::string(argv[at]) + " needs a value. See halocline-snapshot --help.");
    }
    return argv[++at];
}

Family family_named(const std::string& name) {
    if (name != "openmpi" && name != "mpich") {
        fail(usage_error, "--mpi " + name + " is not known. Use openmpi or mpich.");
    }
    return name == "openmpi" ? Family::openmpi : Family::mpich;
}

void set_depth(const std::string& text) {
    if (text.size() != 1 || text[0] < '1' || text[0] > '8') {
        fail(usage_error, "--depth " + text + " is not a number from 1 to 8.");
    }
    set_variable("HALOCLINE_SNAPSHOT_DEPTH", text);
}

void read_option(int argc, char** argv, int& at, Options& options) {
    const std::string word = argv[at];
    if (word == "-h" || word == "--help") {
        show(help);
    } else if (word == "--version") {
        show("halocline-snapshot " HALOCLINE_VERSION "\n");
    } else if (word == "-o" || word == "--output") {
        options.folder = value_of(argc, argv, at);
    } else if (word == "--mpi") {
        options.family = family_named(value_of(argc, argv, at));
    } else if (word == "--depth") {
        set_depth(value_of(argc, argv, at));
    } else if (word == "--no-sites" || word == "--no-io" || word == "--no-openmp") {
        std::string variable = "HALOCLINE_SNAPSHOT_";
        for (const char letter : word.substr(5)) {
            variable += static_cast<char>(letter - 'a' + 'A');
        }
        set_variable(variable.c_str(), "0");
    } else {
        fail(usage_error, "unknown option '" + word +
                              "' (options of the program come after its name). " +
                              suggest_name(word, option_names));
    }
}

Options read_options(int argc, char** argv) {
    Options options;
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; ++at) {
        if (std::strcmp(argv[at], "--") == 0) {
            ++at;
            break;
        }
        read_option(argc, argv, at, options);
    }
    if (at >= argc) {
        fail(usage_error, "no program is named. Example: mpirun -n 4 halocline-snapshot ./app");
    }
    options.program = at;
    return options;
}

/// The file that execvp would run.
std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return name;
    }
    const char* path = std::getenv("PATH");
    std::string rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        std::string candidate = rest.substr(0, colon) + "/" + name;
        if (access(candidate.c_str(), X_OK) == 0) {
            return candidate;
        }
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
    return name;
}

Family find_family(const Options& options, const std::string& program) {
    if (options.family) {
        return *options.family;
    }
    if (inspect(program) == FileKind::static_program) {
        std::cerr
            << "halocline-snapshot: " << program
            << " is linked statically (nothing can be preloaded into it), nothing is recorded. "
               "Link it with the shared MPI library.\n";
        return Family::none;
    }
    return family_of_launcher();
}

std::string library_name(Family family) {
    return std::string("libhalocline-snapshot-") +
           (family == Family::openmpi ? "openmpi" : "mpich") + ".so";
}

/// Beside an installed or a built launcher, or where HALOCLINE_TOOLS says. Where only the other
/// family's recorder is installed, that one: it knows what it cannot record.
std::string find_library(Family family) {
    namespace fs = std::filesystem;
    const Family other = family == Family::openmpi ? Family::mpich : Family::openmpi;
    const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
    const char* given = std::getenv("HALOCLINE_TOOLS");
    for (const std::string& name : {library_name(family), library_name(other)}) {
        for (const fs::path& folder :
             {fs::path(given == nullptr ? "" : given), prefix / HALOCLINE_TOOL_LIBRARY_DIR,
              prefix / "lib" / "halocline"}) {
            if (!folder.empty() && fs::exists(folder / name)) {
                return fs::absolute(folder / name);
            }
        }
    }
    fail(environment_error, library_name(family) + " was not found in " +
                                (prefix / HALOCLINE_TOOL_LIBRARY_DIR).string() +
                                ". Build it (make build, with both MPI libraries' headers) or set "
                                "HALOCLINE_TOOLS to its folder.");
}

void preload(const std::string& library) {
    if (library.find_first_of(" :") != std::string::npos) {
        fail(environment_error, library +
                                    " has a blank or colon in its path (LD_PRELOAD cannot name "
                                    "it). Install halocline elsewhere.");
    }
    const char* others = std::getenv("LD_PRELOAD");
    set_variable("LD_PRELOAD",
                 others == nullptr || *others == '\0' ? library : library + ":" + others);
}

void set_folder(const Options& options) {
    const char* given = std::getenv("HALOCLINE_SNAPSHOT_DIR");
    std::string folder = options.folder;
    if (folder.empty()) {
        folder = given != nullptr && *given != '\0' ? given : "halocline-snapshot";
    }
    // The program may change its working directory before MPI_Init.
    set_variable("HALOCLINE_SNAPSHOT_DIR", std::filesystem::absolute(folder));
    set_variable("HALOCLINE_SNAPSHOT_ANNOUNCE", "1");
}

}  // namespace

int run(int argc, char** argv) {
    const Options options = read_options(argc, argv);
    char** command = argv + options.program;
    const Family family = find_family(options, find_program(command[0]));
    if (family != Family::none) {
        preload(find_library(family));
        set_folder(options);
    }
    execvp(command[0], command);
    const int code = errno == ENOENT ? 127 : 126;
    fail(code, std::string(command[0]) + " cannot be started (" + std::strerror(errno) + ").");
}

}  // namespace halocline::snapshot

int main(int argc, char** argv) { return halocline::snapshot::run(argc, argv); }
