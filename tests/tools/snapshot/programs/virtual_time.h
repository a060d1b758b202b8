/* SPDX-FileCopyrightText: 2026 halocline contributors
 * SPDX-License-Identifier: BSD-3-Clause
 * Time that passes only where a test says so. */
#ifndef VIRTUAL_TIME_H
#define VIRTUAL_TIME_H

enum { CALL_NS = 1000 }; /* what a call takes when all partners are there */

/* Nanoseconds on this rank: the clock of the recorder under HALOCLINE_SNAPSHOT_CLOCK=virtual_now. */
unsigned long long virtual_now(void);

/* Computing that takes so long. */
void virtual_work(unsigned long long ns);

#endif
