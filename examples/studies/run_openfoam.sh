#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# A rank of openfoam.toml: run_openfoam.sh RANKS. icoFoam refuses -parallel on one rank.
export WM_PROJECT_DIR=/usr/share/openfoam
[ "$1" -eq 1 ] && exec icoFoam -case cavity1
exec icoFoam -parallel -case "cavity$1"
