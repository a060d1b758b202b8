// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// MPI sessions: programs that never call MPI_Init and have no MPI_COMM_WORLD.
//
// The tool opens a session of its own beside the program's first one and closes it before the last one
// ends, so that the group by which it numbers ranks lives as long as the recording.
#include "call.hpp"
#include "halocline/core/launcher.hpp"
#include "lifecycle.hpp"
#include "preload/export.hpp"
#include "real_functions.hpp"
#include "tool_scope.hpp"

#include <cstring>

#if MPI_VERSION >= 4

namespace halocline::snapshot {

namespace {

MPI_Session own_session;
bool own_is_open = false;

int level_named(const char* name) {
    if (std::strcmp(name, "MPI_THREAD_SINGLE") == 0) {
        return MPI_THREAD_SINGLE;
    }
    if (std::strcmp(name, "MPI_THREAD_FUNNELED") == 0) {
        return MPI_THREAD_FUNNELED;
    }
    return std::strcmp(name, "MPI_THREAD_SERIALIZED") == 0 ? MPI_THREAD_SERIALIZED
                                                           : MPI_THREAD_MULTIPLE;
}

/// The level of the program's session; where MPI does not tell, the one under which nothing can go wrong.
int thread_level(MPI_Session of) {
    MPI_Info info;
    char value[64] = "";
    int length = sizeof value, found = 0;
    if (real.MPI_Session_get_info(of, &info) == MPI_SUCCESS) {
        real.MPI_Info_get_string(info, "thread_level", &length, value, &found);
        real.MPI_Info_free(&info);
    }
    return found != 0 ? level_named(value) : MPI_THREAD_MULTIPLE;
}

void start(MPI_Info info, MPI_Errhandler handler, MPI_Session of, std::uint64_t init_ns) {
    MPI_Group world;
    {
        ToolScope scope;
        if (!own_is_open) {
            own_is_open = real.MPI_Session_init(info, handler, &own_session) == MPI_SUCCESS;
        }
        if (!own_is_open ||
            real.MPI_Group_from_session_pset(own_session, "mpi://WORLD", &world) != MPI_SUCCESS) {
            return;
        }
    }
    const int level = thread_level(of);
    mpi_started({level, level, init_ns, &world});
}

void close_own() {
    if (own_is_open) {
        ToolScope scope;
        own_is_open = false;
        real.MPI_Session_finalize(&own_session);
    }
}

int session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* made) {
    ensure_real_functions();
    ++thread_state.depth;
    const std::uint64_t begin = monotonic_ns();
    end_with_launcher();
    const int code = real.MPI_Session_init(info, handler, made);
    const std::uint64_t end = monotonic_ns();
    if (--thread_state.depth == 0 && code == MPI_SUCCESS) {
        start(info, handler, *made, end - begin);
    }
    return code;
}

int session_finalize(MPI_Session* ended) {
    ensure_real_functions();
    Ending ending;
    if (ending.is_last()) {
        close_own();
    }
    ++thread_state.depth;
    const int code = real.MPI_Session_finalize(ended);
    --thread_state.depth;
    ending.finish();
    return code;
}

}  // namespace

HALOCLINE_WRAPPER int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* made) {
    return session_init(info, handler, made);
}
HALOCLINE_WRAPPER int PMPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* made) {
    return session_init(info, handler, made);
}
HALOCLINE_WRAPPER int MPI_Session_finalize(MPI_Session* ended) { return session_finalize(ended); }
HALOCLINE_WRAPPER int PMPI_Session_finalize(MPI_Session* ended) { return session_finalize(ended); }

HALOCLINE_HIDE_FROM_DLSYM(MPI_Session_init);
HALOCLINE_HIDE_FROM_DLSYM(MPI_Session_finalize);

}  // namespace halocline::snapshot

#endif
