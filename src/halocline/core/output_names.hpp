// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Names of temporary files, and what becomes of those that dead processes left.
#pragma once

#include <string>

namespace halocline {

/// The folder part of a path, "." where it has none.
[[nodiscard]] std::string folder_of(const std::string& path);

/// The part behind the last slash.
[[nodiscard]] std::string base_of(const std::string& path);

/// `.<name>.<machine>-<process>-<16 random digits>.partial` in the folder of `path`.
[[nodiscard]] std::string temporary_name(const std::string& path);

/// Removes temporary files of processes that live no more from a folder, where that is known: those
/// of this machine by their process, those of others when they are a week older than the folder, in which
/// the caller has just made or renamed a file.
void remove_left_overs(const std::string& folder);

}  // namespace halocline
