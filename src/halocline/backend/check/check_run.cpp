// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "halocline/backend/check/check_run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "halocline/backend/check/checked_halos.hpp"
#include "halocline/backend/check/checked_values.hpp"
#include "halocline/backend/check/faults.hpp"
#include "halocline/backend/loop_account.hpp"
#include "halocline/core/error.hpp"

namespace halocline::detail {

namespace {

/// What stands in an argument before the kernel comes. Integers have no NaN: their sums start from
/// a number far away, which a sum must keep to the last bit.
enum class Before { poison, one, nothing, not_a_sum, huge };

/// Far above anything that a kernel adds, far below what squares of it could not hold.
constexpr double huge_sum = 0x1p200;
constexpr std::int64_t far_integer = 0x123456789abcdefLL;

ValueBits integer_before(Before before) {
    switch (before) {
        case Before::poison:
            return std::bit_cast<ValueBits>(integer_poison);
        case Before::one:
            return 1;
        case Before::nothing:
            return 0;
        case Before::not_a_sum:
        case Before::huge:
            break;
    }
    return std::bit_cast<ValueBits>(far_integer);
}

ValueBits real_before(Before before) {
    switch (before) {
        case Before::poison:
            return std::bit_cast<ValueBits>(poison());
        case Before::one:
            return std::bit_cast<ValueBits>(1.0);
        case Before::nothing:
            return std::bit_cast<ValueBits>(no_increment);
        case Before::not_a_sum:
            return std::bit_cast<ValueBits>(std::numeric_limits<double>::quiet_NaN());
        case Before::huge:
            break;
    }
    return std::bit_cast<ValueBits>(huge_sum);
}

double real(ValueBits bits) { return std::bit_cast<double>(bits); }
std::int64_t integer(ValueBits bits) { return std::bit_cast<std::int64_t>(bits); }
/// Modulo 2^64, as sums of kernels are.
std::int64_t difference(ValueBits a, ValueBits b) { return integer(a - b); }

bool same_bits(ValueBits a, ValueBits b, bool is_integer) {
    return is_integer ? a == b : same_value(real(a), real(b));
}

std::string text_of(ValueBits bits, bool is_integer) {
    return is_integer ? exact_text(integer(bits)) : exact_text(real(bits));
}

bool is_poisoned(ValueBits bits, bool is_integer) {
    return is_integer ? integer(bits) == integer_poison : is_poison(real(bits));
}

/// Of an increment that should have been added to `Before::not_a_sum`.
bool is_overwritten(ValueBits first, ValueBits second, bool is_integer) {
    return is_integer ? difference(second, first) != far_integer : !std::isnan(real(second));
}

/// Sums of ordinary size, started from `Before::huge`, are still about that.
bool stays_huge(ValueBits ordinary, ValueBits started, bool is_integer) {
    if (is_integer) {
        return difference(started, ordinary) == far_integer;
    }
    const bool is_ordinary = std::abs(real(ordinary)) < 1e-10 * huge_sum;
    return !is_ordinary || std::abs(real(started) - huge_sum) <= 1e-6 * huge_sum;
}

/// Zeros of either sign are the same to a sum that is none.
bool same_increment(ValueBits a, ValueBits b, bool is_integer) {
    return is_integer ? a == b : real(a) == real(b) || (std::isnan(real(a)) && std::isnan(real(b)));
}

/// Whether a value, added to `old` or in its place, is one that memory of type T holds.
template <class T>
bool holds(std::int64_t old, std::int64_t value) {
    T result = 0;
    return !__builtin_add_overflow(old, value, &result);
}

/// An argument, and where its values begin.
struct CheckedArg {
    const ArgUse& use;
    std::size_t first;
    bool is_integer;
};

class CheckRun {
    using Values = std::vector<ValueBits>;

public:
    CheckRun(Context& context, const LoopName& name, const SetPart& set, ArgUses uses,
             CheckedKernel& kernel)
        : context_(context), name_(name), set_(set), uses_(uses), kernel_(kernel) {
        for (const ArgUse& use : uses) {
            args_.push_back({use, count_, is_integer(use.type)});
            count_ += static_cast<std::size_t>(use.size);
        }
        for (Values* values : {&before_, &first_, &other_}) {
            values->resize(count_);
        }
    }

