// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which elements reach which target, in sliced ELLPACK: the gather plan of devices.
#pragma once

#include <cstdint>
#include <vector>

#include "halocline/backend/device/views/incidence_view.hpp"
#include "halocline/loop/plan.hpp"
#include "halocline/memory/buffer.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::device {

/// Incidence of targets and elements on the host, with the shapes that `IncidenceView` describes.
struct HostIncidence {
    LocalIndex targets = 0;
    Buffer<LocalIndex> begin;
    Buffer<std::uint16_t> length;
    Buffer<LocalIndex> element;   ///< 0 where a target has no more
    Buffer<std::uint8_t> column;  ///< empty when there is one column
    /// @name Two columns of one map of arity 2 only, else empty
    /// @{
    Buffer<std::uint32_t> places;
    Buffer<TileBegin> tiles;
    Buffer<LocalIndex> sources;
    Buffer<LocalIndex> reused;
    Buffer<LocalIndex> element_of_value;  ///< by number of a value: by first use
    /// @}

    [[nodiscard]] std::int64_t slots() const { return begin.empty() ? 0 : begin[begin.size() - 1]; }
};

/// Rows of the owned elements of `to`, entries by ascending global id of the elements of `from`.
/// `order`: those elements in that order, empty when local order is. Throws ContractError when a
/// target has 65536 entries or more, or a tile of a two-ended loop meets more than 32768 elements.
[[nodiscard]] HostIncidence build_incidence(const SetPart& from, const SetPart& to,
                                            const std::vector<MapColumn>& columns,
                                            const std::vector<LocalIndex>& order);

/// Values of a dat on `from`, of type T (double or float), by first use in two-ended rows:
/// (element_of_value, dim), row-major. `dat` lies on the host.
template <class T>
[[nodiscard]] Buffer<T> copy_in_row_order(const HostIncidence& rows, const RawDat& dat);

}  // namespace halocline::device
