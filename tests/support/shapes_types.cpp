// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops over dats and globals of floats and integers beside doubles: every way of access.
#include <algorithm>
#include <array>
#include <limits>

#include "support/loop_shapes.hpp"
#include "support/run_loops.hpp"

namespace halocline::test {

namespace {

using std::int32_t;
using std::int64_t;

/// Beyond what a double holds: a sum that went through one would show.
int64_t field_id(GlobalIndex id, int d) {
    return static_cast<int64_t>(mix(61, id, d) >> 9) - (int64_t{1} << 54);
}
int32_t field_tag(GlobalIndex id, int d) {
    return static_cast<int32_t>(mix(62, id, d) % 2001) - 1000;
}
float field_x32(GlobalIndex id, int d) { return static_cast<float>(rough_number(63, id, d)); }
float field_f(GlobalIndex id, int d) { return static_cast<float>(rough_number(64, id, d)); }
double field_own(GlobalIndex id, int d) { return rough_number(65, id, d); }

/// All values in one list of doubles; 64 bits as two halves.
void append_exactly(std::vector<double>& all, const std::vector<double>& more) {
    append(all, more);
}
void append_exactly(std::vector<double>& all, const std::vector<float>& more) {
    all.insert(all.end(), more.begin(), more.end());
}
void append_exactly(std::vector<double>& all, const std::vector<int32_t>& more) {
    all.insert(all.end(), more.begin(), more.end());
}
void append_exactly(std::vector<double>& all, const std::vector<int64_t>& more) {
    for (const int64_t value : more) {
        all.push_back(static_cast<double>(value >> 32));
        all.push_back(static_cast<double>(value & 0xffffffff));
    }
}
template <class... Lists>
std::vector<double> listed(const Lists&... lists) {
    std::vector<double> all;
    (append_exactly(all, lists), ...);
    return all;
}

/// A table with n values of type T an element.
template <class T, int n>
struct Table {
    std::vector<T> values;

