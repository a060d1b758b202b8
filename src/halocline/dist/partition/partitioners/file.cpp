// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// The user's own partition, given as one part number an element.
#include <algorithm>

#include "halocline/core/error.hpp"
#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

namespace {

class GivenPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {}; }
    [[nodiscard]] std::string library(std::string_view, Targets) const override {
        return "the user's partition file";
    }
    [[nodiscard]] bool needs_graph(std::string_view) const override { return false; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        run_agreed(comm, [&] { check(comm, input); });
        return {input.given.begin(), input.given.end()};
    }

private:
    static void check(const Communicator& comm, const PartitionInput& input) {
        const BlockRange block = block_range(input.size, comm.rank(), comm.size());
        validate<UsageError>(static_cast<std::int64_t>(input.given.size()) == block.size(),
                             "the partitioner 'file' has no partition of this mesh (it takes one "
                             "part number for each "
                             "of " +
                                 std::to_string(input.size) +
                                 " elements). Give --partition-file FILE.");
        const auto bad = std::find_if(input.given.begin(), input.given.end(),
                                      [&](int part) { return part < 0 || part >= input.parts; });
        if (bad != input.given.end()) {
            throw InputError("the partition puts element " +
                             std::to_string(block.begin + (bad - input.given.begin())) +
                             " (counted from 0) in part " + std::to_string(*bad) +
                             ", but parts are 0 to " + std::to_string(input.parts - 1) +
                             ". Make a partition into " + std::to_string(input.parts) + " parts.");
        }
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_file_partitioner() {
    return std::make_unique<GivenPartitioner>();
}

}  // namespace halocline::dist
