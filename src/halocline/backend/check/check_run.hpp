// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The check back end: serial, and every kernel call is repeated to prove its access descriptors.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "halocline/backend/around.hpp"
#include "halocline/backend/check/checked_ends.hpp"
#include "halocline/backend/check/checked_halos.hpp"
#include "halocline/backend/check/checked_values.hpp"
#include "halocline/backend/check/faults.hpp"
#include "halocline/backend/scalar.hpp"

namespace halocline::detail {

/// Each element runs several times. First with poison in what the kernel declares to write; then with
/// another value there and NaN where it declares to add; then with each sum started far away;
/// a kernel that promises to be swap_symmetric also with the ends exchanged. Results that differ,
/// poison that stays and sums that are not NaN prove a kernel that does something else than it
/// declares. Halos that are not up to date hold poison, so that a missing exchange shows; those that
/// are said to be are compared with their owners' values.
template <class LoopT>
class CheckRun {
    using ArgTuple = typename LoopT::ArgTuple;
    using Indices = std::make_index_sequence<LoopT::arg_count>;
    template <std::size_t i>
    using Arg = TupleElement<i, ArgTuple>;

public:
    CheckRun(Context& context, const LoopT& loop) : context_(context), loop_(loop) {}

    void run() {
        std::vector<DatStore*> stores;
        append_halo_reads(loop_.uses(), stores);
        exchange_checked(context_, loop_.name, std::move(stores));
        const SetPart& set = *loop_.set.part;
        const LocalIndex count = LoopT::has_indirect_change ? set.exec : set.owned;
        const std::vector<LocalIndex>& order = context_.plans().order(set);
        std::string problem;
        for (LocalIndex k = 0; k < count && problem.empty(); ++k) {
            const bool listed = LoopT::has_indirect_change && !order.empty();
            run_element(listed ? order[static_cast<std::size_t>(k)] : k, problem, Indices{});
        }
        context_.comm().agree(problem.empty() ? 0 : static_cast<int>(ExitCode::run_failed),
                              problem);
        finish_reductions(Indices{});
        mark_changes(loop_.uses());
        poison_stale_halos(Indices{});
    }

private:
    template <std::size_t... i>
    void run_element(LocalIndex element, std::string& problem, std::index_sequence<i...>) {
        (check_index(get<i>(loop_.args), element, problem), ...);
        if (!problem.empty()) {
            return;
        }
        Tuple before{load_scalar(get<i>(loop_.args), element)...};
        Tuple first = before;
        Tuple second = before;
        (prepare<Arg<i>>(get<i>(first), Before::poison, Before::nothing), ...);
        (prepare<Arg<i>>(get<i>(second), Before::one, Before::not_a_sum), ...);
        loop_.kernel(as_kernel_sees<Arg<i>>(get<i>(first))...);
        loop_.kernel(as_kernel_sees<Arg<i>>(get<i>(second))...);
        (judge<i>(element, get<i>(before), get<i>(first), get<i>(second), problem),
         ...);
        (judge_increment<i>(element, before, first, problem, Indices{}), ...);
        if constexpr (is_swap_symmetric<typename LoopT::Kernel>) {
            Tuple exchanged{load_from_other_end(get<i>(loop_.args), element)...};
            loop_.kernel(as_kernel_sees<Arg<i>>(get<i>(exchanged))...);
            (judge_end<i>(element, first, exchanged, problem), ...);
        }
        const bool owned = element < loop_.set.part->owned;
        (judge_range<i>(element, get<i>(first), owned, problem), ...);
        (store_scalar(get<i>(loop_.args), element, get<i>(first), owned), ...);
        if (owned) {
            (get<i>(reductions_).add(get<i>(first)), ...);
        }
    }

    template <class ArgT>
    void check_index(const ArgT& arg, LocalIndex element, std::string& problem) const {
        if constexpr (ArgT::is_indirect) {
            const LocalIndex target = element_of(arg, element);
            if (target < 0 || target >= arg.to->total + (arg.map->may_be_absent ? 1 : 0)) {
                problem = fault_of_map(place_of(element), *arg.map, target, *arg.to);
            }
        }
    }

