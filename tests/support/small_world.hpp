// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A fixture: one rank, the back end as parameter, a small random world.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "halocline/core/error.hpp"
#include "support/loop_world.hpp"

namespace halocline::test {

inline constexpr Backend every_backend[] = {Backend::serial, Backend::openmp, Backend::check};

inline std::string name_of_backend(const ::testing::TestParamInfo<Backend>& info) {
    return backend_name(info.param);
}

/// Nodes 0..5; edges 0-1, 1-2, 2-3, 3-4, 4-5, 5-0, 0-3; marks on 1 and 4; coarse nodes 0 and 1.
[[nodiscard]] inline WorldTables ring_tables() {
    WorldTables tables({6, 7, 0, 0, 2, 2});
    tables.edge_nodes = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0, 0, 3};
    tables.mark_node = {1, 4};
    tables.parent = {0, 0, 0, 1, 1, 1};
    return tables;
}

class OnEveryBackend : public ::testing::TestWithParam<Backend> {
protected:
    Communicator comm{MPI_COMM_WORLD};
    LoopWorld world{comm, ring_tables(), {GetParam(), 2, "block", false}};
    Context& context = world.context();
};

/// What a ContractError says; empty when none is thrown.
[[nodiscard]] inline std::string contract_error(const std::function<void()>& work) {
    try {
        work();
    } catch (const ContractError& error) {
        return error.what();
    }
    return "";
}

/// The same for errors that ranks agreed on, which lose their type.
[[nodiscard]] inline std::string any_error(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace halocline::test
