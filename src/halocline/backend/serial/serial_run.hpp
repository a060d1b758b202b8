// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The serial back end: one element after the other, by ascending global id. The judge of all others.
#pragma once

#include "halocline/backend/loop_account.hpp"
#include "halocline/backend/reduce.hpp"
#include "halocline/backend/scalar.hpp"
#include "halocline/core/smaller.hpp"
#include "halocline/loop/shared_maps.hpp"

namespace halocline::detail {

/// What arguments are taken to share: nothing, or the maps and dats that types let expect; with a map, its
/// row is then looked at once for all of them, and fewer addresses occupy registers.
enum class Sharing { nothing, by_type };

/// The element that argument `i` of a loop means for loop element `element`; `views`: of all arguments.
template <class LoopT, Sharing sharing, std::size_t i, class Views>
[[nodiscard]] [[gnu::always_inline]] inline LocalIndex target_of_arg(const Views& views,
                                                                     LocalIndex element) {
    using Arg = TupleElement<i, typename LoopT::ArgTuple>;
    if constexpr (sharing == Sharing::by_type && !std::is_void_v<typename MapOf<Arg>::type>) {
        constexpr std::size_t first = first_through_map<LoopT, i>();
        return get<first>(views).template target<Arg::slot>(element);
    } else {
        return target_of(get<i>(views), element);
    }
}

/// Where the dat of argument `i` lies.
template <class LoopT, Sharing sharing, std::size_t i, class Views>
[[nodiscard]] [[gnu::always_inline]] inline const auto& view_of_arg(const Views& views) {
    if constexpr (sharing == Sharing::by_type) {
        return get<first_of_dat<LoopT, i>()>(views);
    } else {
        return get<i>(views);
    }
}

/// `mode`: how the loop's dats lie.
template <class LoopT, LayoutMode mode = LayoutMode::plain, Sharing sharing = Sharing::nothing>
class SerialRun {
    using ArgTuple = typename LoopT::ArgTuple;
    using Indices = std::make_index_sequence<LoopT::arg_count>;
    template <std::size_t i>
    using Arg = TupleElement<i, ArgTuple>;

public:
    SerialRun(Context& context, const LoopT& loop) : context_(context), loop_(loop) {}

    /// Not inlined: several places of one loop call it.
    [[gnu::noinline]] void run() {
        update_halos();
        run_elements(Indices{});
        if constexpr (reduces<ArgTuple>) {
            finish_reductions(Indices{});
        }
        mark_changes(loop_.uses);
    }

private:
    static constexpr bool is_serial = mode == LayoutMode::plain && sharing == Sharing::nothing;

    void update_halos() {
        std::vector<DatStore*> stores;
        append_halo_reads(loop_.uses, stores);
        if (context_.begin_halo(stores)) {
            context_.end_halo();
        }
    }

    template <std::size_t... i>
    [[gnu::always_inline]] void run_elements(std::index_sequence<i...>) {
        const Tuple views{ElementView<mode, Arg<i>>(get<i>(loop_.args))...};
        const SetPart& set = *loop_.set.part;
        const LocalIndex owned = set.owned;
        if constexpr (LoopT::has_indirect_change) {
            const std::vector<LocalIndex>& order = context_.plans().order(set);
            if constexpr (!is_serial) {
                if (order.empty() && set.exec == owned &&
                    (has_own_targets(get<i>(loop_.args)) && ...)) {
                    run_owned<i...>(views, owned);
                    return;
                }
            }
            const LocalIndex* const list = order.empty() ? nullptr : order.data();
            const LocalIndex count = set.exec;
            const auto element_at = [list](LocalIndex k) { return list == nullptr ? k : list[k]; };
            for (LocalIndex k = 0; k < count; ++k) {
                prefetch_rows_of<i...>(views, element_at(smaller(k + elements_ahead, count - 1)));
                const LocalIndex element = element_at(k);
                run_element<false, i...>(views, element, element < owned);
            }
        } else {
            run_owned<i...>(views, owned);
        }
    }

    /// Whether all that an argument may change through a map is owned: then no element asks.
    template <class ArgT>
    [[nodiscard]] static bool has_own_targets(const ArgT& arg) {
        if constexpr (ArgT::is_global) {
            return true;
        } else if constexpr (!ArgT::is_indirect || ArgT::access == Access::read) {
            return true;
        } else {
            return arg.store->set->rows() == arg.store->set->owned;
        }
    }

    /// Elements as they lie, which change what this rank owns and nothing else.
    template <std::size_t... i, class Views>
    [[gnu::always_inline]] void run_owned(const Views& views, LocalIndex count) {
        for (LocalIndex element = 0; element < count; ++element) {
            prefetch_rows_of<i...>(views, element + elements_ahead);
            run_element<true, i...>(views, element, true);
        }
    }

    /// Nothing on the serial back end.
    template <std::size_t... i, class Views>
    [[gnu::always_inline]] static void prefetch_rows_of(const Views& views, LocalIndex element) {
        if constexpr (!is_serial) {
            (prefetch_own_row<Arg<i>>(get<i>(views), element), ...);
        }
    }

    /// Inlined by force: whether the compiler inlines by itself depends on how many loops a file has.
    template <bool owns_targets, std::size_t... i, class Views>
    [[gnu::always_inline]] void run_element(const Views& views, LocalIndex element, bool owned) {
        const LocalIndex targets[] = {target_of_arg<LoopT, sharing, i>(views, element)...};
        Tuple values{load_element_of<Arg<i>>(view_of_arg<LoopT, sharing, i>(views), targets[i])...};
        loop_.kernel(as_kernel_sees<Arg<i>>(get<i>(values))...);
        (store_element_of<Arg<i>, owns_targets>(view_of_arg<LoopT, sharing, i>(views), targets[i],
                                                get<i>(values), owned),
         ...);
        if (owned) {
            (get<i>(reductions_).add(get<i>(values)), ...);
        }
    }

    template <std::size_t... i>
    void finish_reductions(std::index_sequence<i...>) {
        const Communicator& ranks = context_.reducing(*loop_.set.part);
        (finish_reduction(ranks, loop_.name, get<i>(loop_.args), get<i>(reductions_)), ...);
    }

    Context& context_;
    const LoopT& loop_;
    ScalarReductions<ArgTuple> reductions_;
};

}  // namespace halocline::detail
