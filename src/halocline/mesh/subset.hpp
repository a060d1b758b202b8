// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A part of a set for loops to run over: a list of elements, beside the set's own dats and maps.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "halocline/mesh/dat.hpp"

namespace halocline {

/// The kind of element of a subset of a set of kind `Tag`.
template <class Tag>
struct Members {};

/// Where members stand in their set.
template <class Tag>
struct Membership : Map<Members<Tag>, Tag, 1> {};

namespace detail {

/// A subset as a set of its own, with a halo. Members follow each other as in their set, and keep their
/// global ids.
class SubsetStore {
public:
    /// `members`: local elements of `parent`, ascending; those of halos where their owners say so.
    SubsetStore(const SetPart& parent, std::string_view name,
                const std::vector<LocalIndex>& members);

    [[nodiscard]] const SetPart& parent() const { return parent_; }
    [[nodiscard]] const SetPart& set() const { return set_; }
    /// Of owned and import-exec members.
    [[nodiscard]] const MapPart& membership() const { return membership_; }
    /// The rows of a map from the parent that members have; made once a map.
    [[nodiscard]] const MapPart& rows_of(const MapPart& map);

private:
    struct MemberMap {
        std::uint64_t of;
        MapPart rows;
    };
    const SetPart& parent_;
    SetPart set_;
    MapPart membership_;
    std::vector<std::unique_ptr<MemberMap>> member_maps_;  ///< loops point to them
};

/// Throws ContractError when one of the ids that are to make a subset is none of the set's.
void require_ids_of(const SetPart& set, std::string_view subset,
                    const std::vector<GlobalIndex>& ids);

/// Which of the elements that this rank owns have one of these ids; by local index.
[[nodiscard]] std::vector<bool> elements_with(const SetPart& set, std::vector<GlobalIndex> ids);

template <class MapT>
inline constexpr bool is_membership = false;
template <class Tag>
inline constexpr bool is_membership<Membership<Tag>> = true;

}  // namespace detail

/// Elements of a set that a loop may run over in its place; made by `make_subset`, owned by the mesh.
template <class Tag>
struct Subset {
    detail::SubsetStore* store = nullptr;  ///< owned by the mesh; stays where it is
    /// expires with the mesh
    Lifetime::Watch alive = detail::watch_of(store == nullptr ? nullptr : &store->set());

    /// Members that this rank owns.
    [[nodiscard]] LocalIndex owned() const { return in_mesh().set().owned; }
    /// Members as a set: a dat on it has values of members alone. Loops over the subset read and change
    /// it directly, beside dats of the whole set.
    [[nodiscard]] Set<Members<Tag>> members() const { return {&in_mesh().set()}; }
    /// Which element of the whole set an owned member is.
    [[nodiscard]] LocalIndex element(LocalIndex member) const {
        return in_mesh().membership().targets[static_cast<std::size_t>(member)];
    }
    /// The store. Throws ContractError when the handle belongs to no mesh, or to one that is gone.
    [[nodiscard]] detail::SubsetStore& in_mesh() const {
        detail::require_mesh(store != nullptr, alive, "subset", "make_subset");
        return *store;
    }
};

}  // namespace halocline