    template <class Value>
    Table(GlobalIndex rows, Value value) {
        for (GlobalIndex i = 0; i < rows; ++i) {
            for (int d = 0; d < n; ++d) {
                values.push_back(static_cast<T>(value(i, d)));
            }
        }
    }
    [[nodiscard]] T& at(GlobalIndex i, int d) {
        return values[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(d)];
    }
    /// What a kernel for one element gets.
    [[nodiscard]] Values<ValueOf<T, double>, n> row(GlobalIndex i) {
        Values<ValueOf<T, double>, n> row;
        for (int d = 0; d < n; ++d) {
            row[d] = at(i, d);
        }
        return row;
    }
    void set(GlobalIndex i, const Values<ValueOf<T, double>, n>& row) {
        for (int d = 0; d < n; ++d) {
            at(i, d) = stored(row[d]);
        }
    }
    /// Each sum is rounded to the type of the dat.
    void add(GlobalIndex i, const Values<ValueOf<T, double>, n>& row) {
        for (int d = 0; d < n; ++d) {
            at(i, d) = stored(ValueOf<T, double>(at(i, d)) + row[d]);
        }
    }

private:
    static T stored(double value) { return static_cast<T>(value); }
    static T stored(Integer<double> value) { return static_cast<T>(value.lanes); }
};

template <class T, int n>
Values<ValueOf<T, double>, n> nothing() {
    Values<ValueOf<T, double>, n> row;
    for (int d = 0; d < n; ++d) {
        row[d] = neutral_increment<ValueOf<T, double>>();
    }
    return row;
}

/// Comparison, choice, index arithmetic and both conversions, beside floats.
struct Mixed {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& x, const Values<Integer<V>, 1>& tag,
                                 const Values<Integer<V>, 2>& id, Values<V, 2>& out,
                                 Values<V, 3>& f, Values<Integer<V>, 2>& count, Values<V, 1>& sum,
                                 Values<Integer<V>, 2>& label) const {
        out[0] = select(tag[0] > 0, x[0] * x[1], x[2]);
        out[1] = to_real(tag[0]) * V(0.5) + x[1];
        for (int d = 0; d < 3; ++d) {
            f[d] = f[d] * V(1.1) + x[d];
        }
        count[0] += select(tag[0] == 3 || id[0] < 0, id[0], 1);
        count[1] += (id[1] >> 3) ^ tag[0];
        sum[0] += x[0] * x[0];
        label[0] = tag[0] * 7 - id[0] % 5;
        label[1] = (tag[0] & 255) / 3 - to_integer(x[1] * V(10.0));
    }
};

template <class Storage>
std::vector<double> run_mixed(LoopWorld& world) {
    const auto set = world.nodes();
    const auto x = world.dat<3, Storage, float>(set, "x", field_x32);
    const auto tag = world.dat<1, Storage, int32_t>(set, "tag", field_tag);
    const auto id = world.dat<2, Storage, int64_t>(set, "id", field_id);
    auto out = world.dat<2, Storage>(set, "out", field_own);
    auto f = world.dat<3, Storage, float>(set, "f", field_f);
    auto count = world.dat<2, Storage, int64_t>(set, "count", field_tag);
    auto sum = world.dat<1, Storage, float>(set, "sum", field_f);
    auto label = world.dat<2, Storage, int32_t>(set, "label", field_tag);
    for (int step = 0; step < 3; ++step) {
        run_loop(world, "mixed", set, Mixed{}, read(x), read(tag), read(id), write(out),
                 read_write(f), inc(count), inc(sum), write(label));
    }
    return listed(world.collect(out), world.collect(f), world.collect(count), world.collect(sum),
                  world.collect(label));
}

std::vector<double> expect_mixed(const WorldTables& tables) {
    const GlobalIndex n = tables.sizes.nodes;
    Table<float, 3> x(n, field_x32);
    Table<int32_t, 1> tag(n, field_tag);
    Table<int64_t, 2> id(n, field_id);
    Table<double, 2> out(n, field_own);
    Table<float, 3> f(n, field_f);
    Table<int64_t, 2> count(n, field_tag);
    Table<float, 1> sum(n, field_f);
    Table<int32_t, 2> label(n, field_tag);
    for (int step = 0; step < 3; ++step) {
        for (GlobalIndex i = 0; i < n; ++i) {
            auto out_row = out.row(i);
            auto f_row = f.row(i);
            auto label_row = label.row(i);
            auto more_count = nothing<int64_t, 2>();
            auto more_sum = nothing<float, 1>();
            Mixed{}(x.row(i), tag.row(i), id.row(i), out_row, f_row, more_count, more_sum,
                    label_row);
            out.set(i, out_row);
            f.set(i, f_row);
            count.add(i, more_count);
            sum.add(i, more_sum);
            label.set(i, label_row);
        }
    }
    return listed(out.values, f.values, count.values, sum.values, label.values);
}

/// Rows of floats of any width beside rows of integers, through a map.
struct Fetch {
    template <class V, int n>
    HALOCLINE_HD void operator()(const Values<V, n>& a, const Values<Integer<V>, 1>& tag,
                                 const Values<Integer<V>, 3>& id, const Values<V, n>& b,
                                 Values<V, 1>& out, Values<Integer<V>, 2>& chosen) const {
        V sum = select(tag[0] < 100, V(1.5), V(-2.5));
        for (int d = 0; d < n; ++d) {
            sum += a[d] * V(d + 1.0) - b[d];
        }
        out[0] = sum;
        chosen[0] = max(id[0], id[2]) - tag[0];
        chosen[1] = min(id[1], abs(id[2]));
    }
};

template <int n, class Storage>
std::vector<double> run_fetch(LoopWorld& world) {
    const auto x = world.dat<n, Storage, float>(world.nodes(), "x", field_x32);
    const auto tag = world.dat<1, Storage, int32_t>(world.nodes(), "tag", field_tag);
    const auto id = world.dat<3, Storage, int64_t>(world.nodes(), "id", field_id);
    auto out = world.dat<1, Storage, float>(world.triangles(), "out", field_f);
    auto chosen = world.dat<2, Storage, int64_t>(world.triangles(), "chosen", field_tag);
    const auto map = world.triangle_nodes();
    run_loop(world, "fetch", world.triangles(), Fetch{}, read<2>(x, map), read<0>(tag, map),
             read<1>(id, map), read<1>(x, map), write(out), write(chosen));
    return listed(world.collect(out), world.collect(chosen));
}

template <int n>
std::vector<double> expect_fetch(const WorldTables& tables) {
    Table<float, n> x(tables.sizes.nodes, field_x32);
    Table<int32_t, 1> tag(tables.sizes.nodes, field_tag);
    Table<int64_t, 3> id(tables.sizes.nodes, field_id);
    Table<float, 1> out(tables.sizes.triangles, field_f);
    Table<int64_t, 2> chosen(tables.sizes.triangles, field_tag);
    for (GlobalIndex e = 0; e < tables.sizes.triangles; ++e) {
        const GlobalIndex* node = &tables.triangle_nodes[static_cast<std::size_t>(3 * e)];
        auto out_row = out.row(e);
        auto chosen_row = chosen.row(e);
        Fetch{}(x.row(node[2]), tag.row(node[0]), id.row(node[1]), x.row(node[1]), out_row,
                chosen_row);
        out.set(e, out_row);
        chosen.set(e, chosen_row);
    }
    return listed(out.values, chosen.values);
}

/// Sums of three types through every column of a map.
struct Spread {
    template <class V, class... Sums>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<Integer<V>, 1>& tag,
                                 const Values<Integer<V>, 3>& id, Sums&... sums) const {
        double factor = 0.3;
        (add(own, tag, id, factor += 0.45, sums), ...);
    }

private:
    template <class V>
    HALOCLINE_HD static void add(const Values<V, 2>& own, const Values<Integer<V>, 1>&,
                                 const Values<Integer<V>, 3>&, double factor, Values<V, 2>& sum) {
        sum[0] += own[0] * V(factor);
        sum[1] -= own[1] * V(factor);
    }
    template <class V>
    HALOCLINE_HD static void add(const Values<V, 2>& own, const Values<Integer<V>, 1>& tag,
                                 const Values<Integer<V>, 3>&, double factor,
                                 Values<Integer<V>, 1>& sum) {
        sum[0] += select(own[0] > V(factor), tag[0], 1);
    }
    template <class V>
    HALOCLINE_HD static void add(const Values<V, 2>&, const Values<Integer<V>, 1>&,
                                 const Values<Integer<V>, 3>& id, double,
                                 Values<Integer<V>, 3>& sum) {
        for (int d = 0; d < 3; ++d) {
            sum[d] += id[d];
        }
    }
};

