// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Subsets of a set, by a predicate or by a list.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "halocline/backend/context.hpp"
#include "halocline/core/collective_calls.hpp"
#include "halocline/mesh/mesh.hpp"

namespace halocline {

/// The elements for which `is_member(local index)` holds, as something that loops run over in place of
/// the whole set: with the set's dats and maps, which are not copied (a member takes four bytes, and four
/// for each target of the maps that such loops go through). What members alone have is a dat on
/// `members()` of the subset. Each rank is asked for the elements that it
/// owns. The mesh keeps the subset. Collective.
template <class Tag, class Predicate>
requires(std::is_invocable_r_v<bool, Predicate, LocalIndex>)
    [[nodiscard]] Subset<Tag> make_subset(Context& context, Mesh& mesh, Set<Tag> set,
                                          std::string_view name, Predicate&& is_member) {
    enter_call(context.comm(), "makes subset '" + std::string(name) + "'");
    // Elements of halos are members where their owners say so.
    Dat<Tag, double, 1> member(set, name, LayoutMode::plain);
    DatStore& flags = member.change();
    for (LocalIndex i = 0; i < set.part->owned; ++i) {
        flags.at(i, 0) = is_member(i) ? 1.0 : 0.0;
    }
    if (context.begin_halo({&flags})) {
        context.end_halo();
    }
    std::vector<LocalIndex> members;
    for (LocalIndex i = 0; i < set.part->total; ++i) {
        if (flags.at(i, 0) != 0.0) {
            members.push_back(i);
        }
    }
    return mesh.add_subset(set, name, members);
}

/// The same for elements by global id, in any order; a rank lists at least those that it owns. Throws
/// ContractError for an id that the set has not. Collective.
template <class Tag>
[[nodiscard]] Subset<Tag> make_subset(Context& context, Mesh& mesh, Set<Tag> set,
                                      std::string_view name, std::vector<GlobalIndex> ids) {
    enter_call(context.comm(), "lists subset '" + std::string(name) + "'");
    run_agreed(context.comm(), [&] { detail::require_ids_of(set.in_mesh(), name, ids); });
    const std::vector<bool> is_member = detail::elements_with(*set.part, std::move(ids));
    return make_subset(context, mesh, set, name,
                       [&](LocalIndex i) { return is_member[static_cast<std::size_t>(i)]; });
}

}  // namespace halocline
