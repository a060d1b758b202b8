// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Elements at random, equal in number: the worst that a partition can be, to compare others with.
#include "halocline/dist/partition/key_cuts.hpp"
#include "halocline/dist/partition/partitioner.hpp"

namespace halocline::dist {

namespace {

/// A pseudo-random number by global id: the finaliser of SplitMix64 (G. L. Steele, D. Lea,
/// C. H. Flood, Fast splittable pseudorandom number generators, 2014, doi:10.1145/2660193.2660195).
std::uint64_t scramble(GlobalIndex id) {
    std::uint64_t z = (static_cast<std::uint64_t>(id) + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (z ^ (z >> 31)) >> 1;  // keys have 63 bits
}

class RandomPartitioner final : public Partitioner {
public:
    [[nodiscard]] std::vector<std::string> methods() const override { return {}; }
    [[nodiscard]] std::string library(std::string_view, Targets) const override {
        return "halocline";
    }
    [[nodiscard]] bool needs_graph(std::string_view) const override { return false; }
    [[nodiscard]] std::vector<int> partition(const Communicator& comm, const PartitionInput& input,
                                             std::string_view) const override {
        const BlockRange block = block_range(input.size, comm.rank(), comm.size());
        Buffer<std::uint64_t> keys(static_cast<std::size_t>(block.size()));
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i] = scramble(block.begin + static_cast<GlobalIndex>(i));
        }
        return cut_by_key(comm, keys, input.targets);
    }
};

}  // namespace

std::unique_ptr<Partitioner> make_random_partitioner() {
    return std::make_unique<RandomPartitioner>();
}

}  // namespace halocline::dist
