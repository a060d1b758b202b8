// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// One handler in front of the program's; sigaction and signal keep telling the program of its own.
#include "signals.hpp"

#include "memory.hpp"
#include "report.hpp"
#include "tool_scope.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace halocline::snapshot {

namespace {

constexpr int watched[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2,
                           SIGSEGV, SIGBUS, SIGFPE, SIGILL,  SIGABRT, SIGSYS};
constexpr int highest_signal = 64;
constexpr std::size_t alternate_stack_bytes = 256 * 1024;

using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);

/// What the program installed. A signal handler reads it: `valid` is written last.
struct Programs {
    struct sigaction action;
    std::atomic<bool> watched;
};
Programs programs[highest_signal + 1];

Sigaction real_sigaction() {
    static const auto found = reinterpret_cast<Sigaction>(dlsym(RTLD_NEXT, "sigaction"));
    return found;
}

bool is_watched(int number) {
    return number > 0 && number <= highest_signal && is_own_process() &&
           programs[number].watched.load(std::memory_order_acquire);
}

/// The kernel's default, as if we had never been there.
void default_action(int number) {
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    real_sigaction()(number, &standard, nullptr);
    programs[number].watched.store(false, std::memory_order_release);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

bool is_user_signal(int number) { return number == SIGUSR1 || number == SIGUSR2; }

/// A rank inside MPI_Finalize has done its work: launchers stop it there when another one ends badly.
End end_by(int number) {
    if (number != SIGTERM) {
        return End::signal;
    }
    return session.ended_ns.load(std::memory_order_relaxed) != 0 ? End::finalize : End::sigterm;
}

void handle(int number, siginfo_t* info, void* context) {
    const struct sigaction& programs_own = programs[number].action;
    const bool ignored =
        (programs_own.sa_flags & SA_SIGINFO) == 0 && programs_own.sa_handler == SIG_IGN;
    const bool standard =
        (programs_own.sa_flags & SA_SIGINFO) == 0 && programs_own.sa_handler == SIG_DFL;
    // A user signal that the program handles is a message, not an end.
    if (is_own_process() && !ignored && (standard || !is_user_signal(number))) {
        ToolScope scope;
        set_signal(number);
        write_report(end_by(number));
    }
    if (ignored) {
        return;
    }
    if (standard) {
        default_action(number);
    } else if ((programs_own.sa_flags & SA_SIGINFO) != 0) {
        programs_own.sa_sigaction(number, info, context);
    } else {
        programs_own.sa_handler(number);
    }
}

/// A stack of its own for the thread of MPI_Init: a stack overflow leaves no other.
void ensure_alternate_stack() {
    stack_t now;
    if (sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) {
        return;
    }
    stack_t own{};
    own.ss_sp = map_pages(alternate_stack_bytes);
    own.ss_size = alternate_stack_bytes;
    if (own.ss_sp != nullptr) {
        sigaltstack(&own, nullptr);
    }
}

void install(int number) {
    const struct sigaction& programs_own = programs[number].action;
    struct sigaction ours {};
    ours.sa_sigaction = handle;
    ours.sa_mask = programs_own.sa_mask;
    ours.sa_flags = (programs_own.sa_flags & (SA_RESTART | SA_NODEFER)) | SA_SIGINFO | SA_ONSTACK;
    real_sigaction()(number, &ours, nullptr);
}

int change_action(int number, const struct sigaction* wanted, struct sigaction* before) {
    const struct sigaction previous = programs[number].action;
    if (wanted != nullptr) {
        programs[number].action = *wanted;
        install(number);
    }
    if (before != nullptr) {
        *before = previous;
    }
    return 0;
}

}  // namespace

void watch_signals() {
    ensure_alternate_stack();
    for (const int number : watched) {
        if (real_sigaction()(number, nullptr, &programs[number].action) == 0) {
            install(number);
            programs[number].watched.store(true, std::memory_order_release);
        }
    }
}

HALOCLINE_WRAPPER int sigaction(int number, const struct sigaction* wanted,
                                struct sigaction* before) noexcept {
    if (is_watched(number)) {
        return change_action(number, wanted, before);
    }
    return real_sigaction()(number, wanted, before);
}

HALOCLINE_WRAPPER sighandler_t signal(int number, sighandler_t handler) noexcept {
    if (is_watched(number)) {
        struct sigaction wanted {};
        struct sigaction before {};
        wanted.sa_handler = handler;
        wanted.sa_flags = SA_RESTART;
        change_action(number, &wanted, &before);
        return before.sa_handler;
    }
    using Signal = sighandler_t (*)(int, sighandler_t);
    static const auto real_signal = reinterpret_cast<Signal>(dlsym(RTLD_NEXT, "signal"));
    return real_signal(number, handler);
}

/// Ends that pass by the destructors of libraries.
HALOCLINE_WRAPPER void _exit(int code) {
    if (session.active.load(std::memory_order_relaxed) && is_own_process()) {
        ToolScope scope;
        write_exit_report();
    }
    using Exit = void (*)(int);
    static const auto real_exit = reinterpret_cast<Exit>(dlsym(RTLD_NEXT, "_exit"));
    real_exit(code);
    __builtin_unreachable();
}

HALOCLINE_WRAPPER void _Exit(int code) noexcept { _exit(code); }

}  // namespace halocline::snapshot
