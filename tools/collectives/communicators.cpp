// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Duplicates communicators lazily, keeps them as attributes and frees them with their original.
#include "collectives/communicators.hpp"

#include <algorithm>
#include <array>

namespace halocline::endpoints {

namespace {

/// MPICH gives a process 2046 communicators; the program must keep nearly all of them.
constexpr int duplicates_limit = 128;
/// Rows kept of freed communicators; a program may give every one a name of its own.
constexpr std::size_t finished_limit = 4096;

int keep_nothing(MPI_Comm, int, void*, void*, void*, int* flag) {
    *flag = 0;
    return MPI_SUCCESS;
}

int drop_endpoints(MPI_Comm, int, void* value, void*) {
    const Guard guard;
    Communicators::get().drop(static_cast<Endpoints*>(value));
    return MPI_SUCCESS;
}

std::string name_of_communicator(MPI_Comm communicator) {
    std::array<char, MPI_MAX_OBJECT_NAME + 1> text{};
    int length = 0;
    real().Comm_get_name(communicator, text.data(), &length);
    return {text.data(), static_cast<std::size_t>(length)};
}

/// Spawned or connected jobs may run without this library, so only our own ranks are waited for.
bool only_own_ranks(MPI_Comm communicator, int size) {
    MPI_Group group{};
    MPI_Group common{};
    int shared = 0;
    real().Comm_group(communicator, &group);
    real().Group_intersection(group, Session::get().world_group(), &common);
    real().Group_size(common, &shared);
    real().Group_free(&common);
    real().Group_free(&group);
    return shared == size;
}

bool all_agree(MPI_Comm communicator, bool mine) {
    int value = mine ? 1 : 0;
    real().Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, communicator);
    return value == 1;
}

/// Errors of MPI calls on a communicator are returned while one of these lives.
class ErrorsReturned {
public:
    explicit ErrorsReturned(MPI_Comm communicator) : communicator_(communicator) {
        real().Comm_get_errhandler(communicator_, &before_);
        real().Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
    }
    ErrorsReturned(const ErrorsReturned&) = delete;
    ErrorsReturned& operator=(const ErrorsReturned&) = delete;
    ~ErrorsReturned() {
        real().Comm_set_errhandler(communicator_, before_);
        real().Errhandler_free(&before_);
    }

private:
    MPI_Comm communicator_;
    MPI_Errhandler before_{};
};

}  // namespace

Endpoints::Endpoints(MPI_Comm communicator) : communicator_(communicator) {
    int inter = 0;
    real().Comm_test_inter(communicator, &inter);
    real().Comm_rank(communicator, &rank_);
    real().Comm_size(communicator, &size_);
    splittable_ = inter == 0 && size_ > 1 && only_own_ranks(communicator, size_);
    name_ = name_of_communicator(communicator);
}

Endpoints::~Endpoints() { release(); }

// MPI_Comm_split and not MPI_Comm_dup: it runs none of the program's attribute copying functions.
bool Endpoints::prepare() {
    if (copies_ == Copies::untried) {
        const int wanted = Session::get().endpoints() - 1;
        const double start = now();
        copies_ = Copies::failed;
        if (all_agree(communicator_, Communicators::get().live() + wanted <= duplicates_limit)) {
            if (all_agree(communicator_, duplicate(wanted))) {
                copies_ = Copies::ready;
            } else {
                release();
            }
        }
        Session::get().add_cost(now() - start);
    }
    return copies_ == Copies::ready;
}

bool Endpoints::duplicate(int count) {
    const ErrorsReturned quiet(communicator_);
    for (int made = 0; made < count; ++made) {
        MPI_Comm copy = MPI_COMM_NULL;
        if (real().Comm_split(communicator_, 0, rank_, &copy) != MPI_SUCCESS) {
            return false;
        }
        real().Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
        duplicates_.push_back(copy);
        Communicators::get().count_live(1);
        Communicators::get().count_made(1);
    }
    return true;
}

