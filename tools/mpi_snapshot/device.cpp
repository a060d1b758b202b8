// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The one question to the CUDA driver.
#include "device.hpp"

#include "modules.hpp"

#include <dlfcn.h>

namespace halocline::snapshot {

std::atomic<PointerQuery> pointer_query{nullptr};

void look_for_device_driver() {
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
    // Values of cuda.h: CU_POINTER_ATTRIBUTE_MEMORY_TYPE and CU_MEMORYTYPE_DEVICE. Memory the driver
    // has never heard of is an error, i.e. the host's.
    constexpr int memory_type_attribute = 2;
    constexpr unsigned device_type = 2;
    unsigned type = 0;
    const auto address = reinterpret_cast<unsigned long long>(pointer);
    return query(&type, memory_type_attribute, address) == 0 && type == device_type;
}

}  // namespace halocline::snapshot
