// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on tetrahedra, linear elements, no matrix: conjugate gradients whose operator is a
// loop over tetrahedra or over edges, against plain loops.
//   benchmark_tetrahedra [--tetrahedra=N] [flags of race.hpp]
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "halocline/core/failure.hpp"
#include "halocline/halocline.hpp"
#include "race.hpp"
#include "tetrahedra_mesh.hpp"
#include "tetrahedra_plain.hpp"
#include "variants.hpp"

namespace halocline::benchmarks {
namespace {

struct Node {};
struct Tetrahedron {};
struct Edge {};

template <class V>
using One = Values<V, 1>;
template <class V>
using Vector = Values<V, 3>;
using NodeDat = Dat<Node, double, 1>;

/// Weights are minus the off-diagonal entries of the element's matrix: 01 02 03 12 13 23.
struct AddByWeights {
    template <class V>
    void operator()(const One<V>& a, const One<V>& b, const One<V>& c, const One<V>& d,
                    const Values<V, 6>& w, One<V>& sum_a, One<V>& sum_b, One<V>& sum_c,
                    One<V>& sum_d) const {
        const V ab = w[0] * (a[0] - b[0]);
        const V ac = w[1] * (a[0] - c[0]);
        const V ad = w[2] * (a[0] - d[0]);
        const V bc = w[3] * (b[0] - c[0]);
        const V bd = w[4] * (b[0] - d[0]);
        const V cd = w[5] * (c[0] - d[0]);
        sum_a[0] += ab + ac + ad;
        sum_b[0] += bc + bd - ab;
        sum_c[0] += cd - ac - bc;
        sum_d[0] -= ad + bd + cd;
    }
};

template <class V>
Vector<V> difference(const Vector<V>& a, const Vector<V>& b) {
    return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}

template <class V>
Vector<V> cross(const Vector<V>& a, const Vector<V>& b) {
    return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

template <class V>
V dot(const Vector<V>& a, const Vector<V>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Gradients of hat functions are area vectors over six volumes.
struct AddByCoordinates {
    template <class V>
    void operator()(const One<V>& u0, const One<V>& u1, const One<V>& u2, const One<V>& u3,
                    const Vector<V>& x0, const Vector<V>& x1, const Vector<V>& x2,
                    const Vector<V>& x3, One<V>& sum0, One<V>& sum1, One<V>& sum2,
                    One<V>& sum3) const {
        const Vector<V> a = difference(x1, x0);
        const Vector<V> b = difference(x2, x0);
        const Vector<V> c = difference(x3, x0);
        const Vector<V> na = cross(b, c);
        const Vector<V> nb = cross(c, a);
        const Vector<V> nc = cross(a, b);
        const V scale = V(1.0) / (V(6.0) * dot(a, na));
        const V ua = scale * (u1[0] - u0[0]);
        const V ub = scale * (u2[0] - u0[0]);
        const V uc = scale * (u3[0] - u0[0]);
        Vector<V> gradient;
        for (int d = 0; d < 3; ++d) {
            gradient[d] = ua * na[d] + ub * nb[d] + uc * nc[d];
        }
        const V fa = dot(gradient, na);
        const V fb = dot(gradient, nb);
        const V fc = dot(gradient, nc);
        sum0[0] -= fa + fb + fc;
        sum1[0] += fa;
        sum2[0] += fb;
        sum3[0] += fc;
    }
};

struct AddByEdges {
    static constexpr bool swap_symmetric = true;

    template <class V>
    void operator()(const One<V>& a, const One<V>& b, const One<V>& w, One<V>& sum_a,
                    One<V>& sum_b) const {
        sum_a[0] += w[0] * (a[0] - b[0]);
        sum_b[0] += w[0] * (b[0] - a[0]);
    }
};

struct Start {
    template <class V>
    void operator()(const One<V>& load, const One<V>& inside, One<V>& u, One<V>& left,
                    One<V>& direction, One<V>& product, One<V>& squares) const {
        u[0] = V(0.0);
        left[0] = load[0] * inside[0];
        direction[0] = left[0];
        product[0] = V(0.0);
        squares[0] += left[0] * left[0];
    }
};

/// The boundary keeps its value. For a product that is in memory.
struct Finish {
    template <class V>
    void operator()(const One<V>& inside, const One<V>& direction, One<V>& product,
                    One<V>& energy) const {
        product[0] *= inside[0];
        energy[0] += direction[0] * product[0];
    }
};

/// The same for a sum that a chain has just made.
struct FinishSum {
    template <class V>
    void operator()(const One<V>& inside, const One<V>& direction, const One<V>& sum,
                    One<V>& product, One<V>& energy) const {
        product[0] = sum[0] * inside[0];
        energy[0] += direction[0] * product[0];
    }
};

struct Advance {
    template <class V>
    void operator()(const One<V>& length, const One<V>& direction, const One<V>& product, One<V>& u,
                    One<V>& left, One<V>& squares) const {
        u[0] += length[0] * direction[0];
        left[0] -= length[0] * product[0];
        squares[0] += left[0] * left[0];
    }
};

struct Turn {
    template <class V>
    void operator()(const One<V>& share, const One<V>& left, One<V>& direction) const {
        direction[0] = left[0] + share[0] * direction[0];
    }
};

struct TurnAndClear {
    template <class V>
    void operator()(const One<V>& share, const One<V>& left, One<V>& direction,
                    One<V>& product) const {
        direction[0] = left[0] + share[0] * direction[0];
        product[0] = V(0.0);
    }
};

/// @name Operators: what a mesh must have for them, and their loop
/// @{
struct Weights {
    static constexpr OperatorForm form = OperatorForm::weights;

    static void declare(const Runtime& runtime, const TetrahedraMesh& whole, int nodes,
                        MeshDeclaration& mesh) {
        const int set = mesh.add_set("tetrahedra", whole.tetrahedra);
        mesh.add_map("corners", set, nodes, 4, runtime.block(whole.corners, 4));
        mesh.add_dat("weights", set, 6, runtime.block(whole.element_weights, 6));
    }
    explicit Weights(Mesh& mesh)
        : set(mesh.set<Tetrahedron>("tetrahedra")),
          corners(mesh.map<Tetrahedron, Node, 4>("corners")),
          weights(mesh.take_dat<Tetrahedron, double, 6>("weights")) {}

    template <class Sum>
    [[nodiscard]] auto loop(const NodeDat& u, Sum& sum) const {
        return make_loop("apply", set, AddByWeights{}, read<0>(u, corners), read<1>(u, corners),
                         read<2>(u, corners), read<3>(u, corners), read(weights),
                         inc<0>(sum, corners), inc<1>(sum, corners), inc<2>(sum, corners),
                         inc<3>(sum, corners));
    }

    Set<Tetrahedron> set;
    Map<Tetrahedron, Node, 4> corners;
    Dat<Tetrahedron, double, 6> weights;
};

struct Coordinates {
    static constexpr OperatorForm form = OperatorForm::coordinates;

    static void declare(const Runtime& runtime, const TetrahedraMesh& whole, int nodes,
                        MeshDeclaration& mesh) {
        const int set = mesh.add_set("tetrahedra", whole.tetrahedra);
        mesh.add_map("corners", set, nodes, 4, runtime.block(whole.corners, 4));
        mesh.add_dat("x", nodes, 3, runtime.block(whole.x, 3));
    }
    explicit Coordinates(Mesh& mesh)
        : set(mesh.set<Tetrahedron>("tetrahedra")),
          corners(mesh.map<Tetrahedron, Node, 4>("corners")),
          x(mesh.take_dat<Node, double, 3>("x")) {}

    template <class Sum>
    [[nodiscard]] auto loop(const NodeDat& u, Sum& sum) const {
        return make_loop("apply", set, AddByCoordinates{}, read<0>(u, corners), read<1>(u, corners),
                         read<2>(u, corners), read<3>(u, corners), read<0>(x, corners),
                         read<1>(x, corners), read<2>(x, corners), read<3>(x, corners),
                         inc<0>(sum, corners), inc<1>(sum, corners), inc<2>(sum, corners),
                         inc<3>(sum, corners));
    }

    Set<Tetrahedron> set;
    Map<Tetrahedron, Node, 4> corners;
    Dat<Node, double, 3> x;
};

struct Edges {
    static constexpr OperatorForm form = OperatorForm::edges;

    static void declare(const Runtime& runtime, const TetrahedraMesh& whole, int nodes,
                        MeshDeclaration& mesh) {
        const int set = mesh.add_set("edges", whole.edges);
        mesh.add_map("ends", set, nodes, 2, runtime.block(whole.ends, 2));
        mesh.add_dat("weights", set, 1, runtime.block(whole.edge_weights));
    }
    explicit Edges(Mesh& mesh)
        : set(mesh.set<Edge>("edges")),
          ends(mesh.map<Edge, Node, 2>("ends")),
          weights(mesh.take_dat<Edge, double, 1>("weights")) {}

    template <class Sum>
    [[nodiscard]] auto loop(const NodeDat& u, Sum& sum) const {
        return make_loop("apply", set, AddByEdges{}, read<0>(u, ends), read<1>(u, ends),
                         read(weights), inc<0>(sum, ends), inc<1>(sum, ends));
    }

    Set<Edge> set;
    Map<Edge, Node, 2> ends;
    Dat<Edge, double, 1> weights;
};
/// @}

template <class Operator>
MeshDeclaration declare(const Runtime& runtime, const TetrahedraMesh& whole) {
    MeshDeclaration declaration;
    const int nodes = declaration.add_set("nodes", whole.nodes);
    declaration.add_dat("inside", nodes, 1, runtime.block(whole.inside));
    declaration.add_dat("load", nodes, 1, runtime.block(whole.load));
    Operator::declare(runtime, whole, nodes, declaration);
    return declaration;
}

/// Conjugate gradients, whatever the operator.
class Solver {
public:
    virtual ~Solver() = default;
    /// u = 0; what is left is the load.
    virtual void start() = 0;
    /// The operator on the search direction, and their product.
    virtual void apply() = 0;
    virtual void iterate() = 0;
    [[nodiscard]] virtual std::vector<double> product() const = 0;
    [[nodiscard]] virtual std::vector<double> solution() const = 0;
};

/// How the operator and what follows it run: as loops through memory, or as one chain.
enum class Mode { loops, chain };

template <class Operator>
class Port final : public Solver {
public:
    Port(const Communicator& comm, const Variant& variant, const TetrahedraMesh& whole, Mode mode)
        : runtime_(comm, variant.options),
          mesh_(distributed(runtime_, declare<Operator>(runtime_, whole), variant.order)),
          mode_(mode) {}

    void start() override {
        squares_.set({{0.0}});
        par_loop(context(), "start", nodes_, Start{}, read(load_), read(inside_), write(u_),
                 write(left_), write(direction_), write(product_), inc(squares_));
    }

    void apply() override {
        energy_.set({{0.0}});
        if (mode_ == Mode::chain) {
            run_chain(context(), "apply_and_finish", nodes_, operator_.loop(direction_, sum_),
                      make_loop("finish", nodes_, FinishSum{}, read(inside_), read(direction_),
                                read(sum_), write(product_), inc(energy_)));
        } else {
            par_loop(context(), operator_.loop(direction_, product_));
            par_loop(context(), "finish", nodes_, Finish{}, read(inside_), read(direction_),
                     read_write(product_), inc(energy_));
        }
    }

    void iterate() override {
        apply();
        const double before = squares_[0];
        length_.set({{before / energy_[0]}});
        squares_.set({{0.0}});
        par_loop(context(), "advance", nodes_, Advance{}, read(length_), read(direction_),
                 read(product_), read_write(u_), read_write(left_), inc(squares_));
        share_.set({{squares_[0] / before}});
        if (mode_ == Mode::chain) {
            par_loop(context(), "turn", nodes_, Turn{}, read(share_), read(left_),
                     read_write(direction_));
        } else {
            par_loop(context(), "turn_and_clear", nodes_, TurnAndClear{}, read(share_), read(left_),
                     read_write(direction_), write(product_));
        }
    }

    [[nodiscard]] std::vector<double> product() const override { return runtime_.gather(product_); }
    [[nodiscard]] std::vector<double> solution() const override { return runtime_.gather(u_); }

private:
    [[nodiscard]] Context& context() { return runtime_.context(); }

    Runtime runtime_;
    Mesh mesh_;
    Mode mode_;
    Operator operator_{mesh_};
    Set<Node> nodes_ = mesh_.set<Node>("nodes");
    NodeDat inside_ = mesh_.take_dat<Node, double, 1>("inside");
    NodeDat load_ = mesh_.take_dat<Node, double, 1>("load");
    NodeDat u_ = mesh_.make_dat<Node, double, 1>(nodes_, "u");
    NodeDat left_ = mesh_.make_dat<Node, double, 1>(nodes_, "left");
    NodeDat direction_ = mesh_.make_dat<Node, double, 1>(nodes_, "direction");
    NodeDat product_ = mesh_.make_dat<Node, double, 1>(nodes_, "product");
    Dat<Node, double, 1, TemporaryStorage> sum_ =
        mesh_.make_temporary<Node, double, 1>(nodes_, "sum");
    Global<double, 1> squares_, energy_, length_, share_;
};

/// All ways to run one form of the operator, the plain loops among them.
class Subject {
public:
    template <class Operator>
    Subject(const Communicator& comm, const RaceFlags& flags, const TetrahedraMesh& mesh,
            std::type_identity<Operator> /*form*/, std::string name)
        : plain_(mesh, Operator::form), plain_name_(name + ", plain"), nodes_(mesh.nodes) {
        for (const Mode mode : {Mode::loops, Mode::chain}) {
            const std::string head =
                name + (mode == Mode::loops ? ", par_loop, " : ", run_chain, ");
            for (const Variant& variant : variants(flags.threads)) {
                if (flags.wants(head + variant.name)) {
                    names_.push_back(head + variant.name);
                    one_thread_.push_back(head + variant.one_thread);
                    ports_.push_back(std::make_unique<Port<Operator>>(comm, variant, mesh, mode));
                }
            }
        }
    }

    void add_to(Race& race, int iterations) {
        race.add({plain_name_, {}, [this] { plain_.start(); }, repeated(plain_, iterations)});
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            Solver& port = *ports_[i];
            race.add({names_[i],
                      {plain_name_, one_thread_[i]},
                      [&port] { port.start(); },
                      repeated(port, iterations)});
        }
    }

    /// The solutions after all iterations have the same bits among themselves, and to round-off those
    /// of the plain loops, which add products up one by one: k iterations, n nodes, k n roundings.
    void require_same_solution(const std::string& title, int iterations) {
        const double roundings = static_cast<double>(iterations) * static_cast<double>(nodes_);
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            const std::vector<double> found = ports_[i]->solution();
            require_same_bits(title + names_[i], ports_.front()->solution(), found);
            validate<DiffersError>(
                relative_difference(plain_.solution(), found) <= 4.0 * 1.2e-16 * roundings,
                title + names_[i] + ": the solution is not that of the plain loops.");
        }
    }

    /// The operator on the load has the bits of the plain loops: the order of increments is theirs.
    void require_same_product(const std::string& title) {
        plain_.start();
        plain_.apply();
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            ports_[i]->start();
            ports_[i]->apply();
            require_same_bits(title + names_[i], plain_.product(), ports_[i]->product());
        }
    }

private:
    template <class Any>
    static std::function<void()> repeated(Any& solver, int iterations) {
        return [&solver, iterations] {
            for (int i = 0; i < iterations; ++i) {
                solver.iterate();
            }
        };
    }