template <class Storage, class Tag, int arity>
std::vector<double> run_spread(LoopWorld& world, Set<Tag> set, const Map<Tag, Node, arity>& map) {
    const auto own = world.dat<2, Storage, float>(set, "own", field_f);
    const auto tag = world.dat<1, Storage, int32_t>(set, "tag", field_tag);
    const auto id = world.dat<3, Storage, int64_t>(
        set, "id", [](GlobalIndex i, int d) { return field_id(i, d) >> 9 << 1; });
    auto sum = world.dat<2, Storage, float>(world.nodes(), "sum", field_x32);
    auto count = world.dat<1, Storage, int32_t>(world.nodes(), "count", field_tag);
    auto total = world.dat<3, Storage, int64_t>(world.nodes(), "total", field_id);
    [&]<int... k>(std::integer_sequence<int, k...>) {
        run_loop(world, "spread", set, Spread{}, read(own), read(tag), read(id),
                 inc<k>(sum, map)..., inc<k>(count, map)..., inc<k>(total, map)...);
    }
    (std::make_integer_sequence<int, arity>{});
    return listed(world.collect(sum), world.collect(count), world.collect(total));
}

std::vector<double> expect_spread(const WorldTables& tables, const std::vector<GlobalIndex>& map,
                                  int arity) {
    const auto elements = static_cast<GlobalIndex>(map.size()) / arity;
    Table<float, 2> own(elements, field_f);
    Table<int32_t, 1> tag(elements, field_tag);
    Table<int64_t, 3> id(elements, [](GlobalIndex i, int d) { return field_id(i, d) >> 9 << 1; });
    Table<float, 2> sum(tables.sizes.nodes, field_x32);
    Table<int32_t, 1> count(tables.sizes.nodes, field_tag);
    Table<int64_t, 3> total(tables.sizes.nodes, field_id);
    for (GlobalIndex e = 0; e < elements; ++e) {
        double factor = 0.3;
        std::vector<double> factors;
        for (int k = 0; k < 3 * arity; ++k) {
            factors.push_back(factor += 0.45);
        }
        for (int k = 0; k < arity; ++k) {
            const GlobalIndex node = map[static_cast<std::size_t>(e * arity + k)];
            const double f = factors[static_cast<std::size_t>(k)];
            auto more = nothing<float, 2>();
            more[0] += own.row(e)[0] * f;
            more[1] -= own.row(e)[1] * f;
            sum.add(node, more);
            count.at(node, 0) +=
                own.row(e)[0] > factors[static_cast<std::size_t>(arity + k)] ? tag.at(e, 0) : 1;
            for (int d = 0; d < 3; ++d) {
                total.at(node, d) += id.at(e, d);
            }
        }
    }
    return listed(sum.values, count.values, total.values);
}

