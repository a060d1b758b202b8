/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Stands in for libcuda.so.1: host memory that answers like device memory. */
#include <stdlib.h>

static char* begin;
static char* end;

void* fake_device_memory(size_t bytes) {
    begin = malloc(bytes);
    end = begin + bytes;
    return begin;
}

int cuPointerGetAttribute(void* answer, int attribute, unsigned long long pointer) {
    const char* address = (const char*)pointer;
    if (attribute != 2 || address < begin || address >= end) {
        return 1; /* CUDA_ERROR_INVALID_VALUE: not known to the driver */
    }
    *(unsigned*)answer = 2;
    return 0;
}
