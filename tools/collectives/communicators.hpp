// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// What is attached to each communicator of the program: its endpoints and its decisions.
#pragma once

#include "collectives/calibration.hpp"
#include "collectives/session.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace halocline::endpoints {

/// Calls that are decided on together.
struct KindOfCall {
    Function function = Function::allreduce;
    int size_class = 0;  ///< log2 of the bytes

    auto operator<=>(const KindOfCall&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// One row of the final table: a kind of call on all communicators of one name and size.
struct Row {
    State state = State::waiting;  ///< of the communicator where most was found out
    std::int64_t communicators = 0;
    std::int64_t calls = 0;
    std::int64_t split_calls = 0;
    std::int64_t trials = 0;
    double plain_seconds = 0.0;
    double split_seconds = 0.0;

    void add(const Calibration& calibration);
};

struct RowKey {
    std::string name;
    int size = 0;
    KindOfCall kind;

    auto operator<=>(const RowKey&) const = default;  // NOLINT(modernize-use-nullptr)
};

using Rows = std::map<RowKey, Row>;

class Endpoints {
public:
    explicit Endpoints(MPI_Comm communicator);
    Endpoints(const Endpoints&) = delete;
    Endpoints& operator=(const Endpoints&) = delete;
    ~Endpoints();

    [[nodiscard]] MPI_Comm communicator() const { return communicator_; }
    /// Whether its collectives may be split: an intra-communicator of this job's own ranks.
    [[nodiscard]] bool splittable() const { return splittable_; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] bool leader() const { return rank_ == 0; }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// Makes the communicators of the endpoints, once. Collective.
    /// @returns whether all ranks have them
    bool prepare();
    [[nodiscard]] bool prepared() const { return copies_ == Copies::ready; }
    /// Communicator of an endpoint; the first is the program's own.
    [[nodiscard]] MPI_Comm of(int endpoint) const;

    [[nodiscard]] Calibration& calibration(KindOfCall kind) { return calibrations_[kind]; }
    [[nodiscard]] const std::map<KindOfCall, Calibration>& calibrations() const {
        return calibrations_;
    }
    /// Whether a trial of the same function with larger messages was lost.
    [[nodiscard]] bool lost_above(KindOfCall kind) const;

private:
    enum class Copies { untried, ready, failed };
    [[nodiscard]] bool duplicate(int count);
    void release();

    MPI_Comm communicator_;
    bool splittable_ = false;
    int rank_ = 0;
    int size_ = 1;
    Copies copies_ = Copies::untried;
    std::string name_;
    std::vector<MPI_Comm> duplicates_;
    std::map<KindOfCall, Calibration> calibrations_;
};

/// All communicators that this process has used for large collectives.
class Communicators {
public:
    [[nodiscard]] static Communicators& get();

    void open();
    /// Frees everything, newest first, the same order on all ranks. Collective.
    void close();

    /// The endpoints of a communicator, attached at its first large collective. Local.
    [[nodiscard]] Endpoints* of(MPI_Comm communicator);

    /// What the table says of the communicators that this rank leads.
    [[nodiscard]] Rows rows();

    /// Duplicates that exist now.
    [[nodiscard]] int live() const { return live_.load(); }
    void count_live(int more) { live_ += more; }
    [[nodiscard]] std::int64_t made() const { return made_.load(); }
    void count_made(int more) { made_ += more; }

    /// Called when the program frees a communicator.
    void drop(Endpoints* endpoints);

private:
    int keyval_ = 0;
    bool open_ = false;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Endpoints>> attached_;
    Rows finished_;  ///< of freed communicators
    std::atomic<int> live_{0};
    std::atomic<std::int64_t> made_{0};
};

}  // namespace halocline::endpoints
