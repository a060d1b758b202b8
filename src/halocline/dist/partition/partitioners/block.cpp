// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Contiguous blocks of the file order: no library, no quality, always there.
#include <algorithm>

#include "halocline/dist/partition/partitioner.hpp"
#include "halocline/dist/partition/target_sizes.hpp"

namespace halocline::dist {

namespace {

class BlockPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {}; }
    [[nodiscard]] std::string library(std::string_view, Targets) const override {
        return "halocline";
    }
    [[nodiscard]] bool needs_graph(std::string_view) const override { return false; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        const BlockRange block = block_range(input.size, comm.rank(), comm.size());
        const std::vector<GlobalIndex> ends = running_sums(input.targets);
        std::vector<int> part(static_cast<std::size_t>(block.size()));
        auto end = std::upper_bound(ends.begin(), ends.end(), block.begin);
        for (std::size_t i = 0; i < part.size(); ++i) {
            while (block.begin + static_cast<GlobalIndex>(i) >= *end) {
                ++end;
            }
            part[i] = static_cast<int>(end - ends.begin());
        }
        return part;
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_block_partitioner() {
    return std::make_unique<BlockPartitioner>();
}

}  // namespace halocline::dist
