// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What happens to one call. Everything that needs agreement is agreed upon here.
#include "collectives/collective.hpp"

#include "collectives/advice.hpp"
#include "collectives/verify.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <span>

namespace halocline::endpoints {

namespace {

/// Cost of one split call that nobody has timed yet [s]: where endpoints have no cores of their own,
/// a call can last some time slices.
constexpr double wild_call = 2e-2;
constexpr double tame_call = 1e-4;
/// Guess of the cost of one duplicated communicator [s].
constexpr double duplicate_cost = 3e-4;
/// Larger messages are not compared: that takes three copies of them.
constexpr std::size_t verified_bytes_limit = std::size_t{1} << 29;
/// Guess of how much slower an untimed split call may be.
constexpr double slower_guess = 3.0;

using InParallel = int (*)();

/// In a parallel region of the program the workers' cores are busy, and each team has its own call.
bool in_parallel_region() {
    static const auto ask = reinterpret_cast<InParallel>(dlsym(RTLD_DEFAULT, "omp_in_parallel"));
    return ask != nullptr && ask() != 0;
}

/// The error of a split call. The first piece, on the program's communicator, has called the program's
/// error handler already; the others run where errors are only returned.
int first_error(std::span<const int> codes, MPI_Comm communicator) {
    const auto failed =
        std::find_if(codes.begin(), codes.end(), [](int code) { return code != MPI_SUCCESS; });
    if (failed == codes.end()) {
        return MPI_SUCCESS;
    }
    if (failed != codes.begin()) {
        real().Comm_call_errhandler(communicator, *failed);
    }
    return *failed;
}

int run_serially(Collective& call, const Endpoints& endpoints, int pieces) {
    std::array<int, threads_limit> codes{};
    for (int index = 0; index < pieces; ++index) {
        codes[static_cast<std::size_t>(index)] = call.piece(index, pieces, endpoints.of(index));
    }
    return first_error({codes.data(), static_cast<std::size_t>(pieces)}, call.communicator());
}

int run_in_workers(Collective& call, const Endpoints& endpoints, int pieces) {
    std::array<int, threads_limit> codes{};
    const std::function<void(int)> task = [&](int index) {
        codes[static_cast<std::size_t>(index)] = call.piece(index, pieces, endpoints.of(index));
    };
    if (!Session::get().workers().run(task)) {
        return run_serially(call, endpoints, pieces);  // they work for another thread
    }
    return first_error({codes.data(), static_cast<std::size_t>(pieces)}, call.communicator());
}

/// The same pieces on the same communicators on every rank, in parallel or not.
int run_split(Collective& call, const Endpoints& endpoints) {
    const int pieces = Session::get().endpoints();
    call.begin();
    const int code = in_parallel_region() ? run_serially(call, endpoints, pieces)
                                          : run_in_workers(call, endpoints, pieces);
    call.end();
    return code;
}

/// Agrees on the largest of each value over the ranks.
template <std::size_t n>
void agree_on_largest(MPI_Comm communicator, std::array<double, n>& values) {
    real().Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(n), MPI_DOUBLE, MPI_MAX,
                     communicator);
}

class Trial {
public:
    Trial(Collective& call, Endpoints& endpoints, Calibration& calibration)
        : call_(call), endpoints_(endpoints), calibration_(calibration) {}

    int run(Step step) {
        switch (step) {
            case Step::plain:
                return call_.plain();
            case Step::split:
                return run_split(call_, endpoints_);
            case Step::check:
                return check();
            case Step::verify:
                return verify();
            case Step::timed_plain:
                return timed(false);
            case Step::timed_split:
                return timed(true);
        }
        return MPI_ERR_INTERN;
    }

private:
    int as_before() {
        return calibration_.split_now() ? run_split(call_, endpoints_) : call_.plain();
    }

