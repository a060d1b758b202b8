// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Distances have the same bits on all ranks, so that the nearest node is the same however the mesh is
// divided.
#include "halocline/run/probes.hpp"

#include <algorithm>
#include <limits>

#include "halocline/mesh/first_element.hpp"

namespace halocline::run {

namespace {

double distance_squared(const std::array<double, 3>& point, const double* position) {
    const double x = position[0] - point[0];
    const double y = position[1] - point[1];
    const double z = position[2] - point[2];
    return x * x + y * y + z * z;
}

Probe find_probe(const Communicator& comm, const SetPart& nodes,
                 std::span<const double> coordinates, const std::array<double, 3>& point) {
    const auto distance = [&](LocalIndex i) {
        return distance_squared(point, coordinates.data() + static_cast<std::ptrdiff_t>(i) * 3);
    };
    double least = std::numeric_limits<double>::infinity();
    for (LocalIndex i = 0; i < nodes.owned; ++i) {
        least = std::min(least, distance(i));
    }
    least = comm.min(least);
    const FirstElement nearest =
        find_first(comm, nodes, [&](LocalIndex i) { return distance(i) == least; });
    const bool is_mine = nearest.local >= 0;
    Probe probe{point, nearest.global, {}, -1, nearest.local};
    probe.owner = static_cast<int>(comm.max(std::int64_t{is_mine ? comm.rank() : -1}));
    for (std::size_t d = 0; d < 3; ++d) {
        probe.position[d] =
            comm.sum(is_mine ? coordinates[static_cast<std::size_t>(nearest.local) * 3 + d] : 0.0);
    }
    return probe;
}

std::size_t components_of(const std::vector<OutputField>& fields) {
    std::size_t count = 0;
    for (const OutputField& field : fields) {
        count += static_cast<std::size_t>(field.components);
    }
    return count;
}

}  // namespace

std::vector<Probe> find_probes(const Communicator& comm, const SetPart& nodes,
                               std::span<const double> coordinates,
                               const std::vector<std::array<double, 3>>& points) {
    std::vector<Probe> probes;
    for (const std::array<double, 3>& point : points) {
        probes.push_back(find_probe(comm, nodes, coordinates, point));
    }
    return probes;
}

std::vector<double> probe_values(const Communicator& comm, const std::vector<Probe>& probes,
                                 const std::vector<OutputField>& fields, const DatStore& state) {
    const std::size_t width = components_of(fields);
    std::vector<double> mine(probes.size() * width);
    std::vector<double> row(static_cast<std::size_t>(state.dim));
    for (std::size_t p = 0; p < probes.size(); ++p) {
        if (probes[p].local < 0) {
            continue;
        }
        for (int d = 0; d < state.dim; ++d) {
            row[static_cast<std::size_t>(d)] = state.at(probes[p].local, d);
        }
        double* values = mine.data() + p * width;
        for (const OutputField& field : fields) {
            field.evaluate(row.data(), 1, values);
            values += field.components;
        }
    }
    const std::vector<double> all = comm.all_gather(std::span<const double>(mine));
    for (std::size_t p = 0; p < probes.size(); ++p) {
        const auto owner = static_cast<std::size_t>(probes[p].owner);
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(owner * mine.size() + p * width),
                    width, mine.begin() + static_cast<std::ptrdiff_t>(p * width));
    }
    return mine;
}

}  // namespace halocline::run