    /// What stands in an argument before the kernel comes. Integers have no NaN: their sums start from
    /// a number far away, which a sum must keep to the last bit.
    enum class Before { poison, one, nothing, not_a_sum, huge };
    template <class Value>
    static Value value_for(Before before) {
        constexpr bool is_integer = is_integer_value<Value>;
        if (before == Before::nothing) {
            return neutral_increment<Value>();
        }
        if constexpr (is_integer) {
            return before == Before::poison ? integer_poison
                   : before == Before::one  ? std::int64_t{1}
                                            : far_integer;
        } else {
            return before == Before::poison      ? poison()
                   : before == Before::one       ? 1.0
                   : before == Before::not_a_sum ? std::numeric_limits<double>::quiet_NaN()
                                                 : huge_sum;
        }
    }

    template <class ArgT>
    static void prepare(ArgValues<ArgT, double>& values, Before written, Before added) {
        using Value = ValueOf<typename ArgT::Stored, double>;
        for (int d = 0; d < ArgT::size; ++d) {
            if constexpr (ArgT::access == Access::write) {
                values[d] = value_for<Value>(written);
            } else if constexpr (ArgT::access == Access::inc) {
                values[d] = value_for<Value>(added);
            }
        }
    }

    /// Of an increment that should have been added to `Before::not_a_sum`.
    static bool is_overwritten(double /*first*/, double second) { return second == second; }
    static bool is_overwritten(Integer<double> first, Integer<double> second) {
        return second - first != far_integer;
    }

    template <std::size_t i>
    void judge(LocalIndex element, const ArgValues<Arg<i>, double>& before,
               const ArgValues<Arg<i>, double>& first, const ArgValues<Arg<i>, double>& second,
               std::string& problem) const {
        constexpr Access access = Arg<i>::access;
        for (int d = 0; d < Arg<i>::size; ++d) {
            const char* fault = nullptr;
            if (access == Access::read && !same_value(before[d], first[d])) {
                fault = "changes what it declares to read";
            } else if (access == Access::write && is_poison(first[d])) {
                fault = "does not write what it declares to write";
            } else if (access == Access::inc && is_overwritten(first[d], second[d])) {
                fault = "overwrites what it declares to increment";
            } else if (access != Access::inc && !same_value(first[d], second[d])) {
                fault = "reads what it declares to write or increment only";
            }
            if (fault != nullptr && problem.empty()) {
                problem = fault_of_access(place_of(element), fault, {number_of(i), d});
            }
        }
    }

    /// Integers wrap around where memory does not hold them, the same on all back ends, and hardly ever
    /// as meant.
    template <std::size_t i>
    void judge_range(LocalIndex element, const ArgValues<Arg<i>, double>& values, bool owned,
                     std::string& problem) const {
        using Stored = typename Arg<i>::Stored;
        if constexpr (IntegerElement<Stored> && !Arg<i>::is_global &&
                      Arg<i>::access != Access::read) {
            const auto& arg = get<i>(loop_.args);
            const LocalIndex target = element_of(arg, element);
            if (Arg<i>::is_indirect ? target >= arg.store->set->owned : !owned) {
                return;
            }
            for (int d = 0; d < Arg<i>::size && problem.empty(); ++d) {
                const Stored old = Arg<i>::access == Access::inc ? plain_row(arg, target)[d] : 0;
                Stored result = 0;
                if (__builtin_add_overflow(old, values[d].lanes, &result)) {
                    problem = fault_of_access(place_of(element),
                                              "gives an integer dat more than it can hold",
                                              {number_of(i), d});
                }
            }
        }
    }