    void run() {
        std::vector<DatStore*> stores;
        append_halo_reads(uses_, stores);
        exchange_checked(context_, name_, std::move(stores));
        const bool executes_imports = changes_others(uses_);
        const LocalIndex count = executes_imports ? set_.exec : set_.owned;
        const std::vector<LocalIndex>& order = context_.plans().order(set_);
        const bool listed = executes_imports && !order.empty();
        for (LocalIndex k = 0; k < count && problem_.empty(); ++k) {
            run_element(listed ? order[static_cast<std::size_t>(k)] : k);
        }
        context_.comm().agree(problem_.empty() ? 0 : static_cast<int>(ExitCode::run_failed),
                              problem_);
        kernel_.finish_reductions(context_.reducing(set_));
        mark_changes(uses_);
        poison_stale_halos();
    }

private:
    void run_element(LocalIndex element) {
        element_ = element;
        check_indices();
        if (!problem_.empty()) {
            return;
        }
        kernel_.load(element, before_.data());
        call_from(first_, Before::poison, Before::nothing);
        call_from(other_, Before::one, Before::not_a_sum);
        judge_accesses();
        judge_increments();
        if (kernel_.load_from_other_end(element, other_.data())) {
            kernel_.call(other_.data());
            judge_ends();
        }
        const bool owned = element < set_.owned;
        judge_ranges(owned);
        kernel_.store(element, first_.data(), owned);
    }

    /// Runs the kernel with `written` in what it writes and `added` in what it adds to, but `huge` in
    /// the increment that begins at `far_sum`.
    void call_from(Values& values, Before written, Before added,
                   const CheckedArg* far_sum = nullptr) const {
        values = before_;
        for (const CheckedArg& arg : args_) {
            const Access access = arg.use.access;
            if (access != Access::write && access != Access::inc) {
                continue;
            }
            const Before start = access == Access::write ? written
                                 : &arg == far_sum       ? Before::huge
                                                         : added;
            const ValueBits bits = arg.is_integer ? integer_before(start) : real_before(start);
            std::fill_n(values.begin() + std::ptrdiff_t(arg.first), arg.use.size, bits);
        }
        kernel_.call(values.data());
    }

    [[nodiscard]] LocalIndex target_of(const ArgUse& use) const {
        return use.is_indirect() ? use.map->targets[static_cast<std::size_t>(element_) *
                                                        static_cast<std::size_t>(use.map->arity) +
                                                    static_cast<std::size_t>(use.slot)]
                                 : element_;
    }

    void check_indices() {
        for (const ArgUse& use : uses_) {
            const LocalIndex target = target_of(use);
            if (!use.is_indirect()) {
                continue;
            }
            const LocalIndex end = use.map->may_be_absent ? use.to->rows() : use.to->total;
            if (target < 0 || target >= end) {
                problem_ = fault_of_map(place(), *use.map, target, *use.to);
            }
        }
    }

    /// Why the runs from `before_` to `first_` and `other_` are not what an access says; null if they are.
    [[nodiscard]] const char* fault_of(const CheckedArg& arg, std::size_t at) const {
        const Access access = arg.use.access;
        if (access == Access::read) {
            return same_bits(before_[at], first_[at], arg.is_integer)
                       ? nullptr
                       : "changes what it declares to read";
        }
        if (access == Access::write && is_poisoned(first_[at], arg.is_integer)) {
            return "does not write what it declares to write";
        }
        if (access == Access::inc) {
            return is_overwritten(first_[at], other_[at], arg.is_integer)
                       ? "overwrites what it declares to increment"
                       : nullptr;
        }
        return same_bits(first_[at], other_[at], arg.is_integer)
                   ? nullptr
                   : "reads what it declares to write or increment only";
    }

    void judge_accesses() {
        for (const CheckedArg& arg : args_) {
            for (int d = 0; d < arg.use.size && problem_.empty(); ++d) {
                const char* fault = fault_of(arg, arg.first + static_cast<std::size_t>(d));
                if (fault != nullptr) {
                    problem_ = fault_of_access(place(), fault, {arg.use.place, d});
                }
            }
        }
    }

    /// What one increment starts from must not show in any other argument, nor in what is added to it:
    /// beside a sum that is huge what a kernel adds is nothing, unless the kernel read the sum.
    void judge_increments() {
        for (const CheckedArg& changed : args_) {
            if (changed.use.access != Access::inc || !problem_.empty()) {
                continue;
            }
            call_from(other_, Before::poison, Before::nothing, &changed);
            bool independent = true;
            for (const CheckedArg& arg : args_) {
                for (std::size_t at = arg.first; at < end_of(arg); ++at) {
                    independent =
                        independent &&
                        (&arg == &changed ? stays_huge(first_[at], other_[at], arg.is_integer)
                                          : same_bits(first_[at], other_[at], arg.is_integer));
                }
            }
            if (!independent) {
                problem_ = fault_of_access(place(), "reads what it declares to increment",
                                           {changed.use.place, whole_argument});
            }
        }
    }