struct Extremes {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<Integer<V>, 1>& id,
                                 Values<V, 2>& low, Values<Integer<V>, 1>& high,
                                 Values<V, 2>& low_too, Values<Integer<V>, 1>& high_too) const {
        for (int d = 0; d < 2; ++d) {
            low[d] = min(low[d], own[d] * V(1.3));
            low_too[d] = min(low_too[d], own[1 - d] * V(0.7));
        }
        high[0] = max(high[0], id[0] % 1000);
        high_too[0] = max(high_too[0], id[0] % 777);
    }
};

template <class Storage, class High, int second>
std::vector<double> run_extremes(LoopWorld& world) {
    const auto own = world.dat<2, Storage, float>(world.edges(), "own", field_f);
    const auto id = world.dat<1, Storage, int64_t>(world.edges(), "id", field_id);
    auto low = world.dat<2, Storage, float>(world.nodes(), "low", field_x32);
    auto high = world.dat<1, Storage, High>(world.nodes(), "high", field_tag);
    const auto map = world.edge_nodes();
    run_loop(world, "extremes", world.edges(), Extremes{}, read(own), read(id),
             reduce_min<0>(low, map), reduce_max<0>(high, map), reduce_min<second>(low, map),
             reduce_max<second>(high, map));
    return listed(world.collect(low), world.collect(high));
}

template <class High, int second>
std::vector<double> expect_extremes(const WorldTables& tables) {
    Table<float, 2> low(tables.sizes.nodes, field_x32);
    Table<High, 1> high(tables.sizes.nodes, field_tag);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e + second)];
        const int64_t id = field_id(e, 0);
        for (int d = 0; d < 2; ++d) {
            low.at(a, d) = std::min(low.at(a, d), static_cast<float>(double{field_f(e, d)} * 1.3));
            low.at(b, d) =
                std::min(low.at(b, d), static_cast<float>(double{field_f(e, 1 - d)} * 0.7));
        }
        high.at(a, 0) = std::max(high.at(a, 0), static_cast<High>(id % 1000));
        high.at(b, 0) = std::max(high.at(b, 0), static_cast<High>(id % 777));
    }
    return listed(low.values, high.values);
}

/// Oriented floats and integers; integers decide by what lies at both ends.
struct Exchange {
    static constexpr bool swap_symmetric = true;

    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b,
                                 const Values<Integer<V>, 1>& tag_a,
                                 const Values<Integer<V>, 1>& tag_b, const Values<V, 2>& weight,
                                 const Values<Integer<V>, 1>& sign,
                                 const Values<Integer<V>, 1>& size, Values<V, 2>& sum_a,
                                 Values<V, 2>& sum_b, Values<Integer<V>, 2>& count_a,
                                 Values<Integer<V>, 2>& count_b) const {
        const V flux = weight[0] * (a[0] + b[0]) + weight[1] * (a[1] + b[1]);
        sum_a[0] += flux;
        sum_b[0] -= flux;
        sum_a[1] += a[2] - b[2];
        sum_b[1] += b[2] - a[2];
        count_a[0] += sign[0] * size[0];
        count_b[0] -= sign[0] * size[0];
        count_a[1] += select(tag_a[0] > tag_b[0], size[0], -size[0]);
        count_b[1] += select(tag_b[0] > tag_a[0], size[0], -size[0]);
    }
};

template <class Storage, class Count>
std::vector<double> run_exchange(LoopWorld& world) {
    const auto q = world.dat<3, Storage, float>(world.nodes(), "q", field_x32);
    const auto tag = world.dat<1, Storage, int32_t>(world.nodes(), "tag", field_tag);
    const auto weight = world.dat<2, Storage, float>(world.edges(), "weight", field_f);
    const auto sign = world.dat<1, Storage, int32_t>(world.edges(), "sign", field_tag);
    const auto size = world.dat<1, Storage, Count>(world.edges(), "size", field_tag);
    auto sum = world.dat<2, Storage, float>(world.nodes(), "sum", field_f);
    auto count = world.dat<2, Storage, Count>(world.nodes(), "count", field_tag);
    const auto map = world.edge_nodes();
    run_loop(world, "exchange", world.edges(), Exchange{}, read<0>(q, map), read<1>(q, map),
             read<0>(tag, map), read<1>(tag, map), read(oriented(weight)), read(oriented(sign)),
             read(size), inc<0>(sum, map), inc<1>(sum, map), inc<0>(count, map),
             inc<1>(count, map));
    return listed(world.collect(sum), world.collect(count));
}

