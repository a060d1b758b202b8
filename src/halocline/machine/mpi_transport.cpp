// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Reads MPI_T, /proc/self/maps, /proc/net/dev and /sys; nothing here is guessed from names alone.
#include "halocline/machine/mpi_transport.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace halocline {

namespace {

namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string mpi_library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
}

/// Value of one control variable of the tools interface, as text; empty when there is none.
std::string read_control_variable(int index) {
    std::array<char, 256> name{};
    std::array<char, 1024> about{};
    int name_length = static_cast<int>(name.size());
    int about_length = static_cast<int>(about.size());
    int verbosity = 0;
    int binding = 0;
    int scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum names = MPI_T_ENUM_NULL;
    if (MPI_T_cvar_get_info(index, name.data(), &name_length, &verbosity, &type, &names,
                            about.data(), &about_length, &binding, &scope) != MPI_SUCCESS ||
        binding != MPI_T_BIND_NO_OBJECT) {
        return "";
    }
    MPI_T_cvar_handle handle = nullptr;
    int count = 0;
    if (MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS) {
        return "";
    }
    std::string value;
    if (type == MPI_CHAR && count < 4096) {
        std::array<char, 4097> text{};
        MPI_T_cvar_read(handle, text.data());
        value = text.data();
    } else if (type == MPI_INT && count == 1) {
        int number = 0;
        MPI_T_cvar_read(handle, &number);
        value = std::to_string(number);
        std::array<char, 128> item{};
        int item_length = static_cast<int>(item.size());
        if (names != MPI_T_ENUM_NULL &&
            MPI_T_enum_get_item(names, number, &number, item.data(), &item_length) == MPI_SUCCESS) {
            value = item.data();
        }
    }
    MPI_T_cvar_handle_free(&handle);
    return value;
}

/// Settings that decide the path, in either library; those that are there and not empty.
void add_control_variables(std::vector<Evidence>& found) {
    constexpr std::array<const char*, 7> wanted{"pml",
                                                "btl",
                                                "btl_vader_single_copy_mechanism",
                                                "smsc",
                                                "opal_common_ucx_tls",
                                                "MPIR_CVAR_CH4_NETMOD",
                                                "MPIR_CVAR_CH4_SHM"};
    // The level that MPI has: Open MPI 4.1 takes another one for all of MPI from then on.
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    int provided = 0;
    if (MPI_T_init_thread(level, &provided) != MPI_SUCCESS) {
        return;
    }
    for (const char* name : wanted) {
        int index = -1;
        if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS) {
            if (const std::string value = read_control_variable(index); !value.empty()) {
                found.push_back({name, value, "MPI_T control variable"});
            }
        }
    }
    MPI_T_finalize();
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

