// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The types that values of dats and globals may have, at compile time and at run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace halocline {

/// A type of values, for code that moves them whatever they are: halos, files.
enum class ElementType { float64, float32, int64, int32 };

/// Floating values that dats and globals hold; kernels compute with them as `V`.
template <class T>
concept RealElement = std::same_as<T, double> || std::same_as<T, float>;
/// Integers that dats and globals hold; kernels compute with them as `Integer<V>`.
template <class T>
concept IntegerElement = std::same_as<T, std::int64_t> || std::same_as<T, std::int32_t>;
/// What dats and globals hold.
template <class T>
concept Element = RealElement<T> || IntegerElement<T>;

/// The ElementType of a C++ type.
template <Element T>
inline constexpr ElementType element_type_of = std::same_as<T, double>  ? ElementType::float64
                                               : std::same_as<T, float> ? ElementType::float32
                                               : std::same_as<T, std::int64_t> ? ElementType::int64
                                                                               : ElementType::int32;

/// Bytes of one value.
[[nodiscard]] constexpr std::size_t bytes_of(ElementType type) {
    return type == ElementType::float64 || type == ElementType::int64 ? 8 : 4;
}
/// Whether values of this type are integers.
[[nodiscard]] constexpr bool is_integer(ElementType type) {
    return type == ElementType::int64 || type == ElementType::int32;
}
/// As programs write it.
[[nodiscard]] constexpr const char* name_of(ElementType type) {
    switch (type) {
        case ElementType::float64:
            return "double";
        case ElementType::float32:
            return "float";
        case ElementType::int64:
            return "int64";
        case ElementType::int32:
            return "int32";
    }
    return "";
}

/// Calls `visit(T{})` with the type of C++.
template <class Visit>
decltype(auto) visit_element_type(ElementType type, Visit&& visit) {
    switch (type) {
        case ElementType::float32:
            return visit(float{});
        case ElementType::int64:
            return visit(std::int64_t{});
        case ElementType::int32:
            return visit(std::int32_t{});
        case ElementType::float64:
            break;
    }
    return visit(double{});
}

/// Words of eight bytes that hold `count` values of `bytes` each: memory of dats is made of them.
[[nodiscard]] constexpr std::size_t words_for(std::size_t count, std::size_t bytes) {
    return (count * bytes + 7) / 8;
}

}  // namespace halocline
