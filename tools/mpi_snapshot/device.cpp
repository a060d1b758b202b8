// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one question to the CUDA driver.
#include "device.hpp"

#include "hot.hpp"
#include "modules.hpp"

#include <dlfcn.h>

#include <cstdint>

namespace halocline::snapshot {

HALOCLINE_HOT constinit std::atomic<PointerQuery> pointer_query{nullptr};

namespace {

/// The driver takes about a microsecond to say that it does not know an address, and programs send from the
/// same buffers again and again. Answers hold until the next file is written.
struct Answer {
    const void* pointer;
    std::uint32_t generation;
    bool device;
};
constexpr unsigned answer_count = 64;
thread_local constinit Answer answers[answer_count] __attribute__((tls_model("initial-exec"))) = {};
std::atomic<std::uint32_t> answers_generation{1};

bool ask(PointerQuery query, const void* pointer) {
    // Values of cuda.h: CU_POINTER_ATTRIBUTE_MEMORY_TYPE and CU_MEMORYTYPE_DEVICE, which managed memory
    // is, too. Memory the driver has never heard of is an error, i.e. the host's.
    constexpr int memory_type_attribute = 2;
    constexpr unsigned device_type = 2;
    unsigned type = 0;
    const auto address = reinterpret_cast<unsigned long long>(pointer);
    return query(&type, memory_type_attribute, address) == 0 && type == device_type;
}

}  // namespace

void look_for_device_driver() {
    answers_generation.fetch_add(1, std::memory_order_relaxed);
    if (pointer_query.load(std::memory_order_relaxed) != nullptr) {
        return;
    }
    const char* path = loaded_file("libcuda.so");
    void* driver = path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (driver != nullptr) {
        const auto query = reinterpret_cast<PointerQuery>(dlsym(driver, "cuPointerGetAttribute"));
        pointer_query.store(query, std::memory_order_relaxed);
    }
}

bool ask_driver(PointerQuery query, const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    Answer& answer = answers[(address >> 4 ^ address >> 12) % answer_count];
    const std::uint32_t now = answers_generation.load(std::memory_order_relaxed);
    if (answer.pointer != pointer || answer.generation != now) {
        answer = {pointer, now, ask(query, pointer)};
    }
    return answer.device;
}

}  // namespace halocline::snapshot
