// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Copies (element, part) are collected where the element is declared: first those that are executed,
// then those that are only read.
#include "halocline/dist/partition/partition_quality.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "halocline/dist/migration/absent.hpp"
#include "halocline/dist/migration/rows.hpp"
#include "halocline/dist/migration/sparse_exchange.hpp"

namespace halocline::dist {

namespace {

/// An element of a set that a part holds without owning it.
struct HaloCopy {
    GlobalIndex id;
    std::int64_t part;

    friend bool operator==(const HaloCopy&, const HaloCopy&) = default;
    friend bool operator<(const HaloCopy& a, const HaloCopy& b) {
        return std::tie(a.id, a.part) < std::tie(b.id, b.part);
    }
};

void keep_unique(std::vector<HaloCopy>& copies) {
    std::sort(copies.begin(), copies.end());
    copies.erase(std::unique(copies.begin(), copies.end()), copies.end());
}

/// Each copy to the rank in whose block the element is.
std::vector<HaloCopy> send_to_owners(const Communicator& comm, GlobalIndex size,
                                     std::vector<HaloCopy> copies) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(comm.size()), 0);
    for (const HaloCopy& copy : copies) {  // ascending by id: grouped by rank already
        ++counts[static_cast<std::size_t>(block_owner(copy.id, size, comm.size()))];
    }
    return SparseExchange(comm, std::move(counts)).forwarded(copies);
}

class Assessment {
public:
    Assessment(const Communicator& comm, const MeshDeclaration& declaration,
               const std::vector<OwnerBlock>& owners, int parts, QualityDetail detail)
        : comm_(comm), declaration_(declaration), owners_(owners), parts_(parts), detail_(detail) {
        result_.sets.resize(declaration.sets.size());
        result_.cut_rows.assign(declaration.maps.size(), 0);
        exec_.resize(declaration.sets.size());
    }

    [[nodiscard]] PartitionQuality run() {
        for (std::size_t set = 0; set < result_.sets.size(); ++set) {
            count_owned(set);
            collect_executed(set);
        }
        for (std::size_t set = 0; set < result_.sets.size(); ++set) {
            finish_set(set);
        }
        for (std::int64_t& rows : result_.cut_rows) {
            rows = comm_.sum(rows);
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] GlobalIndex first_of_block(std::size_t set) const {
        return block_range(owners_[set].size, comm_.rank(), comm_.size()).begin;
    }

    [[nodiscard]] std::vector<int> target_owners(const MapDeclaration& map) const {
        return lookup_owners(comm_, owners_[static_cast<std::size_t>(map.to)], map.targets);
    }

    void count_owned(std::size_t set) {
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(parts_), 0);
        for (const int part : owners_[set].owner) {
            ++sizes[static_cast<std::size_t>(part)];
        }
        sum_over_ranks(sizes);
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        result_.sets[set].smallest = *least;
        result_.sets[set].largest = *most;
        if (detail_ == QualityDetail::parts) {
            result_.sets[set].parts.owned = std::move(sizes);
        }
    }

