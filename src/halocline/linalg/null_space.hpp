// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Constants on connected parts without a diagonal value: what an edge operator does not see.
#pragma once

#include <optional>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/linalg/hierarchy.hpp"
#include "halocline/linalg/level.hpp"
#include "halocline/linalg/operator.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline::linalg {

struct Part {};  ///< kind of element: a connected part of the mesh

/// Takes means away. One part: by an exact sum. Several: children are summed up level by level, in
/// ascending global id, and means go back the same way, so no rank visits a whole part.
class NullSpace {
public:
    /// Without a hierarchy the mesh counts as one part. Collective.
    NullSpace(Context& context, const Mesh& mesh, const EdgeOperator& op,
              const Hierarchy* hierarchy);

    /// v minus its mean on each singular part. Collective.
    void remove(Dat<Node, double, 1>& v);
    /// Whether there is one.
    [[nodiscard]] bool exists() const { return singular_parts_ > 0; }

private:
    struct ByParts {
        std::vector<Map<Node, Node, 1>> parents;
        std::vector<Dat<Node, double, 1>> values;  ///< sums, then means; coarse levels
        std::vector<std::optional<SumsOfChildren>> sums;
        Map<Node, Part, 1> part;  ///< of the coarsest level's nodes
        Dat<Part, double, 1> part_sums;
        Dat<Part, double, 1> shares;  ///< 1 / nodes of singular parts, else 0
    };

    void find_singular(const EdgeOperator& op);
    /// Sums of children, given at the nodes finer than coarse level `l` (from 0), in its `values`.
    void sum_children(std::size_t l, const Dat<Node, double, 1>& finer);
    void sum_up(const Dat<Node, double, 1>& v);
    void find_singular_parts(const Mesh& mesh, const EdgeOperator& op);

    Context& context_;
    Set<Node> nodes_;
    Global<double, 1> sum_{};
    Global<double, 1> mean_{};
    std::optional<ByParts> parts_;
    GlobalIndex singular_parts_ = 0;
};

}  // namespace halocline::linalg
