// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Contiguous blocks of the file order: no library, no quality, always there.
#include "halocline/dist/partitioner.hpp"

namespace halocline::dist {

namespace {

class BlockPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {}; }
    [[nodiscard]] std::string library() const override { return "halocline"; }
    [[nodiscard]] bool needs_graph() const override { return false; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        const BlockRange block = block_range(input.size, comm.rank(), comm.size());
        std::vector<int> part(static_cast<std::size_t>(block.size()));
        for (std::size_t i = 0; i < part.size(); ++i) {
            part[i] =
                block_owner(block.begin + static_cast<std::int64_t>(i), input.size, input.parts);
        }
        return part;
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_block_partitioner() {
    return std::make_unique<BlockPartitioner>();
}

}  // namespace halocline::dist