template <class Count>
std::vector<double> expect_exchange(const WorldTables& tables) {
    Table<float, 3> q(tables.sizes.nodes, field_x32);
    Table<int32_t, 1> tag(tables.sizes.nodes, field_tag);
    Table<float, 2> weight(tables.sizes.edges, field_f);
    Table<int32_t, 1> sign(tables.sizes.edges, field_tag);
    Table<Count, 1> size(tables.sizes.edges, field_tag);
    Table<float, 2> sum(tables.sizes.nodes, field_f);
    Table<Count, 2> count(tables.sizes.nodes, field_tag);
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
        const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
        auto sum_a = nothing<float, 2>();
        auto sum_b = nothing<float, 2>();
        auto count_a = nothing<Count, 2>();
        auto count_b = nothing<Count, 2>();
        Exchange{}(q.row(a), q.row(b), tag.row(a), tag.row(b), weight.row(e), sign.row(e),
                   size.row(e), sum_a, sum_b, count_a, count_b);
        sum.add(a, sum_a);
        sum.add(b, sum_b);
        count.add(a, count_a);
        count.add(b, count_b);
    }
    return listed(sum.values, count.values);
}

struct Reduce {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 1>& x, const Values<Integer<V>, 1>& tag,
                                 const Values<Integer<V>, 1>& id, const Values<V, 1>& scale,
                                 const Values<Integer<V>, 1>& shift, Values<V, 1>& sum,
                                 Values<V, 1>& low, Values<Integer<V>, 1>& count,
                                 Values<Integer<V>, 1>& total, Values<Integer<V>, 1>& least,
                                 Values<Integer<V>, 1>& most) const {
        sum[0] += x[0] * scale[0];
        low[0] = min(low[0], x[0] * V(0.3));
        count[0] += select(tag[0] >= 0, tag[0], shift[0]);
        total[0] += id[0];
        least[0] = min(least[0], id[0]);
        most[0] = max(most[0], tag[0] + shift[0]);
    }
};

/// Multiples of 1/64: their sum is exact, and rounded to a float once.
float field_exact(GlobalIndex id, int d) { return static_cast<float>(exact_number(66, id, d)); }

template <class Storage>
std::vector<double> run_reduce(LoopWorld& world) {
    const auto x = world.dat<1, Storage, float>(world.edges(), "x", field_exact);
    const auto tag = world.dat<1, Storage, int32_t>(world.nodes(), "tag", field_tag);
    const auto id = world.dat<1, Storage, int64_t>(world.edges(), "id", field_id);
    const Global<float, 1> scale{{0.25F}};
    const Global<int32_t, 1> shift{{-7}};
    Global<float, 1> sum{{1e6F}};
    Global<float, 1> low{{std::numeric_limits<float>::infinity()}};
    Global<int32_t, 1> count{{5}};
    Global<int64_t, 1> total{{int64_t{3} << 55}};
    Global<int64_t, 1> least{{std::numeric_limits<int64_t>::max()}};
    Global<int32_t, 1> most{{-2000}};
    run_loop(world, "reduce", world.edges(), Reduce{}, read(x), read<1>(tag, world.edge_nodes()),
             read(id), read(scale), read(shift), inc(sum), reduce_min(low), inc(count), inc(total),
             reduce_min(least), reduce_max(most));
    return listed(std::vector<double>{sum[0], low[0]}, std::vector<int32_t>{count[0], most[0]},
                  std::vector<int64_t>{total[0], least[0]});
}

