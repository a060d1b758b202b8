// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Fast passes that only ask "all well?", and slow searches for the place when not.
#include "halocline/io/mesh_checks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "halocline/core/error.hpp"

namespace halocline {

namespace {

/// "dataset 'd' of 'f': row 7, column 1" for value number `at` of this rank.
std::string value_place(const DatasetPlace& place, std::size_t at) {
    const auto columns = static_cast<std::size_t>(place.columns);
    std::string text = "dataset '" + place.dataset + "' of '" + place.file + "': row " +
                       std::to_string(place.first_row + static_cast<GlobalIndex>(at / columns));
    if (columns > 1) {
        text += ", column " + std::to_string(at % columns);
    }
    return text;
}

std::string number(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

}  // namespace

void require_finite(std::span<const double> values, const DatasetPlace& place) {
    constexpr double largest = std::numeric_limits<double>::max();
    std::int64_t faults = 0;
    for (const double value : values) {
        faults += std::abs(value) <= largest ? 0 : 1;
    }
    if (faults == 0) {
        return;
    }
    const auto bad = std::find_if(values.begin(), values.end(),
                                  [](double value) { return !std::isfinite(value); });
    const auto at = static_cast<std::size_t>(bad - values.begin());
    throw InputError(value_place(place, at) + " is " + number(*bad) +
                     " (a finite number is needed). Make the mesh again.");
}

void require_positive(std::span<const double> values, const DatasetPlace& place) {
    const auto bad =
        std::find_if(values.begin(), values.end(), [](double value) { return !(value > 0.0); });
    if (bad != values.end()) {
        const auto at = static_cast<std::size_t>(bad - values.begin());
        throw InputError(value_place(place, at) + " is " + number(*bad) +
                         " (a dual volume must be greater than zero). Make the mesh again.");
    }
}

void require_two_ends(std::span<const GlobalIndex> edge_nodes, const DatasetPlace& place) {
    for (std::size_t at = 0; at + 1 < edge_nodes.size(); at += 2) {
        if (edge_nodes[at] == edge_nodes[at + 1]) {
            const std::size_t edge = at / 2;
            throw InputError(
                "dataset '" + place.dataset + "' of '" + place.file + "': row " +
                std::to_string(place.first_row + static_cast<GlobalIndex>(edge)) +
                " joins a node with itself (the edge has no length). Remove the edge.");
        }
    }
}

// Forwards in small blocks: what a block writes ends before the place of the first value not yet
// copied out, because 64-bit value i ends at 8 (i + 1) and 32-bit value j starts at 4 n + 4 j.
void widen_upper_half(std::span<GlobalIndex> values) {
    constexpr std::size_t block = 1024;
    std::array<std::int32_t, block> narrow{};
    const char* source =
        reinterpret_cast<const char*>(values.data()) + values.size() * sizeof(std::int32_t);
    for (std::size_t begin = 0; begin < values.size(); begin += block) {
        const std::size_t count = std::min(block, values.size() - begin);
        std::memcpy(narrow.data(), source + begin * sizeof(std::int32_t),
                    count * sizeof(std::int32_t));
        for (std::size_t i = 0; i < count; ++i) {
            values[begin + i] = narrow[i];
        }
    }
}

namespace {

std::string base_hint(GlobalIndex value, int base, GlobalIndex targets) {
    if (base == 1 && value == 0) {
        return "If the file counts from 0, set base_array_index = 0 in input.dat.";
    }
    if (base == 0 && value == targets) {
        return "If the file counts from 1, set base_array_index = 1 in input.dat.";
    }
    return "Make the mesh again, or check that the files belong together.";
}

}  // namespace

void rebase_indices(std::span<GlobalIndex> values, int base, GlobalIndex targets,
                    const std::string& target, const DatasetPlace& place) {
    GlobalIndex faults = 0;
    for (GlobalIndex& value : values) {
        value -= base;
        faults += static_cast<std::uint64_t>(value) < static_cast<std::uint64_t>(targets) ? 0 : 1;
    }
    if (faults == 0) {
        return;
    }
    const auto bad = std::find_if(values.begin(), values.end(),
                                  [&](GlobalIndex value) { return value < 0 || value >= targets; });
    const GlobalIndex in_file = *bad + base;
    throw InputError(value_place(place, static_cast<std::size_t>(bad - values.begin())) + " is " +
                     std::to_string(in_file) + ", no " + target + " (they are numbered " +
                     std::to_string(base) + " to " + std::to_string(targets - 1 + base) + "). " +
                     base_hint(in_file, base, targets));
}

void require_groups(std::span<const GlobalIndex> groups, const DatasetPlace& place) {
    constexpr GlobalIndex last_group = 7;
    const auto bad = std::find_if(groups.begin(), groups.end(), [](GlobalIndex group) {
        return group < 0 || group > last_group;
    });
    if (bad != groups.end()) {
        throw InputError(value_place(place, static_cast<std::size_t>(bad - groups.begin())) +
                         " is " + std::to_string(*bad) +
                         ", no boundary group (0 to 2 are walls, 3 to 7 far field). Correct the "
                         "group or make the mesh again.");
    }
}

namespace {

constexpr GlobalIndex bits_in_word = 64;
/// 8 MiB of bits; a mesh with more nodes is checked part by part.
constexpr GlobalIndex window_nodes = GlobalIndex{1} << 26U;

/// First node of [begin, end) without an edge, or -1.
GlobalIndex first_untouched(const Communicator& comm, std::span<const GlobalIndex> edge_nodes,
                            GlobalIndex begin, GlobalIndex end) {
    const auto words = static_cast<std::size_t>((end - begin + bits_in_word - 1) / bits_in_word);
    std::vector<std::uint64_t> touched(words, 0);
    const auto span = static_cast<std::uint64_t>(end - begin);
    for (const GlobalIndex node : edge_nodes) {
        const auto bit = static_cast<std::uint64_t>(node - begin);
        if (bit < span) {
            touched[bit / bits_in_word] |= std::uint64_t{1} << (bit % bits_in_word);
        }
    }
    if (comm.size() > 1) {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, touched.data(), static_cast<int>(words), MPI_UINT64_T,
                                MPI_BOR, comm.get()),
                  "MPI_Allreduce");
    }
    for (std::size_t word = 0; word < words; ++word) {
        const auto bit = static_cast<GlobalIndex>(std::countr_one(touched[word]));
        const GlobalIndex node = begin + static_cast<GlobalIndex>(word) * bits_in_word + bit;
        if (bit < bits_in_word && node < end) {
            return node;
        }
    }
    return -1;
}

}  // namespace

void require_touched(const Communicator& comm, std::span<const GlobalIndex> edge_nodes,
                     GlobalIndex nodes, const DatasetPlace& place) {
    for (GlobalIndex begin = 0; begin < nodes; begin += window_nodes) {
        const GlobalIndex end = std::min(nodes, begin + window_nodes);
        const GlobalIndex node = first_untouched(comm, edge_nodes, begin, end);
        if (node >= 0) {
            throw InputError("dataset '" + place.dataset + "' of '" + place.file + "': node " +
                             std::to_string(node) +
                             " (counted from 0) is an end of no edge (it would have no volume). "
                             "Remove the node or add its edges.");
        }
    }
}

}  // namespace halocline
