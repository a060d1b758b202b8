// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Elements that the messages of an exchange stand for, on the device.
#pragma once

#include <map>
#include <span>

#include "halocline/dist/exchange/message_layout.hpp"
#include "halocline/memory/device.hpp"

namespace halocline::dist {

/// Which of a pattern's lists a direction goes by.
enum class Way { send, receive };

/// Lists of all sets of an exchange in one direction, each once.
class ElementLists {
public:
    /// Copies the lists to the device and waits. Throws EnvironmentError when it is full.
    ElementLists(Device& device, Way way, std::span<const HaloItem> items);

    /// Those of a segment, in device memory: (count).
    [[nodiscard]] const LocalIndex* of(const Segment& segment,
                                       std::span<const HaloItem> items) const;
    /// How many they are. Words of a message hold one value of eight bytes or two of four.
    [[nodiscard]] LocalIndex count(const Segment& segment, std::span<const HaloItem> items) const;

private:
    Way way_;
    std::map<std::uint64_t, SpaceBuffer> lists_;  ///< by set
};

}  // namespace halocline::dist
