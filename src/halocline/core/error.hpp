// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Errors a user can cause or meet: one sentence, one exit code.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace halocline {

/// Process exit codes; the table users see is in docs/cli.md.
enum class ExitCode : int {
    ok = 0,
    usage = 2,
    invalid_input = 3,
    environment = 4,
    run_failed = 5,
    comparison_differs = 6,
    stopped_early = 75,
};

/// Base of everything the library throws; `what()` reads "problem (why). What to do."
class Error : public std::runtime_error {
public:
    /// An error that ends a program with `code`; `message` is a whole sentence for users.
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    /// What the process exits with.
    [[nodiscard]] ExitCode code() const noexcept { return code_; }

private:
    ExitCode code_;
};

/// Wrong flags or an impossible combination of options.
struct UsageError final : Error {
    /// Exit code 2; `message` names the flag or option.
    explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// A case, mesh or data file that cannot be used.
struct InputError final : Error {
    /// Exit code 3; `message` names the file and the key in it.
    explicit InputError(const std::string& message) : Error(ExitCode::invalid_input, message) {}
};

/// Something this machine lacks: instruction set, memory, a writable folder, a library.
struct EnvironmentError final : Error {
    /// Exit code 4; `message` says what is missing and how to get it.
    explicit EnvironmentError(const std::string& message) : Error(ExitCode::environment, message) {}
};

/// The run itself failed: divergence, a lost rank, a full disk.
struct RunError final : Error {
    /// Exit code 5; `message` says what failed, and on which rank.
    explicit RunError(const std::string& message) : Error(ExitCode::run_failed, message) {}
};

/// Wrong use of the library by a program; always on where the check is cheap.
struct ContractError final : Error {
    /// Exit code 5; `message` says which rule of the library was broken.
    explicit ContractError(const std::string& message) : Error(ExitCode::run_failed, message) {}
};

/// Throws `Exception(message)` unless `condition` holds.
template <class Exception>
void validate(bool condition, const std::string& message) {
    if (!condition) {
        throw Exception(message);
    }
}

}  // namespace halocline
