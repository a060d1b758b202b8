// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers of a step or stage that its loops read.
#pragma once

namespace halocline::incompressible {

/// In the order of the global that holds them; section 2 of docs/theory/incompressible.md.
enum Factor {
    tau,        ///< time step over the first coefficient of the backward difference
    of_now,     ///< share of the newest velocity in the predictor
    of_before,  ///< share of the one before
    ext_now,    ///< linear extrapolation, of first guesses
    ext_before,
    conv_now,  ///< extrapolation of convection
    conv_before,
    conv_older,
    kept,  ///< share of the old pressure that the new potential leaves out
    factor_count
};

}  // namespace halocline::incompressible
