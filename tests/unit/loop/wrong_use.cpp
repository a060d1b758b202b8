// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Programs that must not compile, one a macro; with WRONG_USE_none the file is right.
#include "halocline/backend/par_loop.hpp"

namespace halocline {

struct Node {};
struct Edge {};
struct Cell {};

struct Copy {
    template <class V>
    void operator()(const Values<V, 1>& from, Values<V, 1>& to) const {
        to[0] = from[0];
    }
};

struct WritesItsFirst {
    template <class V>
    void operator()(Values<V, 1>& from, Values<V, 1>& to) const {
        from[0] = to[0];
    }
};

struct ReadsTwo {
    template <class V>
    void operator()(const Values<V, 2>& from, Values<V, 1>& to) const {
        to[0] = from[1];
    }
};

struct TakesAnything {
    template <class From, class To>
    void operator()(const From& from, To&& to) const {
        to[0] = from[0];
    }
};

struct WritesToACopy {
    template <class V>
    void operator()(const Values<V, 1>& from, Values<V, 1> to) const {
        to[0] = from[0];
    }
};

struct OnlyReads {
    template <class V>
    void operator()(const Values<V, 1>&, const Values<V, 1>&) const {}
};

struct TakesOne {
    template <class V>
    void operator()(Values<V, 1>& to) const {
        to[0] = V(0.0);
    }
};

struct Choose {
    template <class V>
    void operator()(const Values<Integer<V>, 1>& group, Values<V, 1>& to) const {
        to[0] = select(group[0] == 3, V(1.0), to_real(group[0]));
    }
};

struct Half {
    static constexpr int size = 1;
    template <class V>
    void operator()(const Values<V, 1>& x, Values<V, 1>& half) const {
        half[0] = x[0] * V(0.5);
    }
};

struct TakesDoubles {
    void operator()(const Values<double, 1>& from, Values<double, 1>& to) const { to[0] = from[0]; }
};

struct SumsRows {
    template <class V>
    void operator()(const Rows<V, 2, 1>& from, Values<V, 1>& to) const {
        to[0] = from[0][0] + from[1][0];
    }
};

struct WritesItsRows {
    template <class V>
    void operator()(Rows<V, 2, 1>& from, Values<V, 1>& to) const {
        from[0][0] = to[0];
    }
};

struct SumsWideRows {
    template <class V>
    void operator()(const Rows<V, 2, 3>& from, Values<V, 1>& to) const {
        to[0] = from[0][0] + from[1][0];
    }
};

void loops(Context& context, const Mesh& mesh) {
    const Set<Node> nodes = mesh.set<Node>("nodes");
    const Set<Edge> edges = mesh.set<Edge>("edges");
    const auto edge_nodes = mesh.map<Edge, Node, 2>("edge_nodes");
    const auto cell_nodes = mesh.map<Cell, Node, 2>("cell_nodes");
    const auto edge_cells = mesh.map<Edge, Cell, 2>("edge_cells");
    auto x = mesh.make_dat<Node, double, 1>(nodes, "x");
    auto e = mesh.make_dat<Edge, double, 1>(edges, "e");
    const auto constant = mesh.make_dat<Node, double, 1>(nodes, "constant");
    Mesh own(MeshPart{}, LayoutMode::plain);
    const auto some = make_subset(context, own, edges, "some", [](LocalIndex) { return true; });
    const auto group = mesh.make_dat<Node, std::int32_t, 1>(nodes, "group");
    auto low = mesh.make_dat<Node, float, 1>(nodes, "low");
#if defined(WRONG_USE_none)
    par_loop(context, "right", edges, Copy{}, read<1>(x, edge_nodes), write(e));
    par_loop(context, "right", edges, SumsRows{}, read_all(x, edge_nodes), write(e));
    par_loop(context, "right", edges, Copy{}, read(e),
             write<0>(x, one_to_one(context.comm(), edge_nodes)));
    par_loop(context, "right", some, Copy{}, read<1>(x, edge_nodes), write(e));
    par_loop(context, "right", nodes, Choose{}, read(group), write(low));
    par_loop(context, "right", nodes, Copy{}, read(x), write(low));
    par_loop(context, "right", nodes, TakesAnything{}, read(x), write(low));
    par_loop(
        context, "right", nodes, [](const auto& from, auto& to) -> void { to[0] = from[0]; },
        read(x), write(low));
    (void)cell_nodes;
    (void)edge_cells;
    (void)constant;
#elif defined(WRONG_USE_other_map_kind)
    par_loop(context, "wrong", edges, Copy{}, read<1>(x, cell_nodes), write(e));
#elif defined(WRONG_USE_other_dat_kind)
    par_loop(context, "wrong", edges, Copy{}, read(x), write(e));
#elif defined(WRONG_USE_map_to_other_kind)
    par_loop(context, "wrong", edges, Copy{}, read<1>(x, edge_cells), write(e));
#elif defined(WRONG_USE_slot_out_of_range)
    par_loop(context, "wrong", edges, Copy{}, read<2>(x, edge_nodes), write(e));
#elif defined(WRONG_USE_write_through_map)
    par_loop(context, "wrong", edges, Copy{}, read(e), write<0>(x, edge_nodes));
#elif defined(WRONG_USE_read_write_through_map)
    par_loop(context, "wrong", edges, Copy{}, read(e), read_write<0>(x, edge_nodes));
#elif defined(WRONG_USE_subset_dat_of_other_kind)
    par_loop(context, "wrong", some, Copy{}, read(x), write(e));
#elif defined(WRONG_USE_subset_map_of_other_kind)
    par_loop(context, "wrong", some, Copy{}, read<1>(x, cell_nodes), write(e));
#elif defined(WRONG_USE_write_to_const)
    par_loop(context, "wrong", nodes, Copy{}, read(x), write(constant));
#elif defined(WRONG_USE_derived_of_plain)
    par_loop(context, "wrong", nodes, Copy{}, read(derived(constant)), write(x));
#elif defined(WRONG_USE_oriented_without_symmetry)
    par_loop(context, "wrong", nodes, Copy{}, read(oriented(constant)), write(x));
#elif defined(WRONG_USE_write_through_read_argument)
    par_loop(context, "wrong", nodes, WritesItsFirst{}, read(constant), write(x));
#elif defined(WRONG_USE_argument_without_access)
    par_loop(context, "wrong", nodes, Copy{}, read(constant), x);
#elif defined(WRONG_USE_another_size)
    par_loop(context, "wrong", nodes, ReadsTwo{}, read(constant), write(x));
#elif defined(WRONG_USE_change_of_a_copy)
    par_loop(context, "wrong", nodes, WritesToACopy{}, read(constant), inc(x));
#elif defined(WRONG_USE_change_by_const_reference)
    par_loop(context, "wrong", some, OnlyReads{}, read(e), inc<0>(x, edge_nodes));
#elif defined(WRONG_USE_global_written_in_a_loop)
    Global<double, 1> last{{0.0}};
    par_loop(context, "wrong", nodes, Copy{}, read(x), write(last));
#elif defined(WRONG_USE_argument_missing)
    par_loop(context, "wrong", nodes, TakesOne{}, read(constant), write(x));
#elif defined(WRONG_USE_doubles_only)
    par_loop(context, "wrong", nodes, TakesDoubles{}, read(constant), write(x));
#elif defined(WRONG_USE_rows_of_other_map_kind)
    par_loop(context, "wrong", edges, SumsRows{}, read_all(x, cell_nodes), write(e));
#elif defined(WRONG_USE_rows_through_map_to_other_kind)
    par_loop(context, "wrong", edges, SumsRows{}, read_all(x, edge_cells), write(e));
#elif defined(WRONG_USE_inc_rows_of_const)
    par_loop(context, "wrong", edges, WritesItsRows{}, inc_all(constant, edge_nodes), write(e));
#elif defined(WRONG_USE_write_to_rows_read)
    par_loop(context, "wrong", edges, WritesItsRows{}, read_all(x, edge_nodes), write(e));
#elif defined(WRONG_USE_rows_of_another_size)
    par_loop(context, "wrong", edges, SumsWideRows{}, read_all(x, edge_nodes), write(e));
#elif defined(WRONG_USE_one_row_for_all)
    par_loop(context, "wrong", edges, Copy{}, read_all(x, edge_nodes), write(e));
#elif defined(WRONG_USE_integers_as_floating)
    par_loop(context, "wrong", nodes, Copy{}, read(group), write(x));
#elif defined(WRONG_USE_floating_as_integers)
    par_loop(context, "wrong", nodes, Choose{}, read(x), write(low));
#elif defined(WRONG_USE_swap_of_types)
    swap(x, low);
#elif defined(WRONG_USE_derived_of_floats)
    (void)mesh.make_dat<Node, float, 1, DerivedStorage<Half>>(nodes, "derived");
#elif defined(WRONG_USE_other_element)
    (void)mesh.make_dat<Node, short, 1>(nodes, "short");
#endif
}

}  // namespace halocline
