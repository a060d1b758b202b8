// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Exchanges all halos and compares those that seemed current with what their owners sent.
#include "halocline/backend/check/checked_halos.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "halocline/backend/check/checked_values.hpp"
#include "halocline/core/error.hpp"
#include "halocline/mesh/declaration.hpp"

namespace halocline::detail {

std::string exact_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    return text.data();
}

namespace {

/// A halo that counts as up to date.
struct SeenHalo {
    const DatStore* dat;
    DatValues values;  ///< (halo elements, dim)
};

DatValues halo_values(const DatStore& dat) {
    return visit_element_type(dat.type, [&]<class T>(T) -> DatValues {
        const auto& typed = static_cast<const DatStoreOf<T>&>(dat);
        std::vector<T> values;
        for (LocalIndex i = dat.set->owned; i < dat.set->total; ++i) {
            for (int d = 0; d < dat.dim; ++d) {
                values.push_back(typed.at(i, d));
            }
        }
        return values;
    });
}

/// Ranks that disagree on what is old would wait for each other in different exchanges.
void require_same_marks(const Communicator& comm, const LoopName& loop,
                        const std::vector<DatStore*>& stores) {
    std::vector<std::int64_t> mine;
    mine.reserve(stores.size());
    for (const DatStore* store : stores) {
        mine.push_back(store->halo_valid ? 1 : 0);
    }
    const std::vector<std::int64_t> all = comm.all_gather(std::span<const std::int64_t>(mine));
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t s = k % stores.size();
        validate<ContractError>(all[k] == all[s],
                                "loop '" + loop.text() + "': dat '" + stores[s]->name +
                                    "' was changed on some ranks only (the others expect no "
                                    "exchange). Call change() on all ranks.");
    }
}

template <class T>
std::string difference(const LoopName& loop, const DatStore& dat, const std::vector<T>& seen,
                       const std::vector<T>& sent) {
    using Wide = std::conditional_t<IntegerElement<T>, std::int64_t, double>;
    const auto [here, there] = std::mismatch(seen.begin(), seen.end(), sent.begin(), sent.end(),
                                             [](T a, T b) { return same_value(Wide{a}, Wide{b}); });
    if (here == seen.end()) {
        return "";
    }
    const auto k = static_cast<LocalIndex>(here - seen.begin());
    const LocalIndex element = dat.set->owned + k / dat.dim;
    return "loop '" + loop.text() + "' reads dat '" + dat.name + "' in the halo, where element " +
           std::to_string(dat.set->global_id(element)) + " of set '" + dat.set->name +
           "' is not what its owner has (component " + std::to_string(k % dat.dim) + ": " +
           exact_text(Wide{*here}) + ", not " + exact_text(Wide{*there}) +
           "; it was changed without the library's knowledge). Change values by change(), fill() "
           "or read_fields().";
}

std::string difference(const LoopName& loop, const SeenHalo& seen) {
    const DatValues sent = halo_values(*seen.dat);
    return std::visit(
        [&]<class T>(const std::vector<T>& values) {
            return difference(loop, *seen.dat, values, std::get<std::vector<T>>(sent));
        },
        seen.values);
}

}  // namespace

void exchange_checked(Context& context, const LoopName& loop, std::vector<DatStore*> stores) {
    std::sort(stores.begin(), stores.end(),
              [](const DatStore* a, const DatStore* b) { return a->id < b->id; });
    stores.erase(std::unique(stores.begin(), stores.end()), stores.end());
    if (stores.empty() || context.comm().size() == 1) {
        return;
    }
    require_same_marks(context.comm(), loop, stores);
    std::vector<SeenHalo> seen;
    for (DatStore* store : stores) {
        if (store->halo_valid) {
            seen.push_back({store, halo_values(*store)});
            store->halo_valid = false;
        }
    }
    if (context.begin_halo(stores)) {
        context.end_halo();
    }
    std::string problem;
    for (const SeenHalo& halo : seen) {
        problem = problem.empty() ? difference(loop, halo) : problem;
    }
    context.comm().agree(problem.empty() ? 0 : static_cast<int>(ExitCode::run_failed), problem);
}

}  // namespace halocline::detail
