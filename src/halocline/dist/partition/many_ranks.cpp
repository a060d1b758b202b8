// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Steps in order; each gives back what the next no longer needs.
#include "halocline/dist/partition/many_ranks.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "halocline/core/clock.hpp"
#include "halocline/core/error.hpp"
#include "halocline/core/process_memory.hpp"
#include "halocline/dist/exchange/halo_exchange.hpp"
#include "halocline/dist/migration/absent.hpp"
#include "halocline/dist/migration/declared_alike.hpp"
#include "halocline/dist/migration/division.hpp"
#include "halocline/dist/migration/halo_pattern.hpp"
#include "halocline/dist/migration/migration.hpp"
#include "halocline/dist/migration/validate.hpp"
#include "halocline/dist/order/local_graph.hpp"
#include "halocline/dist/order/local_order.hpp"
#include "halocline/dist/order/owned_order.hpp"

namespace halocline::dist {

namespace {

class MeshDistributor {
public:
    MeshDistributor(const Communicator& comm, MeshDeclaration declaration,
                    const DistributeOptions& options)
        : comm_(comm), declaration_(std::move(declaration)), options_(options) {}

    [[nodiscard]] Distribution run() {
        check_block_sizes();
        renumbering_ = plan_renumbering(comm_, declaration_, options_);
        partition();
        plan_migration();
        migrate_maps();
        find_halo_owners();
        order_sets();
        mark_absent(declaration_, result_.part);
        place_absent_targets(result_.part);
        migrate_dats();
        fill_halos();
        finish_report();
        return std::move(result_);
    }

private:
    [[nodiscard]] std::size_t sets() const { return declaration_.sets.size(); }

    void check_block_sizes() const {
        for (const SetDeclaration& set : declaration_.sets) {
            validate_local_count(set.name, block_range(set.size, 0, comm_.size()).size());
        }
    }

    void partition() {
        ScopedTimer timer(result_.report.partition_s);
        Division division = divide_sets(comm_, declaration_, options_, comm_.size());
        owners_ = std::move(division.owners);
        result_.report.partitioner = options_.partitioner;
        result_.report.method = division.method;
        result_.report.library = division.library;
        return_freed_memory();  // graphs and what libraries held, before migration needs room
    }

    void plan_migration() {
        ScopedTimer timer(result_.report.migrate_s);
        ids_.resize(sets());
        std::int64_t cut = 0;
        for (std::size_t s = 0; s < sets(); ++s) {
            const SetDeclaration& set = declaration_.sets[s];
            routes_.push_back(plan_routes(comm_, declaration_, owners_, static_cast<int>(s),
                                          partition_maps(declaration_, options_), cut));
            const SetRoutes& routes = routes_.back();
            run_agreed(comm_, [&] {
                validate_local_count(set.name, routes.owned.arriving() + routes.exec.arriving());
            });
            ids_[s].owned = arriving_ids(comm_, set.size, routes.owned);
            ids_[s].exec = arriving_ids(comm_, set.size, routes.exec);
        }
        result_.report.edge_cut = comm_.sum(cut);
    }

    void migrate_maps() {
        ScopedTimer timer(result_.report.migrate_s);
        for (const MapDeclaration& map : declaration_.maps) {
            result_.part.maps.push_back({map.name, map.from, map.to, map.arity, {}});
            result_.part.maps.back().may_be_absent = map.may_be_absent;
        }
        for (std::size_t s = 0; s < sets(); ++s) {
            migrate_maps_onto(static_cast<int>(s));
        }
    }

