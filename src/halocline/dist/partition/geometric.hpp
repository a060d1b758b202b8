// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What partitioners by coordinates share: methods, library text, refinement afterwards.
#pragma once

#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

/// Pieces of Hilbert's curve through all points, of the target sizes. The same for any number of
/// ranks. Collective.
[[nodiscard]] std::vector<int> partition_along_curve(const Communicator& comm,
                                                     const PartitionInput& input);

/// A partitioner by coordinates: `geom` divides, `geomkway` also moves boundaries on the graph.
class GeometricPartitioner : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const final { return {"geom", "geomkway"}; }
    [[nodiscard]] std::string library(std::string_view method, Targets) const final;
    [[nodiscard]] bool needs_graph(std::string_view method) const final {
        return method == "geomkway";
    }
    [[nodiscard]] bool needs_coordinates(std::string_view) const final { return true; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view method) const final;

private:
    /// What it does, in a few words.
    [[nodiscard]] virtual std::string idea() const = 0;
    [[nodiscard]] virtual std::vector<int> divide(const Communicator& comm,
                                                  const PartitionInput& input) const = 0;
};

}  // namespace halocline::dist
