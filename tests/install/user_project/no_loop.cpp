// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// A file of a program that has no loop: its device image has no form to list.
int answer() { return 42; }