std::vector<double> expect_reduce(const WorldTables& tables) {
    double sum = 1e6F;
    float low = std::numeric_limits<float>::infinity();
    int32_t count = 5;
    int64_t total = int64_t{3} << 55;
    int64_t least = std::numeric_limits<int64_t>::max();
    int32_t most = -2000;
    for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
        const int32_t tag = field_tag(tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1], 0);
        sum += double{field_exact(e, 0)} * 0.25;
        low = std::min(low, static_cast<float>(double{field_exact(e, 0)} * 0.3));
        count += tag >= 0 ? tag : -7;
        total += field_id(e, 0);
        least = std::min(least, field_id(e, 0));
        most = std::max(most, tag - 7);
    }
    return listed(std::vector<double>{static_cast<float>(sum), low},
                  std::vector<int32_t>{count, most}, std::vector<int64_t>{total, least});
}

struct Contribute {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& a, const Values<V, 3>& b, Values<V, 3>& sum_a,
                                 Values<V, 3>& sum_b, Values<Integer<V>, 1>& count_a,
                                 Values<Integer<V>, 1>& count_b) const {
        for (int d = 0; d < 3; ++d) {
            sum_a[d] += a[d] * V(0.1) - b[d];
            sum_b[d] += a[d] * b[d];
        }
        count_a[0] += 1;
        count_b[0] += select(a[0] < b[0], Integer<V>(1), Integer<V>(1000));
    }
};

struct Apply {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 3>& sum, const Values<Integer<V>, 1>& count,
                                 Values<V, 3>& x, Values<Integer<V>, 1>& seen) const {
        for (int d = 0; d < 3; ++d) {
            x[d] = x[d] * V(0.5) + sum[d] / to_real(max(count[0], 1));
        }
        seen[0] += count[0];
    }
};

/// Temporaries of floats and integers hold what memory would.
std::vector<double> run_chain_of_types(LoopWorld& world) {
    auto x = world.dat<3, RowStorage, float>(world.nodes(), "x", field_x32);
    auto next = world.dat<3, LaneStorage, float>(world.nodes(), "next", field_x32);
    auto seen = world.dat<1, RowStorage, int64_t>(world.nodes(), "seen", field_tag);
    auto sum = world.mesh().make_temporary<Node, float, 3>(world.nodes(), "sum");
    auto count = world.mesh().make_temporary<Node, int32_t, 1>(world.nodes(), "count");
    const auto map = world.edge_nodes();
    for (int step = 0; step < 2; ++step) {
        run_loops(
            world, "smooth", world.nodes(),
            make_loop("contribute", world.edges(), Contribute{}, read<0>(x, map), read<1>(x, map),
                      inc<0>(sum, map), inc<1>(sum, map), inc<0>(count, map), inc<1>(count, map)),
            make_loop("apply", world.nodes(), Apply{}, read(sum), read(count), read_write(next),
                      inc(seen)));
    }
    return listed(world.collect(next), world.collect(seen));
}

std::vector<double> expect_chain_of_types(const WorldTables& tables) {
    const GlobalIndex n = tables.sizes.nodes;
    Table<float, 3> x(n, field_x32);
    Table<float, 3> next(n, field_x32);
    Table<int64_t, 1> seen(n, field_tag);
    for (int step = 0; step < 2; ++step) {
        Table<float, 3> sum(n, [](GlobalIndex, int) { return 0; });
        Table<int32_t, 1> count(n, [](GlobalIndex, int) { return 0; });
        for (GlobalIndex e = 0; e < tables.sizes.edges; ++e) {
            const GlobalIndex a = tables.edge_nodes[static_cast<std::size_t>(2 * e)];
            const GlobalIndex b = tables.edge_nodes[static_cast<std::size_t>(2 * e) + 1];
            auto sum_a = nothing<float, 3>();
            auto sum_b = nothing<float, 3>();
            auto count_a = nothing<int32_t, 1>();
            auto count_b = nothing<int32_t, 1>();
            Contribute{}(x.row(a), x.row(b), sum_a, sum_b, count_a, count_b);
            sum.add(a, sum_a);
            sum.add(b, sum_b);
            count.add(a, count_a);
            count.add(b, count_b);
        }
        for (GlobalIndex i = 0; i < n; ++i) {
            auto row = next.row(i);
            auto more = nothing<int64_t, 1>();
            Apply{}(sum.row(i), count.row(i), row, more);
            next.set(i, row);
            seen.add(i, more);
        }
    }
    return listed(next.values, seen.values);
}

struct Claim {
    template <class V>
    HALOCLINE_HD void operator()(const Values<V, 2>& own, const Values<Integer<V>, 1>& id,
                                 Values<V, 2>& out, Values<Integer<V>, 1>& label) const {
        out[0] = own[0] * V(1.7);
        out[1] = own[1] - own[0];
        label[0] = label[0] * 3 + id[0] % 100;
    }
};