    void migrate_maps_onto(int set) {
        LocalIds& ids = ids_[static_cast<std::size_t>(set)];
        TargetLocaliser localiser(ids);
        for (std::size_t m = 0; m < result_.part.maps.size(); ++m) {
            if (result_.part.maps[m].to == set) {
                const Buffer<GlobalIndex> targets = migrate_targets(declaration_.maps[m]);
                auto& local = result_.part.maps[m].targets;
                local = Buffer<LocalIndex>(targets.size());
                run_agreed(comm_, [&] {
                    localiser.localise({targets.data(), targets.size()}, local.data());
                });
            }
        }
        run_agreed(comm_, [&] {
            localiser.finish();
            validate_local_count(
                declaration_.sets[static_cast<std::size_t>(set)].name,
                static_cast<std::int64_t>(ids.owned.size() + ids.exec.size() + ids.nonexec.size()));
        });
        for (MapPart& map : result_.part.maps) {
            if (map.to == set) {
                localiser.resolve({map.targets.data(), map.targets.size()});
            }
        }
    }

    /// Rows of owned and exec elements; frees the declared block.
    Buffer<GlobalIndex> migrate_targets(MapDeclaration& map) {
        const SetRoutes& routes = routes_[static_cast<std::size_t>(map.from)];
        const std::span<const GlobalIndex> block(map.targets);
        Buffer<GlobalIndex> owned = routes.owned.packed(block, map.arity);
        Buffer<GlobalIndex> exec = routes.exec.packed(block, map.arity);
        release(map.targets);
        const auto arity = static_cast<std::size_t>(map.arity);
        const auto owned_values = static_cast<std::size_t>(routes.owned.arriving()) * arity;
        const auto exec_values = static_cast<std::size_t>(routes.exec.arriving()) * arity;
        Buffer<GlobalIndex> targets(owned_values + exec_values);
        routes.owned.deliver(owned, targets.data(), map.arity);
        routes.exec.deliver(exec, targets.data() + owned_values, map.arity);
        return targets;
    }

    void find_halo_owners() {
        ScopedTimer timer(result_.report.halo_s);
        for (std::size_t s = 0; s < sets(); ++s) {
            halo_owners_.push_back({lookup_owners(comm_, owners_[s], ids_[s].exec),
                                    lookup_owners(comm_, owners_[s], ids_[s].nonexec)});
        }
        owners_.clear();
    }

    void order_sets() {
        std::vector<std::vector<std::uint8_t>> near_halo;
        {
            ScopedTimer timer(result_.report.halo_s);
            near_halo = find_near_halo(result_.part.maps, ids_);
            hold_replicated_back(near_halo);
        }
        bool in_tiles = false;
        orders_.resize(sets());
        result_.part.sets.resize(sets());
        for (const int set : renumbering_sequence(renumbering_)) {
            const auto s = static_cast<std::size_t>(set);
            const SetRenumbering& renumbering = renumbering_[s];
            SetOrder sequence;
            {
                ScopedTimer timer(result_.report.renumber_s);
                sequence = order_owned(comm_, declaration_, renumbering, routes_[s].owned,
                                       result_.part.maps, near_halo[s]);
            }
            in_tiles = in_tiles || sequence.in_tiles;
            finish_set(s, sequence.elements, near_halo[s], renumbering.method != Renumbering::none);
        }
        result_.report.renumbering =
            renumbering_name(renumbering_, comm_.max(std::int64_t{in_tiles ? 1 : 0}) != 0);
    }

    /// Where some elements of a replicated set wait for halos all of them do: which ones depends on the
    /// rank, and the order of elements, by which memory is walked, should not.
    void hold_replicated_back(std::vector<std::vector<std::uint8_t>>& near_halo) const {
        for (std::size_t s = 0; s < sets(); ++s) {
            auto& marks = near_halo[s];
            if (declaration_.sets[s].is_replicated &&
                std::find(marks.begin(), marks.end(), 1) != marks.end()) {
                std::fill(marks.begin(), marks.end(), std::uint8_t{1});
            }
        }
    }

