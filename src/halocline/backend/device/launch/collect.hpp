// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Targets collect what elements left for them, in the order of the serial back end: by ascending global
// id of the elements. One kernel for every loop, a thread a component of a target.
#pragma once

#include <cstddef>
#include <cstdint>

#include "halocline/backend/device/kernels/stored_value.hpp"
#include "halocline/backend/device/views/incidence_view.hpp"
#include "halocline/backend/device/views/views.hpp"
#include "halocline/loop/args.hpp"
#include "halocline/mesh/layout.hpp"

namespace halocline::device {

/// Arguments through which one loop may change shared targets.
inline constexpr int most_collected_changes = 32;

/// One dat that a loop changed through maps.
struct CollectView {
    double* values;  ///< (set, dim) as `layout` says, device memory; what lies in it `type` tells
    ElementType type;
    Layout layout;
    LocalIndex targets;  ///< that this rank owns
    LocalIndex dim;
    LocalIndex stride;  ///< of the columns of `changes`
    Access access;
    IncidenceView rows;
    /// What the loop's elements left, each (dim, stride), row-major, by the map's column: of column c
    /// numbers [begin[c], begin[c + 1]).
    const double* changes[most_collected_changes];
    std::uint8_t begin[most_collected_changes + 1];

    template <class Visitor>
    void visit(Visitor&& visitor) {
        visitor.pointer(values);
        visitor.bytes(type);
        visitor.bytes(layout);
        visitor.number(targets);
        visitor.number(dim);
        visitor.number(stride);
        visitor.bytes(access);
        visitor.pointer(rows.begin);
        visitor.pointer(rows.length);
        visitor.pointer(rows.element);
        visitor.pointer(rows.column);
        for (const double*& of_column : changes) {
            visitor.pointer(of_column);
        }
        visitor.bytes(begin);
    }
};

namespace detail {

template <class T>
HALOCLINE_HD Computed<T> joined(Access access, Computed<T> value, Computed<T> change) {
    switch (access) {
        case Access::min:
            return more_extreme<true>(value, change);
        case Access::max:
            return more_extreme<false>(value, change);
        default:
            return value + change;
    }
}

/// Sums of floats are rounded term by term, as everywhere.
template <class T>
HALOCLINE_HD void collect_as(const CollectView& view, LocalIndex target, LocalIndex d) {
    const int length = view.rows.length[target];
    if (length == 0) {
        return;
    }
    T& to = reinterpret_cast<T*>(view.values)[view.layout.offset(target, d)];
    T value = to;
    const std::int64_t first =
        std::int64_t{view.rows.begin[target / slice]} * slice + target % slice;
    for (int s = 0; s < length; ++s) {
        const std::int64_t entry = first + std::int64_t{s} * slice;
        const std::int64_t at = std::int64_t{d} * view.stride + view.rows.element[entry];
        const int column = view.rows.column == nullptr ? 0 : view.rows.column[entry];
        for (int c = view.begin[column]; c < view.begin[column + 1]; ++c) {
            const Computed<T> change = from_change<T>(view.changes[c][at]);
            value = narrowed<T>(joined<T>(view.access, widened(value), change));
        }
    }
    to = value;
}

}  // namespace detail

/// Component `d` of `target`.
HALOCLINE_HD inline void collect(const CollectView& view, LocalIndex target, LocalIndex d) {
    switch (view.type) {
        case ElementType::float32:
            return detail::collect_as<float>(view, target, d);
        case ElementType::int64:
            return detail::collect_as<std::int64_t>(view, target, d);
        case ElementType::int32:
            return detail::collect_as<std::int32_t>(view, target, d);
        default:
            return detail::collect_as<double>(view, target, d);
    }
}

/// On the stream of a GPU (`Stream::native`). Throws RunError when the launch fails.
void launch_collect_on_gpu(const CollectView& view, void* stream);

/// Results of `count` places (count) to pinned memory (count), by a kernel: a copy would wait for all copies to the host
/// that were queued before it on any stream, and take what is under way along.
void write_results_on_gpu(GlobalResult* pinned, const GlobalPlace* from, int count, void* stream);

}  // namespace halocline::device