void Endpoints::release() {
    for (auto copy = duplicates_.rbegin(); copy != duplicates_.rend(); ++copy) {
        real().Comm_free(&*copy);
        Communicators::get().count_live(-1);
    }
    duplicates_.clear();
}

MPI_Comm Endpoints::of(int endpoint) const {
    return endpoint == 0 ? communicator_ : duplicates_[static_cast<std::size_t>(endpoint - 1)];
}

bool Endpoints::lost_above(KindOfCall kind) const {
    return std::any_of(calibrations_.begin(), calibrations_.end(), [kind](const auto& entry) {
        return entry.first.function == kind.function && entry.first.size_class > kind.size_class &&
               entry.second.lost();
    });
}

void Row::add(const Calibration& calibration) {
    ++communicators;
    calls += calibration.calls();
    split_calls += calibration.split_calls();
    trials += calibration.trials();
    if (communicators == 1 || calibration.state() > state) {
        state = calibration.state();
        plain_seconds = calibration.plain_seconds();
        split_seconds = calibration.split_seconds();
    }
}

namespace {

void add_rows(Rows& rows, const Endpoints& endpoints, std::size_t limit) {
    if (!endpoints.leader()) {
        return;
    }
    for (const auto& [kind, calibration] : endpoints.calibrations()) {
        const RowKey key{endpoints.name(), endpoints.size(), kind};
        if (rows.size() < limit || rows.contains(key)) {
            rows[key].add(calibration);
        }
    }
}

}  // namespace

Communicators& Communicators::get() {
    static Communicators* const all = new Communicators;  // NOLINT: outlives every exit handler
    return *all;
}

void Communicators::open() {
    real().Comm_create_keyval(&keep_nothing, &drop_endpoints, &keyval_, nullptr);
    open_ = true;
}

Endpoints* Communicators::of(MPI_Comm communicator) {
    void* value = nullptr;
    int found = 0;
    if (real().Comm_get_attr(communicator, keyval_, &value, &found) != MPI_SUCCESS) {
        return nullptr;
    }
    if (found != 0) {
        return static_cast<Endpoints*>(value);
    }
    auto made = std::make_unique<Endpoints>(communicator);
    Endpoints* const endpoints = made.get();
    real().Comm_set_attr(communicator, keyval_, endpoints);
    const std::lock_guard lock(mutex_);
    attached_.push_back(std::move(made));
    return endpoints;
}

void Communicators::drop(Endpoints* endpoints) {
    std::unique_ptr<Endpoints> owned;
    {
        const std::lock_guard lock(mutex_);
        const auto place =
            std::find_if(attached_.rbegin(), attached_.rend(),
                         [=](const auto& entry) { return entry.get() == endpoints; });
        if (place == attached_.rend()) {
            return;
        }
        owned = std::move(*place);
        attached_.erase(std::next(place).base());
        add_rows(finished_, *owned, finished_limit);
    }
    owned.reset();  // frees communicators: not under the lock
}

Rows Communicators::rows() {
    const std::lock_guard lock(mutex_);
    Rows rows = finished_;
    for (const auto& endpoints : attached_) {
        add_rows(rows, *endpoints, rows.size() + endpoints->calibrations().size());
    }
    return rows;
}

void Communicators::close() {
    if (!open_) {
        return;
    }
    open_ = false;
    // Deleting the attribute takes the entry out, under the same lock.
    const auto newest = [this] {
        const std::lock_guard lock(mutex_);
        return attached_.empty() ? MPI_COMM_NULL : attached_.back()->communicator();
    };
    for (MPI_Comm next = newest(); next != MPI_COMM_NULL; next = newest()) {
        real().Comm_delete_attr(next, keyval_);
    }
    real().Comm_free_keyval(&keyval_);
}

}  // namespace halocline::endpoints
