// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Everything a program needs: declare a mesh, distribute it, run loops over it, read and write dats.
#pragma once

#include "halocline/backend/par_loop.hpp"
#include "halocline/io/field_reader.hpp"
#include "halocline/io/field_writer.hpp"
#include "halocline/loop/pack_math.hpp"
#include "halocline/mesh/declaration.hpp"
#include "halocline/mesh/mesh.hpp"
#include "halocline/runtime/runtime.hpp"
