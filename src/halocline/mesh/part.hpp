// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One rank's part of a mesh: local sets with halos, local maps, local dat values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halocline/core/element_type.hpp"
#include "halocline/core/lifetime.hpp"
#include "halocline/core/types.hpp"
#include "halocline/memory/buffer.hpp"

namespace halocline {

/// Global ids by local index, in half the memory when they fit 32 bits.
class GlobalIds {
public:
    GlobalIds() = default;
    /// Takes ids by local index.
    GlobalIds(const std::vector<GlobalIndex>& ids);
    /// Takes ids that fit 32 bits.
    explicit GlobalIds(const Buffer<LocalIndex>& ids);

    /// Number of ids.
    [[nodiscard]] std::size_t size() const noexcept { return narrow_.size() + wide_.size(); }
    /// Whether there are no ids.
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    /// Global id of local element `i`; not checked.
    [[nodiscard]] GlobalIndex operator[](std::size_t i) const {
        return wide_.empty() ? narrow_[i] : wide_[i];
    }
    bool operator==(const GlobalIds&) const = default;

    /// Adds the id of the next local element; changes to 64 bits where it needs them.
    void push_back(GlobalIndex id);

private:
    std::vector<LocalIndex> narrow_;  ///< all ids, or none
    std::vector<GlobalIndex> wide_;   ///< all ids, or none
};

/// Which elements of one set travel between this rank and its neighbours in an exchange.
/// Both ranks of a pair list the same elements in the same order: as they follow each other at their
/// owner.
struct HaloPattern {
    std::vector<int> neighbours;              ///< ranks, ascending
    std::vector<LocalIndex> send_offsets{0};  ///< (neighbours + 1), into send_indices
    std::vector<LocalIndex> send_indices;     ///< owned elements
    std::vector<LocalIndex> recv_offsets{0};  ///< (neighbours + 1), into recv_indices
    std::vector<LocalIndex> recv_indices;     ///< import-exec and import-nonexec elements
};

/// A number no other set, map or dat of this process has: what caches know them by.
[[nodiscard]] std::uint64_t next_identity() noexcept;

/// Local elements in OP2's order: core | other owned | import-exec | import-nonexec.
///
/// Core: owned, and no element it maps to, no element that maps to it, and no other target of these
/// is in the halo; what happens at core elements can be computed before an exchange ends.
/// Import-exec: owned elsewhere, but maps to an element owned here.
/// Import-nonexec: neither owned nor exec, but a target of an owned or exec element.
/// Elements of replicated sets are owned by all ranks; maps from and to them make no exec elements.
struct SetPart {
    std::string name;             ///< as declared
    GlobalIndex global_size = 0;  ///< elements over all ranks
    LocalIndex core = 0;          ///< [0, core)
    LocalIndex owned = 0;         ///< [0, owned)
    LocalIndex exec = 0;          ///< [0, exec): owned and import-exec
    LocalIndex total = 0;         ///< [0, total): with import-nonexec
    /// Global id by local index; empty means the identity (one rank, not renumbered).
    GlobalIds global_ids;
    bool ids_released = false;           ///< ids may not be asked for any more
    bool has_absent = false;             ///< a map to this set may have absent entries, on any rank
    bool is_replicated = false;          ///< every rank owns all elements, and there is no halo
    HaloPattern halo;                    ///< what travels for this set
    std::uint64_t id = next_identity();  ///< what caches know the set by
    Lifetime lifetime;                   ///< ends with the set

    /// Global id of local element `i`. Throws ContractError when the ids were given back.
    [[nodiscard]] GlobalIndex global_id(LocalIndex i) const {
        if (global_ids.empty()) {
            require_ids();
            return i;
        }
        return global_ids[static_cast<std::size_t>(i)];
    }
    /// Throws ContractError when the ids were given back.
    void require_ids() const {
        if (ids_released) {  // asked for each element
            report_lost_ids();
        }
    }
    /// Throws the ContractError of `require_ids`.
    [[noreturn]] void report_lost_ids() const;
    /// Rows of its dats: those of its elements, then the one that absent targets read. It lies
    /// behind all that this rank owns, so nobody adds to it, and in no halo.
    [[nodiscard]] LocalIndex rows() const { return total + (has_absent ? 1 : 0); }
    /// The row that absent targets read; there where `has_absent`.
    [[nodiscard]] LocalIndex absent_row() const { return total; }
    /// Elements, the first ones, that a rank contributes where ranks put together what they own.
    [[nodiscard]] LocalIndex contributed_by(int rank) const {
        return is_replicated && rank != 0 ? 0 : owned;
    }
};

/// Local targets of owned and import-exec elements; every target is a local element, or the row that
/// stands for absent ones.
struct MapPart {
    std::string name;                    ///< as declared
    int from = 0;                        ///< index of the set whose elements have the targets
    int to = 0;                          ///< index of the set of the targets
    int arity = 1;                       ///< targets of one element
    Buffer<LocalIndex> targets;          ///< (from.exec, arity), row-major
    std::uint64_t id = next_identity();  ///< what caches know the map by
    bool may_be_absent = false;          ///< whether a target may be the row of absent ones
    bool rows_released = false;          ///< on all ranks; also where there were no rows

    /// Throws ContractError when the rows were given back.
    void require_rows() const {
        if (rows_released) {
            report_lost_rows();
        }
    }
    /// Throws the ContractError of `require_rows`.
    [[noreturn]] void report_lost_rows() const;
};

/// Values of all local elements, halo included and up to date.
struct DatPart {
    std::string name;       ///< as declared
    int set = 0;            ///< index of its set
    int dim = 1;            ///< components of an element
    Buffer<double> values;  ///< (set.rows(), dim), row-major, in words of eight bytes
    ElementType type = ElementType::float64;  ///< of what lies in `values`
};

/// What `distribute` returns: this rank's part of everything declared, in the declared order.
struct MeshPart {
    std::vector<SetPart> sets;  ///< in the order of the declaration
    std::vector<MapPart> maps;  ///< in the order of the declaration
    std::vector<DatPart> dats;  ///< in the order of the declaration
};

}  // namespace halocline