    /// What one increment starts from must not show in any other argument, nor in what is added to it:
    /// beside a sum that is huge what a kernel adds is nothing, unless the kernel looked at the sum.
    template <std::size_t changed, class Tuple, std::size_t... i>
    void judge_increment(LocalIndex element, const Tuple& before, const Tuple& first,
                         std::string& problem, std::index_sequence<i...>) const {
        if constexpr (Arg<changed>::access == Access::inc) {
            Tuple third = before;
            (prepare<Arg<i>>(get<i>(third), Before::poison,
                             i == changed ? Before::huge : Before::nothing),
             ...);
            loop_.kernel(as_kernel_sees<Arg<i>>(get<i>(third))...);
            const bool independent =
                ((i == changed || same_values(get<i>(first), get<i>(third))) && ...) &&
                stays_huge(get<changed>(first), get<changed>(third));
            if (!independent && problem.empty()) {
                problem = fault_of_access(place_of(element), "reads what it declares to increment",
                                          {number_of(changed), whole_argument});
            }
        }
    }

    /// With the ends exchanged, one end must get what the other one got.
    template <std::size_t i, class Tuple>
    void judge_end(LocalIndex element, const Tuple& first, const Tuple& exchanged,
                   std::string& problem) const {
        if constexpr (incremented_end<Arg<i>>() >= 0) {
            constexpr std::size_t twin = twin_of(i, static_cast<const ArgTuple*>(nullptr));
            for (int d = 0; d < Arg<i>::size && problem.empty(); ++d) {
                const auto got = get<i>(exchanged)[d];
                const auto expected = get<twin>(first)[d];
                if (!same_increment(got, expected)) {
                    problem = fault_of_ends(place_of(element), {number_of(i), d}, exact_text(got),
                                            number_of(twin), exact_text(expected));
                }
            }
        }
    }

    /// Far above anything that a kernel adds, far below what squares of it could not hold.
    static constexpr double huge_sum = 0x1p200;
    static constexpr std::int64_t far_integer = 0x123456789abcdefLL;

    /// Sums of ordinary size, started from `huge_sum`, are still about that.
    template <int n>
    static bool stays_huge(const Values<double, n>& ordinary, const Values<double, n>& started) {
        bool stays = true;
        for (int d = 0; d < n; ++d) {
            const bool is_ordinary = std::abs(ordinary[d]) < 1e-10 * huge_sum;
            stays = stays && (!is_ordinary || std::abs(started[d] - huge_sum) <= 1e-6 * huge_sum);
        }
        return stays;
    }
    template <int n>
    static bool stays_huge(const Values<Integer<double>, n>& ordinary,
                           const Values<Integer<double>, n>& started) {
        bool stays = true;
        for (int d = 0; d < n; ++d) {
            stays = stays && started[d] - ordinary[d] == far_integer;
        }
        return stays;
    }

    template <class Value, int n>
    static bool same_values(const Values<Value, n>& a, const Values<Value, n>& b) {
        bool same = true;
        for (int d = 0; d < n; ++d) {
            same = same && same_value(a[d], b[d]);
        }
        return same;
    }

    static constexpr ArgumentPlace number_of(std::size_t i) {
        return argument_place<typename LoopT::Kernel>(i);
    }

    [[nodiscard]] CheckedPlace place_of(LocalIndex element) const {
        return {loop_.name, *loop_.set.part, element};
    }

    template <std::size_t... i>
    void finish_reductions(std::index_sequence<i...>) {
        (finish_reduction(context_.comm(), loop_.name, get<i>(loop_.args),
                          get<i>(reductions_)),
         ...);
    }

    template <std::size_t... i>
    void poison_stale_halos(std::index_sequence<i...>) {
        (poison_halo(get<i>(loop_.args)), ...);
    }

    template <class ArgT>
    void poison_halo(const ArgT& arg) {
        if constexpr (!ArgT::is_global && ArgT::access != Access::read) {
            auto& store = *static_cast<typename ArgT::DatT::Store*>(arg.store);
            for (LocalIndex e = store.set->owned; e < store.set->total; ++e) {
                for (int d = 0; d < store.dim; ++d) {
                    store.at(e, d) = stored_poison<typename ArgT::Stored>();
                }
            }
        }
    }

    Context& context_;
    const LoopT& loop_;
    ScalarReductions<ArgTuple> reductions_;
};

}  // namespace halocline::detail