    void sum_over_ranks(std::vector<std::int64_t>& counts) const {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()),
                                MPI_INT64_T, MPI_SUM, comm_.get()),
                  "MPI_Allreduce");
    }

    /// Copies are ascending by element: one that several parts hold is shared once.
    void count_by_part(std::size_t set, const std::vector<HaloCopy>& halo) {
        SetParts& parts = result_.sets[set].parts;
        parts.import_exec.assign(static_cast<std::size_t>(parts_), 0);
        parts.shared.assign(static_cast<std::size_t>(parts_), 0);
        for (const HaloCopy& copy : exec_[set]) {
            ++parts.import_exec[static_cast<std::size_t>(copy.part)];
        }
        GlobalIndex last = -1;
        for (const HaloCopy& copy : halo) {
            if (copy.id != last) {
                const auto row = static_cast<std::size_t>(copy.id - first_of_block(set));
                ++parts.shared[static_cast<std::size_t>(owners_[set].owner[row])];
                last = copy.id;
            }
        }
        sum_over_ranks(parts.import_exec);
        sum_over_ranks(parts.shared);
    }

    /// A row is executed by every part that owns one of its targets.
    void collect_executed(std::size_t set) {
        for (std::size_t m = 0; m < declaration_.maps.size(); ++m) {
            const MapDeclaration& map = declaration_.maps[m];
            if (map.from != static_cast<int>(set)) {
                continue;
            }
            const std::vector<int> targets = target_owners(map);
            const auto arity = static_cast<std::size_t>(map.arity);
            for (std::size_t row = 0; row * arity < targets.size(); ++row) {
                const int* first = targets.data() + row * arity;
                const int owner = owners_[set].owner[row];
                const auto id = first_of_block(set) + static_cast<GlobalIndex>(row);
                for (std::size_t k = 0; k < arity; ++k) {
                    if (first[k] != owner && first[k] != no_owner) {
                        exec_[set].push_back({id, first[k]});
                    }
                }
                result_.cut_rows[m] += is_cut(first, arity, no_owner) ? 1 : 0;
            }
        }
        keep_unique(exec_[set]);
    }

    /// Targets that a part needs for rows it owns or executes, and does not own.
    [[nodiscard]] std::vector<HaloCopy> collect_read(std::size_t set) const {
        std::vector<HaloCopy> copies;
        for (const MapDeclaration& map : declaration_.maps) {
            if (map.to == static_cast<int>(set)) {
                collect_read_through(map, target_owners(map), copies);
                keep_unique(copies);
            }
        }
        copies = send_to_owners(comm_, owners_[set].size, std::move(copies));
        keep_unique(copies);
        return copies;
    }

    void collect_read_through(const MapDeclaration& map, const std::vector<int>& targets,
                              std::vector<HaloCopy>& copies) const {
        const auto from = static_cast<std::size_t>(map.from);
        const auto arity = static_cast<std::size_t>(map.arity);
        auto executed = exec_[from].begin();
        for (std::size_t row = 0; row * arity < targets.size(); ++row) {
            const auto id = first_of_block(from) + static_cast<GlobalIndex>(row);
            const auto add_targets = [&](std::int64_t part) {
                for (std::size_t k = row * arity; k < (row + 1) * arity; ++k) {
                    if (targets[k] != part && targets[k] != no_owner) {
                        copies.push_back({map.targets[k], part});
                    }
                }
            };
            add_targets(owners_[from].owner[row]);
            for (; executed != exec_[from].end() && executed->id == id; ++executed) {
                add_targets(executed->part);
            }
        }
    }

    void finish_set(std::size_t set) {
        const std::vector<HaloCopy> read = collect_read(set);
        std::vector<HaloCopy> halo;
        std::set_union(exec_[set].begin(), exec_[set].end(), read.begin(), read.end(),
                       std::back_inserter(halo));
        SetQuality& quality = result_.sets[set];
        const auto exec = static_cast<std::int64_t>(exec_[set].size());
        quality.import_exec = comm_.sum(exec);
        quality.import_nonexec = comm_.sum(static_cast<std::int64_t>(halo.size()) - exec);
        quality.links = gather_links(count_links(set, halo));
        if (detail_ == QualityDetail::parts) {
            count_by_part(set, halo);
        }
    }

    [[nodiscard]] std::vector<PartLink> count_links(std::size_t set,
                                                    const std::vector<HaloCopy>& halo) const {
        std::vector<std::pair<int, int>> pairs;
        pairs.reserve(halo.size());
        for (const HaloCopy& copy : halo) {
            const auto row = static_cast<std::size_t>(copy.id - first_of_block(set));
            pairs.emplace_back(owners_[set].owner[row], static_cast<int>(copy.part));
        }
        std::sort(pairs.begin(), pairs.end());
        std::vector<PartLink> links;
        for (const auto& [from, to] : pairs) {
            add_link(links, {from, to, 1});
        }
        return links;
    }

    static void add_link(std::vector<PartLink>& links, const PartLink& link) {
        if (!links.empty() && links.back().from == link.from && links.back().to == link.to) {
            links.back().elements += link.elements;
        } else {
            links.push_back(link);
        }
    }

    [[nodiscard]] std::vector<PartLink> gather_links(const std::vector<PartLink>& mine) const {
        std::vector<std::int64_t> counts(static_cast<std::size_t>(comm_.size()), 0);
        counts[0] = static_cast<std::int64_t>(mine.size());
        std::vector<PartLink> all = SparseExchange(comm_, std::move(counts)).forwarded(mine);
        std::sort(all.begin(), all.end(), [](const PartLink& a, const PartLink& b) {
            return std::tie(a.from, a.to) < std::tie(b.from, b.to);
        });
        std::vector<PartLink> links;
        for (const PartLink& link : all) {
            add_link(links, link);
        }
        return links;
    }

    const Communicator& comm_;
    const MeshDeclaration& declaration_;
    const std::vector<OwnerBlock>& owners_;
    int parts_;
    QualityDetail detail_;
    PartitionQuality result_;
    std::vector<std::vector<HaloCopy>> exec_;  ///< by set, of this rank's block
};

}  // namespace

PartitionQuality assess_partition(const Communicator& comm, const MeshDeclaration& declaration,
                                  const std::vector<OwnerBlock>& owners, int parts,
                                  QualityDetail detail) {
    return Assessment(comm, declaration, owners, parts, detail).run();
}

}  // namespace halocline::dist
