// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Formulae of x, y, z and t that users write in cases.
#pragma once

#include <memory>
#include <string>

namespace halocline {

/// A formula read once and evaluated often, by muParser: + - * / ^, comparisons, a ? b : c, functions as
/// sin, exp, sqrt, min, max, abs, and the constants pi and e. Not for use by several threads at once.
class Expression {
public:
    /// Throws InputError for a formula that cannot be read or has unknown names, with the nearest known.
    explicit Expression(const std::string& text);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    /// The value at the point (x, y, z) and the time t.
    [[nodiscard]] double operator()(double x, double y, double z, double t) const;
    /// Whether the formula names t.
    [[nodiscard]] bool uses_time() const { return uses_time_; }
    /// Whether it is a number, zero.
    [[nodiscard]] bool is_constant_zero() const { return is_zero_; }
    /// The formula as the user wrote it.
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    struct Parsed;
    std::string text_;
    std::unique_ptr<Parsed> parsed_;
    bool uses_time_ = false;
    bool is_zero_ = false;
};

}  // namespace halocline