    PlainPoisson plain_;
    std::string plain_name_;
    GlobalIndex nodes_;
    std::vector<std::string> names_;
    std::vector<std::string> one_thread_;
    std::vector<std::unique_ptr<Solver>> ports_;
};

std::string race_one(const Communicator& comm, const RaceFlags& flags, Numbering numbering) {
    const TetrahedraMesh mesh = make_tetrahedra_mesh(flags.size, numbering);
    std::array<Subject, 3> subjects{
        Subject(comm, flags, mesh, std::type_identity<Weights>{}, "weights"),
        Subject(comm, flags, mesh, std::type_identity<Coordinates>{}, "coordinates"),
        Subject(comm, flags, mesh, std::type_identity<Edges>{}, "edges")};
    const std::string title = std::string("tetrahedra, ") + numbering_name(numbering) + ", " +
                              std::to_string(mesh.tetrahedra) + " tetrahedra, " +
                              std::to_string(mesh.nodes) + " nodes";
    Race race(comm, numbering, title, "ms an iteration of conjugate gradients",
              1e-3 * flags.iterations);
    for (Subject& subject : subjects) {
        subject.require_same_product(title + ", ");
        subject.add_to(race, flags.iterations);
    }
    race.warm_up();
    for (Subject& subject : subjects) {
        subject.require_same_solution(title + ", ", flags.iterations);
    }
    race.run(flags.repetitions);
    for (Subject& subject : subjects) {
        subject.require_same_solution(title + ", ", flags.iterations);
    }
    race.print();
    return race.json();
}

int run(const Communicator& comm, int argc, char** argv) {
    const RaceFlags flags =
        read_race_flags(argc, argv, "tetrahedra", {.size = 1'460'000, .iterations = 10});
    std::vector<std::string> races;
    for (const Numbering numbering : flags.numberings) {
        races.push_back(race_one(comm, flags, numbering));
    }
    write_json(comm, flags.json, races);
    return 0;
}

}  // namespace
}  // namespace halocline::benchmarks

int main(int argc, char** argv) {
    return halocline::run_mpi_program(argc, argv, MPI_THREAD_FUNNELED, "benchmark_tetrahedra",
                                      halocline::benchmarks::run);
}
