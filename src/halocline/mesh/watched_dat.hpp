// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A dat that something uses again and again, while the program may end it.
#pragma once

#include <string>
#include <string_view>

#include "halocline/core/error.hpp"
#include "halocline/mesh/dat_store.hpp"

namespace halocline {

/// A dat noted at one time and looked at later.
class WatchedDat {
public:
    /// From here on.
    explicit WatchedDat(const DatStore& dat)
        : store_(&dat), alive_(dat.lifetime.watch()), name_(dat.name) {}

    /// Whether it is this dat: another one may come to lie where it was.
    [[nodiscard]] bool is(const DatStore& dat) const { return store_ == &dat && !alive_.expired(); }

    /// The dat. Throws ContractError when it, or its mesh, is gone. `user`: of the dat, in that message.
    [[nodiscard]] const DatStore& get(std::string_view user) const {
        if (alive_.expired()) {
            throw ContractError(std::string(user) + " cannot use dat '" + name_ +
                                "' any more (it is gone). Keep dats as long as what was made with "
                                "them.");
        }
        store_->require_set();
        return *store_;
    }

private:
    const DatStore* store_;
    Lifetime::Watch alive_;
    std::string name_;  ///< for when the dat has none any more
};

}  // namespace halocline