    /// Final order of one set, its maps and its part. Only a set that is renumbered anyway is
    /// grouped by neighbour: the others keep the order of the file.
    void finish_set(std::size_t s, const Buffer<LocalIndex>& sequence,
                    const std::vector<std::uint8_t>& near_halo, bool renumbered) {
        const double start_s = wall_seconds();
        const HaloRequests requests(comm_, ids_[s], halo_owners_[s]);
        const OwnedOrder owned = order_owned_elements(
            sequence, near_halo, renumbered ? requests.first_takers() : std::vector<int>());
        const Buffer<LocalIndex> owned_index = invert(owned.provisional);
        const std::vector<LocalIndex> places =
            requests.places_at_owners({owned_index.data(), owned_index.size()});
        orders_[s] = append_halo(owned.provisional, halo_owners_[s], places);
        const Buffer<LocalIndex> final_index = invert(orders_[s]);
        const std::span<const LocalIndex> index(final_index.data(), final_index.size());
        add_part(s, owned.core, requests.pattern(index, places), index);
        result_.report.halo_s += wall_seconds() - start_s;
        relabel_maps(static_cast<int>(s), orders_[s], final_index);
    }

    /// Sizes, ids and halo pattern of one set.
    void add_part(std::size_t s, LocalIndex core, HaloPattern halo,
                  std::span<const LocalIndex> final_index) {
        LocalIds& ids = ids_[s];
        SetPart part;
        part.name = declaration_.sets[s].name;
        part.global_size = declaration_.sets[s].size;
        part.is_replicated = declaration_.sets[s].is_replicated;
        part.core = core;
        part.owned = ids.owned_end();
        part.exec = ids.exec_end();
        part.total = ids.total();
        part.halo = std::move(halo);
        std::vector<GlobalIndex> global_ids(static_cast<std::size_t>(part.total));
        const auto place = [&](const std::vector<GlobalIndex>& region, LocalIndex first) {
            for (std::size_t i = 0; i < region.size(); ++i) {
                const LocalIndex to = final_index[static_cast<std::size_t>(first) + i];
                global_ids[static_cast<std::size_t>(to)] = region[i];
            }
        };
        place(ids.owned, 0);
        place(ids.exec, part.owned);
        place(ids.nonexec, part.exec);
        part.global_ids = global_ids;
        result_.part.sets[s] = std::move(part);
        ids = {};
    }

    void relabel_maps(int set, const Buffer<LocalIndex>& order,
                      const Buffer<LocalIndex>& final_index) {
        ScopedTimer timer(result_.report.renumber_s);
        for (MapPart& map : result_.part.maps) {
            if (map.to == set) {
                relabel(map.targets, final_index);
            }
            if (map.from == set) {
                const std::size_t rows = map.targets.size() / static_cast<std::size_t>(map.arity);
                map.targets = permuted_rows(
                    std::span<const LocalIndex>(map.targets.data(), map.targets.size()), map.arity,
                    {order.data(), rows});
            }
        }
    }

    void migrate_dats() {
        ScopedTimer timer(result_.report.migrate_s);
        for (DatDeclaration& dat : declaration_.dats) {
            const GlobalIndex size = declaration_.sets[static_cast<std::size_t>(dat.set)].size;
            const std::int64_t rows = block_range(size, comm_.rank(), comm_.size()).size();
            // Read only now where that was put off.
            const bool comes_now = dat.deferred != nullptr;
            DatValues block =
                dat.take_values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(dat.dim));
            if (comes_now) {
                require_type_alike(comm_, dat, block);
            }
            std::visit([&](auto& values) { migrate(dat, values); }, block);
        }
        routes_.clear();
    }

    /// Frees the declared block as soon as it is packed.
    template <class T>
    void migrate(const DatDeclaration& dat, std::vector<T>& block) {
        const Route& route = routes_[static_cast<std::size_t>(dat.set)].owned;
        Buffer<T> packed = route.packed(std::span<const T>(block), dat.dim);
        release(block);
        Buffer<T> arrived(static_cast<std::size_t>(route.arriving()) *
                          static_cast<std::size_t>(dat.dim));
        route.deliver(packed, arrived.data(), dat.dim);
        packed.release();
        result_.part.dats.push_back(place_owned(dat, arrived));
    }

