// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Means by exact sums, or through the levels of the hierarchy.
#include "halocline/linalg/null_space.hpp"

#include "halocline/backend/par_loop.hpp"
#include "halocline/linalg/kernels.hpp"

namespace halocline::linalg {

namespace {

/// 1 / nodes of parts without diagonal values; how many they are.
struct ShareOfNode {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& diagonal, const One<V>& nodes, One<V>& share,
                                 One<V>& singular) const {
        share[0] = select(diagonal[0] == 0.0, V(1.0) / nodes[0], V(0.0));
        singular[0] += select(diagonal[0] == 0.0, V(1.0), V(0.0));
    }
};

struct Scale {
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& factor, One<V>& value) const {
        value[0] *= factor[0];
    }
};

struct Mean {
    double count;
    template <class V>
    HALOCLINE_HD void operator()(const One<V>& sum, One<V>& mean) const {
        mean[0] = sum[0] / count;
    }
};

}  // namespace

NullSpace::NullSpace(Context& context, const Mesh& mesh, const EdgeOperator& op,
                     const Hierarchy* hierarchy)
    : context_(context), nodes_(op.nodes) {
    if (hierarchy == nullptr || hierarchy->parts == 1) {
        find_singular(op);
        return;
    }
    const auto part = mesh.map<Node, Part, 1>(hierarchy->options.prefix + "_part");
    parts_.emplace(ByParts{{},
                           {},
                           {},
                           part,
                           mesh.make_dat<Part, double, 1>(Set<Part>{part.to}, "part_sums"),
                           mesh.make_dat<Part, double, 1>(Set<Part>{part.to}, "part_shares")});
    for (std::size_t l = 1; l < hierarchy->levels.size(); ++l) {
        const auto parent =
            mesh.map<Node, Node, 1>(hierarchy->name("parent", static_cast<int>(l) - 1));
        parts_->parents.push_back(parent);
        parts_->values.push_back(
            mesh.make_dat<Node, double, 1>(Set<Node>{parent.to}, "means_L" + std::to_string(l)));
        parts_->sums.push_back(make_sums(mesh, *hierarchy, static_cast<int>(l)));
    }
    find_singular_parts(mesh, op);
}

void NullSpace::find_singular(const EdgeOperator& op) {
    singular_parts_ = 1;
    if (op.diagonal) {
        sum_.set({});
        par_loop(context_, "sum_diagonal", nodes_, Add<>{}, read(op.diagonal), inc(sum_));
        singular_parts_ = sum_[0] == 0.0 ? 1 : 0;
    }
}

void NullSpace::find_singular_parts(const Mesh& mesh, const EdgeOperator& op) {
    auto values = mesh.make_dat<Node, double, 1>(nodes_, "part_diagonal");
    if (op.diagonal) {
        par_loop(context_, "copy_diagonal", nodes_, Copy<>{}, read(op.diagonal), write(values));
    }
    sum_up(values);
    auto diagonal = mesh.make_dat<Part, double, 1>(Set<Part>{parts_->part.to}, "diagonal_of_parts");
    swap(diagonal, parts_->part_sums);
    values.fill(Values<double, 1>{{1.0}});
    sum_up(values);
    Global<double, 1> singular{};
    par_loop(context_, "share_of_node", Set<Part>{parts_->part.to}, ShareOfNode{}, read(diagonal),
             read(parts_->part_sums), write(parts_->shares), inc(singular));
    singular_parts_ = static_cast<GlobalIndex>(singular[0]);
}

void NullSpace::sum_children(std::size_t l, const Dat<Node, double, 1>& finer) {
    ByParts& parts = *parts_;
    const int level = static_cast<int>(l) + 1;
    const Set<Node> children{parts.parents[l].from};
    if (!parts.sums[l]) {
        parts.values[l].fill(Values<double, 1>{{0.0}});
        par_loop(context_, {"sum_of_children", level}, children, SumChildren{}, read(finer),
                 inc<0>(parts.values[l], parts.parents[l]));
        return;
    }
    SumsOfChildren& sums = *parts.sums[l];
    sums.values.fill(Values<double, 1>{{0.0}});
    par_loop(context_, {"sum_of_children", level}, children, SumChildren{}, read(finer),
             inc<0>(sums.values, sums.parent));
    par_loop(context_, {"collect_sums", level}, Set<Node>{parts.parents[l].to}, Copy<>{},
             read<0>(sums.values, sums.source), write(parts.values[l]));
}

void NullSpace::sum_up(const Dat<Node, double, 1>& v) {
    ByParts& parts = *parts_;
    const Dat<Node, double, 1>* finer = &v;
    for (std::size_t l = 0; l < parts.parents.size(); ++l) {
        sum_children(l, *finer);
        finer = &parts.values[l];
    }
    parts.part_sums.fill(Values<double, 1>{{0.0}});
    par_loop(context_, "sum_of_part", Set<Node>{parts.part.from}, SumChildren{}, read(*finer),
             inc<0>(parts.part_sums, parts.part));
}

void NullSpace::remove(Dat<Node, double, 1>& v) {
    if (!exists()) {
        return;
    }
    if (!parts_) {
        sum_.set({});
        par_loop(context_, "sum_nodes", nodes_, Add<>{}, read(v), inc(sum_));
        const Mean mean{static_cast<double>(nodes_.part->global_size)};
        update_globals(context_, make_global_update("mean", mean, read(sum_), write(mean_)));
        par_loop(context_, "subtract_mean", nodes_, Subtract{}, read(mean_), read_write(v));
        return;
    }
    ByParts& parts = *parts_;
    sum_up(v);
    par_loop(context_, "mean_of_part", Set<Part>{parts.part.to}, Scale{}, read(parts.shares),
             read_write(parts.part_sums));
    if (parts.parents.empty()) {
        par_loop(context_, "subtract_part", nodes_, Subtract{},
                 read<0>(parts.part_sums, parts.part), read_write(v));
        return;
    }
    par_loop(context_, "spread_part", Set<Node>{parts.part.from}, Copy<>{},
             read<0>(parts.part_sums, parts.part), write(parts.values.back()));
    for (std::size_t l = parts.parents.size(); l-- > 1;) {
        par_loop(context_, {"spread_mean", static_cast<int>(l)}, Set<Node>{parts.parents[l].from},
                 Copy<>{}, read<0>(parts.values[l], parts.parents[l]), write(parts.values[l - 1]));
    }
    par_loop(context_, "subtract_means", nodes_, Subtract{},
             read<0>(parts.values.front(), parts.parents.front()), read_write(v));
}

}  // namespace halocline::linalg
