// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Handles and the text of HDF5's errors.
#include <regex>
#include <utility>

#include "halocline/io/hdf5.hpp"

namespace halocline {

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
}

herr_t Hdf5Handle::close() noexcept {
    if (id_ < 0) {
        return 0;
    }
    return close_(std::exchange(id_, -1));
}

namespace {

/// Keeps the first two descriptions: the innermost failure and what was being tried.
herr_t take_description(unsigned depth, const H5E_error2_t* error, void* text) {
    if (depth < 2 && error->desc != nullptr) {
        std::string& reason = *static_cast<std::string*>(text);
        reason += (reason.empty() ? "" : "; ") + std::string(error->desc);
    }
    return 0;
}

/// Addresses in memory differ from rank to rank, and ranks are to say the same sentence.
std::string without_addresses(const std::string& text) {
    static const std::regex address("0x[0-9a-fA-F]+");
    return std::regex_replace(text, address, "...");
}

}  // namespace

std::string hdf5_reason() {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_description, &reason);
    H5Eclear2(H5E_DEFAULT);
    for (char& c : reason) {
        c = c == '\n' || c == '\r' ? ' ' : c;
    }
    return reason.empty() ? "no reason given" : without_addresses(reason);
}

}  // namespace halocline