    /// Owned values in final order; the halo is left for the exchange.
    template <class T>
    DatPart place_owned(const DatDeclaration& dat, const Buffer<T>& arrived) {
        const auto s = static_cast<std::size_t>(dat.set);
        const SetPart& set = result_.part.sets[s];
        DatPart part{dat.name, dat.set, dat.dim,
                     words_of_rows<T>(set, static_cast<std::size_t>(dat.dim)), element_type_of<T>};
        permute_rows_into(values_in<T>(part.values),
                          std::span<const T>(arrived.data(), arrived.size()), dat.dim,
                          {orders_[s].data(), static_cast<std::size_t>(set.owned)});
        return part;
    }

    void fill_halos() {
        ScopedTimer timer(result_.report.halo_s);
        const auto exchange = make_halo_exchange(comm_);
        for (DatPart& dat : result_.part.dats) {
            const HaloItem item{{dat.values.data(), dat.dim, Layout::rows(dat.dim), dat.type},
                                &result_.part.sets[static_cast<std::size_t>(dat.set)]};
            exchange->begin({&item, 1});
            exchange->end();
        }
    }

    /// Whether all ranks collect a set for a replicated one: its halo is nobody's surface.
    [[nodiscard]] bool is_collected(std::size_t set) const {
        return std::any_of(
            declaration_.maps.begin(), declaration_.maps.end(), [&](const MapDeclaration& map) {
                return map.to == static_cast<int>(set) &&
                       declaration_.sets[static_cast<std::size_t>(map.from)].is_replicated &&
                       !declaration_.sets[set].is_replicated;
            });
    }

    void finish_report() {
        DistributeReport& report = result_.report;
        std::set<int> neighbours;
        std::int64_t halo = 0;
        for (std::size_t s = 0; s < sets(); ++s) {
            if (is_collected(s)) {
                continue;
            }
            const SetPart& set = result_.part.sets[s];
            neighbours.insert(set.halo.neighbours.begin(), set.halo.neighbours.end());
            halo += set.total - set.owned;
        }
        const auto mine = static_cast<std::int64_t>(neighbours.size());
        const SetPart& primary = result_.part.sets[static_cast<std::size_t>(options_.primary_set)];
        report.halo_elements = comm_.sum(halo);
        report.max_neighbours = static_cast<int>(comm_.max(mine));
        report.mean_neighbours = static_cast<double>(comm_.sum(mine)) / comm_.size();
        const double mean = static_cast<double>(primary.global_size) / comm_.size();
        report.imbalance = static_cast<double>(comm_.max(std::int64_t{primary.owned})) / mean;
        report.partition_s = comm_.max(report.partition_s);
        report.migrate_s = comm_.max(report.migrate_s);
        report.renumber_s = comm_.max(report.renumber_s);
        report.halo_s = comm_.max(report.halo_s);
    }

    const Communicator& comm_;
    MeshDeclaration declaration_;
    const DistributeOptions& options_;
    Distribution result_;
    std::vector<OwnerBlock> owners_;       ///< by set
    std::vector<SetRoutes> routes_;        ///< by set
    std::vector<LocalIds> ids_;            ///< by set, provisional order
    std::vector<HaloOwners> halo_owners_;  ///< by set
    std::vector<SetRenumbering> renumbering_;
    std::vector<Buffer<LocalIndex>> orders_;  ///< by set, provisional index by final index
};

}  // namespace

Distribution distribute_over_ranks(const Communicator& comm, MeshDeclaration declaration,
                                   const DistributeOptions& options) {
    return MeshDistributor(comm, std::move(declaration), options).run();
}

}  // namespace halocline::dist
