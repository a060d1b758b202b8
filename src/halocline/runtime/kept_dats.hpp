// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dats that something of a program uses again and again, while the program may end them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline {

/// Knows whether dats are still there, as loops do of theirs.
class KeptDats {
public:
    void add(const DatStore& dat) { dats_.push_back({&dat, dat.lifetime.watch(), dat.name}); }

    /// Throws ContractError when one of them, or its mesh, is gone; `user` of them, as in "'a.vtkhdf'".
    void require_alive(const std::string& user) const {
        for (const Watched& dat : dats_) {
            validate<ContractError>(!dat.alive.expired(),
                                    user + " is to hold dat '" + dat.name +
                                        "', which is gone (its values are needed at every step). "
                                        "Keep dats as long as what was made with them.");
            dat.store->require_set();
        }
    }

private:
    struct Watched {
        const DatStore* store;
        Lifetime::Watch alive;
        std::string name;  ///< for when the dat has none any more
    };
    std::vector<Watched> dats_;
};

}  // namespace halocline
