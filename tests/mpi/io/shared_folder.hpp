// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A temporary folder that all ranks of a test see, and helpers around files in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "halocline/core/communicator.hpp"
#include "support/error_of.hpp"

namespace halocline::testing {

/// Made by rank 0, removed when all ranks are done with it.
class SharedFolder {
public:
    explicit SharedFolder(const Communicator& comm) : comm_(comm) {
        std::string made = ::testing::TempDir() + "halocline-io-XXXXXX";
        if (comm_.is_root() && ::mkdtemp(made.data()) == nullptr) {
            made.clear();
        }
        path_ = comm_.broadcast(made);
    }
    ~SharedFolder() {
        comm_.barrier();
        if (comm_.is_root()) {
            std::error_code ignored;
            std::filesystem::remove_all(path_, ignored);
        }
    }
    SharedFolder(const SharedFolder&) = delete;
    SharedFolder& operator=(const SharedFolder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string operator/(const std::string& name) const {
        return path_ + "/" + name;
    }

    /// Rank 0 works when all ranks are done with what came before; the others wait.
    template <class Work>
    void on_root(Work&& work) const {
        comm_.barrier();
        if (comm_.is_root()) {
            work();
        }
        comm_.barrier();
    }

    void write_text(const std::string& name, const std::string& text) const {
        on_root([&] { std::ofstream(*this / name, std::ios::binary) << text; });
    }

private:
    const Communicator& comm_;
    std::string path_;
};

}  // namespace halocline::testing
