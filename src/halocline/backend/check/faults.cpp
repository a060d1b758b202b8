// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/check/faults.hpp"

namespace halocline::detail {

namespace {

std::string words_of(const CheckedPlace& place) {
    return "loop '" + place.loop.text() + "', element " +
           std::to_string(place.set.global_id(place.element)) + " of set '" + place.set.name +
           "': ";
}

std::string words_of(ArgumentPlace place) {
    const std::string words = "argument " + std::to_string(place.argument);
    return place.row < 0 ? words : words + ", row " + std::to_string(place.row);
}

std::string words_of(CheckedValue value) {
    std::string words = words_of(value.place);
    if (value.component != whole_argument) {
        words += ", component " + std::to_string(value.component);
    }
    return words;
}

}  // namespace

std::string fault_of_map(const CheckedPlace& place, const MapPart& map, LocalIndex target,
                         const SetPart& to) {
    return words_of(place) + "map '" + map.name + "' leads to local element " +
           std::to_string(target) + ", outside set '" + to.name + "'.";
}

std::string fault_of_access(const CheckedPlace& place, const char* fault, CheckedValue value) {
    return words_of(place) + "the kernel " + fault + " (" + words_of(value) +
           "). Correct the access descriptor or the kernel.";
}

std::string fault_of_ends(const CheckedPlace& place, CheckedValue value, const std::string& got,
                          ArgumentPlace twin, const std::string& expected) {
    return words_of(place) + "the kernel is not swap_symmetric: with the two ends exchanged, " +
           words_of(value) + ", gets " + got + " where " + words_of(twin) + " got " + expected +
           ". Take swap_symmetric away from the kernel, or correct it.";
}

}  // namespace halocline::detail
