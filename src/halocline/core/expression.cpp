// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// muParser is seen here alone. Numbers have a point, whatever the locale says.
#include "halocline/core/expression.hpp"

#include <muParser.h>

#include <numbers>
#include <string_view>
#include <vector>

#include "halocline/core/error.hpp"
#include "halocline/core/nearest.hpp"

namespace halocline {

struct Expression::Parsed {
    mu::Parser parser;
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    double t = 0.0;
};

namespace {

/// Names that a formula may have.
std::string suggest(const mu::Parser& parser, const std::string& word) {
    std::vector<std::string_view> known{"x", "y", "z", "t", "pi", "e"};
    for (const auto& [name, callback] : parser.GetFunDef()) {
        known.push_back(name);
    }
    return suggest_name(word, known);
}

[[noreturn]] void fail(const std::string& text, const mu::Parser& parser,
                       const mu::ParserError& error) {
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
        throw InputError("formula '" + text + "': '" + error.GetToken() +
                         "' is unknown (a formula has x, y, z, t, numbers and functions). " +
                         suggest(parser, error.GetToken()));
    }
    std::string reason = error.GetMsg();
    while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n')) {
        reason.pop_back();
    }
    if (error.GetPos() >= 0 && reason.find("position") == std::string::npos) {
        reason += " at position " + std::to_string(error.GetPos());
    }
    throw InputError("formula '" + text + "' cannot be read (" + reason + "). Correct it.");
}

}  // namespace

Expression::Expression(const std::string& text) : text_(text), parsed_(std::make_unique<Parsed>()) {
    mu::Parser& parser = parsed_->parser;
    try {
        parser.SetArgSep(',');
        parser.SetDecSep('.');
        parser.ResetLocale();
        parser.ClearConst();
        parser.DefineConst("pi", std::numbers::pi);
        parser.DefineConst("e", std::numbers::e);
        parser.DefineVar("x", &parsed_->x);
        parser.DefineVar("y", &parsed_->y);
        parser.DefineVar("z", &parsed_->z);
        parser.DefineVar("t", &parsed_->t);
        parser.SetExpr(text);
        static_cast<void>(parser.Eval());
        validate<InputError>(parser.GetNumResults() == 1,
                             "formula '" + text + "' has " +
                                 std::to_string(parser.GetNumResults()) +
                                 " values (commas stand between arguments of functions, numbers "
                                 "have a point). Correct it.");
        const auto& used = parser.GetUsedVar();
        uses_time_ = used.count("t") > 0;
        is_zero_ = used.empty() && parser.Eval() == 0.0;
    } catch (const mu::ParserError& error) {
        fail(text, parser, error);
    }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::operator()(double x, double y, double z, double t) const {
    parsed_->x = x;
    parsed_->y = y;
    parsed_->z = z;
    parsed_->t = t;
    try {
        return parsed_->parser.Eval();
    } catch (const mu::ParserError& error) {
        fail(text_, parsed_->parser, error);
    }
}

}  // namespace halocline
