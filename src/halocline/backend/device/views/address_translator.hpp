// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// From addresses of an emulated device to those of the host code that stands for its kernels.
#pragma once

#include "halocline/core/types.hpp"
#include "halocline/memory/emulated_device.hpp"

namespace halocline::device {

/// Replaces device pointers by the addresses that kernels use.
struct AddressTranslator {
    const EmulatedDevice& device;
    template <class T>
    void pointer(T*& value) {
        if (value != nullptr) {
            value = static_cast<T*>(device.kernel_address(value));
        }
    }
    template <class T>
    void pointer(const T*& value) {
        if (value != nullptr) {
            value = static_cast<const T*>(device.kernel_address(value));
        }
    }
    void number(LocalIndex) {}
    void number(double) {}
    template <class T>
    void bytes(const T&) {}
};

}  // namespace halocline::device
