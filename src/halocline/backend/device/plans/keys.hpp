// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Types whose names stand for combinations of loops, in programs and in their device images.
#pragma once

namespace halocline::device {

/// Loops of these types, one after the other, over a set of `Tag`.
template <class Tag, class... Loops>
struct ChainKey {};
/// In place of a set: updates of globals have none.
struct NoSet {};

}  // namespace halocline::device
