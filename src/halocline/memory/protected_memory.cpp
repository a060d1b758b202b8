// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Two mappings of one anonymous file; a signal handler that explains faults on the first.
#include "halocline/memory/protected_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <string>
#include <utility>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// Ranges that the signal handler recognises; more allocations than slots only lose the sentence.
struct Range {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::uintptr_t> end{0};
};
std::array<Range, 1024> guarded_ranges;

std::uintptr_t address_of(const std::byte* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

void remember(const std::byte* front, std::size_t bytes) {
    for (Range& range : guarded_ranges) {
        std::uintptr_t free_slot = 0;
        if (range.begin.compare_exchange_strong(free_slot, address_of(front))) {
            range.end = address_of(front) + bytes;
            return;
        }
    }
}

void forget(const std::byte* front) {
    for (Range& range : guarded_ranges) {
        if (range.begin == address_of(front)) {
            range.end = 0;
            range.begin = 0;
            return;
        }
    }
}

void explain(int signal, siginfo_t* info, void* /*context*/) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (const Range& range : guarded_ranges) {
        if (address >= range.begin && address < range.end) {
            constexpr std::string_view text =
                "halocline: host code touched memory of the emulated device (a transfer is "
                "missing). Copy it to the host first, or run the code on the device.\n";
            [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
            break;
        }
    }
    std::signal(signal, SIG_DFL);  // the instruction runs again and ends the process
}

std::size_t whole_pages(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

[[noreturn]] void throw_refused(std::size_t bytes, const char* what) {
    throw EnvironmentError("out of memory on the emulated device (" + std::string(what) + " of " +
                           std::to_string(bytes >> 20) +
                           " MiB was refused). Use smaller messages or a larger machine.");
}

}  // namespace

ProtectedMemory::ProtectedMemory(std::size_t bytes) : bytes_(whole_pages(bytes)) {
    descriptor_ = memfd_create("halocline-device", MFD_CLOEXEC);
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0) {
        throw_refused(bytes_, "memfd_create");
    }
    map();
}

ProtectedMemory::ProtectedMemory(int process, int descriptor, std::size_t bytes)
    : bytes_(whole_pages(bytes)) {
    const std::string path =
        "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    validate<EnvironmentError>(descriptor_ >= 0,
                               "cannot open the emulated device memory of process " +
                                   std::to_string(process) + " (" + path +
                                   " is closed to us). Run all ranks as one user on one host.");
    map();
}

void ProtectedMemory::map() {
    void* front = mmap(nullptr, bytes_, PROT_NONE, MAP_SHARED, descriptor_, 0);
    void* alias = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (front == MAP_FAILED || alias == MAP_FAILED) {
        throw_refused(bytes_, "mmap");
    }
    front_ = static_cast<std::byte*>(front);
    alias_ = static_cast<std::byte*>(alias);
    remember(front_, bytes_);
}

ProtectedMemory::ProtectedMemory(ProtectedMemory&& other) noexcept
    : bytes_(std::exchange(other.bytes_, 0)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      front_(std::exchange(other.front_, nullptr)),
      alias_(std::exchange(other.alias_, nullptr)) {}

ProtectedMemory::~ProtectedMemory() {
    if (front_ != nullptr) {
        forget(front_);
        munmap(front_, bytes_);
        munmap(alias_, bytes_);
    }
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

void explain_device_faults() {
    struct sigaction action {};
    action.sa_sigaction = explain;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace halocline