/// Written through a map that no two elements share.
template <class Storage>
std::vector<double> run_claim(LoopWorld& world) {
    const auto own = world.dat<2, RowStorage, float>(world.pairs(), "own", field_f);
    const auto id = world.dat<1, RowStorage, int64_t>(world.pairs(), "id", field_id);
    auto out = world.dat<2, Storage, float>(world.nodes(), "out", field_x32);
    auto label = world.dat<1, Storage, int32_t>(world.nodes(), "label", field_tag);
    const auto claims = one_to_one(world.context().comm(), world.pair_claims());
    run_loop(world, "claim", world.pairs(), Claim{}, read(own), read(id), write<0>(out, claims),
             read_write<1>(label, claims));
    return listed(world.collect(out), world.collect(label));
}

std::vector<double> expect_claim(const WorldTables& tables) {
    Table<float, 2> own(tables.sizes.pairs, field_f);
    Table<int64_t, 1> id(tables.sizes.pairs, field_id);
    Table<float, 2> out(tables.sizes.nodes, field_x32);
    Table<int32_t, 1> label(tables.sizes.nodes, field_tag);
    for (GlobalIndex e = 0; e < tables.sizes.pairs; ++e) {
        const GlobalIndex* claimed = &tables.pair_claims[static_cast<std::size_t>(2 * e)];
        auto out_row = out.row(claimed[0]);
        auto label_row = label.row(claimed[1]);
        Claim{}(own.row(e), id.row(e), out_row, label_row);
        out.set(claimed[0], out_row);
        label.set(claimed[1], label_row);
    }
    return listed(out.values, label.values);
}

}  // namespace

std::vector<LoopShape> type_shapes() {
    return {
        {"types_direct_rows", run_mixed<RowStorage>, expect_mixed},
        {"types_direct_lanes", run_mixed<LaneStorage>, expect_mixed},
        {"types_read_1_rows", run_fetch<1, RowStorage>, expect_fetch<1>},
        {"types_read_2_rows", run_fetch<2, RowStorage>, expect_fetch<2>},
        {"types_read_3_lanes", run_fetch<3, LaneStorage>, expect_fetch<3>},
        {"types_read_5_rows", run_fetch<5, RowStorage>, expect_fetch<5>},
        {"types_read_8_rows", run_fetch<8, RowStorage>, expect_fetch<8>},
        {"types_inc_1_rows",
         [](LoopWorld& world) {
             return run_spread<RowStorage>(world, world.marks(), world.mark_node());
         },
         [](const WorldTables& tables) { return expect_spread(tables, tables.mark_node, 1); }},
        {"types_inc_1_lanes",
         [](LoopWorld& world) {
             return run_spread<LaneStorage>(world, world.marks(), world.mark_node());
         },
         [](const WorldTables& tables) { return expect_spread(tables, tables.mark_node, 1); }},
        {"types_inc_3_rows",
         [](LoopWorld& world) {
             return run_spread<RowStorage>(world, world.triangles(), world.triangle_nodes());
         },
         [](const WorldTables& tables) { return expect_spread(tables, tables.triangle_nodes, 3); }},
        {"types_inc_2_lanes",
         [](LoopWorld& world) {
             return run_spread<LaneStorage>(world, world.edges(), world.edge_nodes());
         },
         [](const WorldTables& tables) { return expect_spread(tables, tables.edge_nodes, 2); }},
        {"types_extremes_rows", run_extremes<RowStorage, int32_t, 1>, expect_extremes<int32_t, 1>},
        {"types_extremes_lanes", run_extremes<LaneStorage, int64_t, 1>,
         expect_extremes<int64_t, 1>},
        {"types_two_ended_rows", run_exchange<RowStorage, int32_t>, expect_exchange<int32_t>},
        {"types_two_ended_lanes", run_exchange<LaneStorage, int64_t>, expect_exchange<int64_t>},
        {"types_reduction_rows", run_reduce<RowStorage>, expect_reduce},
        {"types_reduction_lanes", run_reduce<LaneStorage>, expect_reduce},
        {"types_claim_rows", run_claim<RowStorage>, expect_claim},
        {"types_claim_lanes", run_claim<LaneStorage>, expect_claim},
        {"types_chain", run_chain_of_types, expect_chain_of_types},
    };
}

}  // namespace halocline::test