    /// With the ends exchanged (`other_`), one end must get what the other one got.
    void judge_ends() {
        for (const CheckedArg& arg : args_) {
            if (!increments_an_end(arg.use)) {
                continue;
            }
            const CheckedArg& twin = twin_of(arg);
            for (int d = 0; d < arg.use.size && problem_.empty(); ++d) {
                const ValueBits got = other_[arg.first + static_cast<std::size_t>(d)];
                const ValueBits expected = first_[twin.first + static_cast<std::size_t>(d)];
                if (!same_increment(got, expected, arg.is_integer)) {
                    problem_ =
                        fault_of_ends(place(), {arg.use.place, d}, text_of(got, arg.is_integer),
                                      twin.use.place, text_of(expected, arg.is_integer));
                }
            }
        }
    }

    static bool increments_an_end(const ArgUse& use) {
        return use.is_indirect() && use.access == Access::inc;
    }

    /// The argument that increments the other end of what `arg` increments: the first at one end
    /// belongs to the first at the other, and so on.
    [[nodiscard]] const CheckedArg& twin_of(const CheckedArg& arg) const {
        int earlier = 0;
        for (const CheckedArg* other = args_.data(); other != &arg; ++other) {
            earlier += increments_an_end(other->use) && other->use.slot == arg.use.slot ? 1 : 0;
        }
        for (const CheckedArg& other : args_) {
            if (increments_an_end(other.use) && other.use.slot == 1 - arg.use.slot &&
                earlier-- == 0) {
                return other;
            }
        }
        return arg;
    }

    /// Integers wrap around where memory does not hold them, the same on all back ends, and hardly ever
    /// as meant.
    void judge_ranges(bool owned) {
        for (const CheckedArg& arg : args_) {
            const ArgUse& use = arg.use;
            if (!arg.is_integer || use.is_global() || !use.is_changed()) {
                continue;
            }
            const LocalIndex target = target_of(use);
            if (use.is_indirect() ? target >= use.store->set->owned : !owned) {
                continue;
            }
            for (int d = 0; d < use.size && problem_.empty(); ++d) {
                if (!is_in_range(use, target, d,
                                 integer(first_[arg.first + static_cast<std::size_t>(d)]))) {
                    problem_ = fault_of_access(
                        place(), "gives an integer dat more than it can hold", {use.place, d});
                }
            }
        }
    }

    static bool is_in_range(const ArgUse& use, LocalIndex target, int d, std::int64_t value) {
        return visit_element_type(use.type, [&]<class T>(T) {
            if constexpr (IntegerElement<T>) {
                const auto& store = static_cast<const DatStoreOf<T>&>(*use.store);
                return holds<T>(use.access == Access::inc ? store.at(target, d) : 0, value);
            } else {
                return true;
            }
        });
    }

    void poison_stale_halos() {
        for (const ArgUse& use : uses_) {
            if (use.is_global() || !use.is_changed()) {
                continue;
            }
            visit_element_type(use.type, [&]<class T>(T) {
                auto& store = static_cast<DatStoreOf<T>&>(*use.store);
                for (LocalIndex e = store.set->owned; e < store.set->total; ++e) {
                    for (int d = 0; d < store.dim; ++d) {
                        store.at(e, d) = stored_poison<T>();
                    }
                }
            });
        }
    }

    static std::size_t end_of(const CheckedArg& arg) {
        return arg.first + static_cast<std::size_t>(arg.use.size);
    }
    [[nodiscard]] CheckedPlace place() const { return {name_, set_, element_}; }

    Context& context_;
    const LoopName& name_;
    const SetPart& set_;
    ArgUses uses_;
    CheckedKernel& kernel_;
    std::vector<CheckedArg> args_;
    std::size_t count_ = 0;  ///< values of all arguments
    // Of one element:
    LocalIndex element_ = 0;
    Values before_;
    Values first_;  ///< after the run that counts
    Values other_;  ///< after another run
    std::string problem_;
};

}  // namespace

void run_checked(Context& context, const LoopName& name, const SetPart& set, ArgUses uses,
                 CheckedKernel& kernel) {
    CheckRun(context, name, set, uses, kernel).run();
}

}  // namespace halocline::detail
