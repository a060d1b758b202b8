// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// For hipcc with clang 15, which crashes where it makes device code of a std::map: the copy assignment of
// std::pair has constraints in libstdc++ 12, and for clang's device code they have no context. The pair of
// earlier libraries has the same layout and no constraints.
#pragma once

#include <compare>
#include <concepts>
#include <type_traits>

#pragma push_macro("__cpp_lib_concepts")
#undef __cpp_lib_concepts
#include_next <bits/stl_pair.h>
#pragma pop_macro("__cpp_lib_concepts")