bool exists(const std::string& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::vector<std::string> entries_of(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

std::vector<std::string> components_in(const std::string& maps, const std::string& framework) {
    const std::string prefix = framework == "uct" ? "libuct_" : "mca_" + framework + "_";
    const std::regex pattern(prefix + "([a-z0-9_]+)\\.so");
    std::set<std::string> names;
    for (auto at = std::sregex_iterator(maps.begin(), maps.end(), pattern);
         at != std::sregex_iterator(); ++at) {
        names.insert((*at)[1]);
    }
    return {names.begin(), names.end()};
}

std::vector<Evidence> describe_transport(const Communicator& comm) {
    std::vector<Evidence> found;
    const std::string version = mpi_library_version();
    found.push_back({"library", first_line(version).substr(0, 60), "MPI_Get_library_version"});
    std::smatch device;
    const std::regex mpich_device("MPICH Device:\\s*(\\S+)");
    if (std::regex_search(version, device, mpich_device)) {
        found.push_back({"device", device[1], "MPI_Get_library_version"});
    }
    const std::string maps = read_file("/proc/self/maps");
    const std::array<std::array<const char*, 2>, 4> frameworks{
        {{"pml", "message layer (pml)"},
         {"mtl", "matching layer (mtl)"},
         {"btl", "byte transports open (btl)"},
         {"uct", "UCX transports loaded (uct)"}}};
    for (const auto& [framework, title] : frameworks) {
        const std::vector<std::string> names = components_in(maps, framework);
        if (!names.empty()) {
            found.push_back({title, join(names), "/proc/self/maps after MPI_Init"});
        }
    }
    add_control_variables(found);
    std::string packed;
    for (const Evidence& evidence : found) {
        packed += evidence.what + '\x1f' + evidence.value + '\x1f' + evidence.source + '\x1e';
    }
    std::istringstream of_root(comm.broadcast(packed));
    std::vector<Evidence> agreed;
    for (std::string line; std::getline(of_root, line, '\x1e');) {
        const std::size_t a = line.find('\x1f');
        const std::size_t b = line.find('\x1f', a + 1);
        agreed.push_back({line.substr(0, a), line.substr(a + 1, b - a - 1), line.substr(b + 1)});
    }
    return agreed;
}

std::map<std::string, std::int64_t> bytes_sent_by_interface() {
    std::map<std::string, std::int64_t> sent;
    for (const std::string& name : entries_of("/sys/class/net")) {
        const std::string text = read_file("/sys/class/net/" + name + "/statistics/tx_bytes");
        if (!text.empty()) {
            sent[name] = std::atoll(text.c_str());
        }
    }
    for (const std::string& card : entries_of("/sys/class/infiniband")) {
        const std::string ports = "/sys/class/infiniband/" + card + "/ports";
        for (const std::string& port : entries_of(ports)) {
            // Counted in words of four bytes (InfiniBand architecture, PortXmitData).
            const std::string text = read_file(ports + "/" + port + "/counters/port_xmit_data");
            if (!text.empty()) {
                sent[card + ":" + port] = 4 * std::atoll(text.c_str());
            }
        }
    }
    return sent;
}

std::string traffic_sentence(const std::map<std::string, std::int64_t>& before,
                             const std::map<std::string, std::int64_t>& after,
                             std::int64_t payload_bytes) {
    std::string carried;
    for (const auto& [name, sent] : after) {
        const auto earlier = before.find(name);
        const std::int64_t bytes = earlier == before.end() ? 0 : sent - earlier->second;
        // Half the payload is far above what control messages and neighbours on the host send.
        if (bytes > payload_bytes / 2) {
            carried += fmt::format("{}{} sent {:.1f} MB", carried.empty() ? "" : ", ", name,
                                   static_cast<double>(bytes) * 1e-6);
        }
    }
    return carried.empty()
               ? "no network interface of this host sent the bytes: shared memory, or the device"
               : carried;
}

GpuAwareness query_gpu_awareness(const std::vector<Evidence>& transport) {
    using Query = int (*)();
    const auto query = reinterpret_cast<Query>(dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
    if (query != nullptr && query() == 1) {
        return {true, "MPIX_Query_cuda_support() is 1"};
    }
    const std::string said = query == nullptr ? "the library has no MPIX_Query_cuda_support"
                                              : "MPIX_Query_cuda_support() is 0";
    // UCX in the process is not enough: with pml ob1 a device pointer ends in a segmentation fault.
    const bool through_ucx =
        std::any_of(transport.begin(), transport.end(), [](const Evidence& item) {
            return (item.what == "pml" || item.what == "message layer (pml)") &&
                   item.value == "ucx";
        });
    const std::vector<std::string> uct = components_in(read_file("/proc/self/maps"), "uct");
    const bool cuda_transport = std::find(uct.begin(), uct.end(), "cuda") != uct.end();
    if (through_ucx && cuda_transport) {
        return {true, said + ", but messages go through UCX (pml ucx) with CUDA (libuct_cuda)"};
    }
    return {false, said + (through_ucx ? " and UCX has no CUDA transport"
                                       : " and messages do not go through UCX (pml ucx)")};
}

std::vector<Evidence> rdma_evidence() {
    std::vector<Evidence> found;
    const bool module = exists("/sys/module/nvidia_peermem") || exists("/sys/module/nv_peer_mem");
    found.push_back({"peer memory module", module ? "loaded" : "not loaded",
                     "/sys/module/nvidia_peermem, nv_peer_mem"});
    const std::vector<std::string> cards = entries_of("/sys/class/infiniband");
    found.push_back(
        {"RDMA network card", cards.empty() ? "none" : join(cards), "/sys/class/infiniband"});
    found.push_back(
        {"GDRCopy driver", exists("/dev/gdrdrv") ? "present" : "not present", "/dev/gdrdrv"});
    return found;
}

}  // namespace halocline