    /// Passes the call on, and asks whether every rank can afford a trial.
    int check() {
        Session& session = Session::get();
        const double start = now();
        const int code = as_before();
        const double usual = now() - start;
        if (endpoints_.lost_above(call_.kind())) {
            calibration_.postpone();  // what costs too much for long messages does for short ones
            return code;
        }
        const double untimed = session.oversubscribed() ? wild_call : tame_call;
        double expected =
            Calibration::split_calls_of_trial * std::max(slower_guess * usual, untimed);
        if (!endpoints_.prepared()) {
            expected += duplicate_cost * (session.endpoints() - 1);
        }
        std::array<double, 1> share = {session.cost_share(expected)};
        agree_on_largest(call_.communicator(), share);
        const bool affordable = 100.0 * share[0] <= session.settings().budget;
        calibration_.answer_check(affordable && endpoints_.prepare());
        session.add_cost(now() - start - usual);
        return code;
    }

    int verify() {
        if (call_.bytes() > verified_bytes_limit && call_.kind().function != Function::alltoallv) {
            calibration_.answer_verify(true, 0.0, 0.0);
            return call_.plain();
        }
        const double start = now();
        const Comparison result =
            run_both_ways(call_, [&] { return run_split(call_, endpoints_); });
        std::array<double, 3> agreed = {result.same ? 0.0 : 1.0, result.plain_seconds,
                                        result.split_seconds};
        agree_on_largest(call_.communicator(), agreed);
        calibration_.answer_verify(agreed[0] == 0.0, agreed[1], agreed[2]);
        Session::get().add_cost(now() - start - result.plain_seconds);
        return result.code;
    }

    int timed(bool split) {
        const double entered = now();
        real().Barrier(call_.communicator());
        const double start = now();
        const int code = split ? run_split(call_, endpoints_) : call_.plain();
        const double seconds = now() - start;
        std::array<double, 2> agreed = {seconds, static_cast<double>(call_.bytes())};
        agree_on_largest(call_.communicator(), agreed);
        calibration_.answer_time(agreed[0], agreed[1]);
        const double usual = split ? calibration_.latest_plain(agreed[1]) : seconds;
        Session::get().add_cost(now() - entered - usual);
        return code;
    }

    Collective& call_;
    Endpoints& endpoints_;
    Calibration& calibration_;
};

/// MEP_CALIBRATE=0: every call is split; MEP_VERIFY=1: and compared with the plain one.
int perform_always(Collective& call, Endpoints& endpoints) {
    Calibration& calibration = endpoints.calibration(call.kind());
    if (!endpoints.prepare()) {
        calibration.count_forced(false);
        return call.plain();
    }
    calibration.count_forced(true);
    if (!Session::get().settings().verify) {
        return run_split(call, endpoints);
    }
    const Comparison result = run_both_ways(call, [&] { return run_split(call, endpoints); });
    if (!result.same) {
        calibration.answer_verify(false, 0.0, 0.0);
    }
    return result.code;
}

/// At the program's own thread level: passes the call on and notes what it took.
int watch(Collective& call, Endpoints& endpoints) {
    const double start = now();
    const int code = call.plain();
    const double seconds = now() - start;
    endpoints.calibration(call.kind()).count_watched(seconds);
    Session::get().add_watched(call.bytes(), seconds);
    return code;
}

}  // namespace

Collective::Collective(Function function, MPI_Comm communicator, std::size_t bytes)
    : kind_{function,
            function == Function::alltoallv ? 0 : static_cast<int>(std::bit_width(bytes)) - 1},
      communicator_(communicator),
      bytes_(bytes) {}

int perform(Collective& call) {
    Session& session = Session::get();
    Endpoints* const endpoints = Communicators::get().of(call.communicator());
    if (endpoints == nullptr || !endpoints->splittable()) {
        session.count(call.kind().function, Passed::communicator);
        return call.plain();
    }
    if (session.mode() == Mode::watching) {
        return watch(call, *endpoints);
    }
    if (!session.settings().calibrate) {
        return perform_always(call, *endpoints);
    }
    Calibration& calibration = endpoints->calibration(call.kind());
    return Trial(call, *endpoints, calibration).run(calibration.next());
}

}  // namespace halocline::endpoints
