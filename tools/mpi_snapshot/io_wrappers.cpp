// SPDX-FileCopyrightText: 2026 halocline contributors
// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of the C library's file functions. The names that old and fortified programs call
// (open64, __read_chk, ...) lead to the same accounts.
//
// No declarations of the C library here: <unistd.h> renames some of these functions by macros and
// attributes.
#include "io_calls.hpp"

#include <dlfcn.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstdarg>
#include <cstdio>

namespace halocline::snapshot {

namespace {

/// The next function of this name behind ours; each call site keeps its own.
template <class Signature>
Signature* next(const char* name) {
    return reinterpret_cast<Signature*>(dlsym(RTLD_NEXT, name));
}

#define HALOCLINE_NEXT(name, ...) static const auto real_function = next<__VA_ARGS__>(#name)

constexpr int create_flag = 0100;          // O_CREAT
constexpr int temporary_flag = 020000000;  // __O_TMPFILE

template <class Open>
int open_with(Open open) {
    IoCall call(IoFunction::open_call, -1);
    const int descriptor = open();
    forget_descriptor(descriptor);
    call.opened(descriptor);
    return descriptor;
}

template <class Move>
ssize_t move_with(IoFunction function, int descriptor, Move move) {
    IoCall call(function, descriptor);
    const ssize_t bytes = move();
    call.moved(bytes);
    return bytes;
}

template <class Act>
int act_with(IoFunction function, int descriptor, Act act) {
    IoCall call(function, descriptor);
    return act();
}

int descriptor_of(FILE* stream) { return stream == nullptr ? -1 : fileno(stream); }

}  // namespace

#define HALOCLINE_OPEN(name)                                                                 \
    HALOCLINE_WRAPPER int name(const char* path, int flags, ...) {                           \
        HALOCLINE_NEXT(name, int(const char*, int, ...));                                    \
        va_list arguments;                                                                   \
        va_start(arguments, flags);                                                          \
        const unsigned mode =                                                                \
            (flags & (create_flag | temporary_flag)) != 0 ? va_arg(arguments, unsigned) : 0; \
        va_end(arguments);                                                                   \
        return open_with([&] { return real_function(path, flags, mode); });                  \
    }
HALOCLINE_OPEN(open)
HALOCLINE_OPEN(open64)

#define HALOCLINE_OPENAT(name)                                                               \
    HALOCLINE_WRAPPER int name(int folder, const char* path, int flags, ...) {               \
        HALOCLINE_NEXT(name, int(int, const char*, int, ...));                               \
        va_list arguments;                                                                   \
        va_start(arguments, flags);                                                          \
        const unsigned mode =                                                                \
            (flags & (create_flag | temporary_flag)) != 0 ? va_arg(arguments, unsigned) : 0; \
        va_end(arguments);                                                                   \
        return open_with([&] { return real_function(folder, path, flags, mode); });          \
    }
HALOCLINE_OPENAT(openat)
HALOCLINE_OPENAT(openat64)

#define HALOCLINE_CREATE(name)                                       \
    HALOCLINE_WRAPPER int name(const char* path, mode_t mode) {      \
        HALOCLINE_NEXT(name, int(const char*, mode_t));              \
        return open_with([&] { return real_function(path, mode); }); \
    }
HALOCLINE_CREATE(creat)
HALOCLINE_CREATE(creat64)

#define HALOCLINE_OPEN_2(name)                                        \
    HALOCLINE_WRAPPER int name(const char* path, int flags) {         \
        HALOCLINE_NEXT(name, int(const char*, int));                  \
        return open_with([&] { return real_function(path, flags); }); \
    }
HALOCLINE_OPEN_2(__open_2)
HALOCLINE_OPEN_2(__open64_2)

namespace {

/// The number may name another file as soon as the call has returned.
template <class Close>
int close_with(IoFunction function, int descriptor, Close close) {
    const int code = act_with(function, descriptor, close);
    forget_descriptor(descriptor);
    return code;
}

}  // namespace

HALOCLINE_WRAPPER int close(int descriptor) {
    HALOCLINE_NEXT(close, int(int));
    return close_with(IoFunction::close_call, descriptor,
                      [&] { return real_function(descriptor); });
}

HALOCLINE_WRAPPER int dup2(int from, int to) noexcept {
    HALOCLINE_NEXT(dup2, int(int, int));
    forget_descriptor(to);
    return real_function(from, to);
}

HALOCLINE_WRAPPER int dup3(int from, int to, int flags) noexcept {
    HALOCLINE_NEXT(dup3, int(int, int, int));
    forget_descriptor(to);
    return real_function(from, to, flags);
}

HALOCLINE_WRAPPER int fsync(int descriptor) {
    HALOCLINE_NEXT(fsync, int(int));
    return act_with(IoFunction::fsync_call, descriptor, [&] { return real_function(descriptor); });
}

HALOCLINE_WRAPPER int fdatasync(int descriptor) {
    HALOCLINE_NEXT(fdatasync, int(int));
    return act_with(IoFunction::fdatasync_call, descriptor,
                    [&] { return real_function(descriptor); });
}

#define HALOCLINE_TRUNCATE(name)                                            \
    HALOCLINE_WRAPPER int name(int descriptor, off64_t length) noexcept {   \
        HALOCLINE_NEXT(name, int(int, off64_t));                            \
        return act_with(IoFunction::ftruncate_call, descriptor,             \
                        [&] { return real_function(descriptor, length); }); \
    }
HALOCLINE_TRUNCATE(ftruncate)
HALOCLINE_TRUNCATE(ftruncate64)

HALOCLINE_WRAPPER ssize_t read(int descriptor, void* buffer, size_t bytes) {
    HALOCLINE_NEXT(read, ssize_t(int, void*, size_t));
    return move_with(IoFunction::read_call, descriptor,
                     [&] { return real_function(descriptor, buffer, bytes); });
}

HALOCLINE_WRAPPER ssize_t __read_chk(int descriptor, void* buffer, size_t bytes, size_t room) {
    HALOCLINE_NEXT(__read_chk, ssize_t(int, void*, size_t, size_t));
    return move_with(IoFunction::read_call, descriptor,
                     [&] { return real_function(descriptor, buffer, bytes, room); });
}

HALOCLINE_WRAPPER ssize_t write(int descriptor, const void* buffer, size_t bytes) {
    HALOCLINE_NEXT(write, ssize_t(int, const void*, size_t));
    return move_with(IoFunction::write_call, descriptor,
                     [&] { return real_function(descriptor, buffer, bytes); });
}

#define HALOCLINE_PREAD(name)                                                                \
    HALOCLINE_WRAPPER ssize_t name(int descriptor, void* buffer, size_t bytes, off64_t at) { \
        HALOCLINE_NEXT(name, ssize_t(int, void*, size_t, off64_t));                          \
        return move_with(IoFunction::pread_call, descriptor,                                 \
                         [&] { return real_function(descriptor, buffer, bytes, at); });      \
    }
HALOCLINE_PREAD(pread)
HALOCLINE_PREAD(pread64)

#define HALOCLINE_PREAD_CHECKED(name)                                                         \
    HALOCLINE_WRAPPER ssize_t name(int descriptor, void* buffer, size_t bytes, off64_t at,    \
                                   size_t room) {                                             \
        HALOCLINE_NEXT(name, ssize_t(int, void*, size_t, off64_t, size_t));                   \
        return move_with(IoFunction::pread_call, descriptor,                                  \
                         [&] { return real_function(descriptor, buffer, bytes, at, room); }); \
    }
HALOCLINE_PREAD_CHECKED(__pread_chk)
HALOCLINE_PREAD_CHECKED(__pread64_chk)

#define HALOCLINE_PWRITE(name)                                                                     \
    HALOCLINE_WRAPPER ssize_t name(int descriptor, const void* buffer, size_t bytes, off64_t at) { \
        HALOCLINE_NEXT(name, ssize_t(int, const void*, size_t, off64_t));                          \
        return move_with(IoFunction::pwrite_call, descriptor,                                      \
                         [&] { return real_function(descriptor, buffer, bytes, at); });            \
    }
HALOCLINE_PWRITE(pwrite)
HALOCLINE_PWRITE(pwrite64)

#define HALOCLINE_VECTOR(name)                                                      \
    HALOCLINE_WRAPPER ssize_t name(int descriptor, const iovec* parts, int count) { \
        HALOCLINE_NEXT(name, ssize_t(int, const iovec*, int));                      \
        return move_with(IoFunction::name##_call, descriptor,                       \
                         [&] { return real_function(descriptor, parts, count); });  \
    }
HALOCLINE_VECTOR(readv)
HALOCLINE_VECTOR(writev)

#define HALOCLINE_VECTOR_AT(name, function)                                                     \
    HALOCLINE_WRAPPER ssize_t name(int descriptor, const iovec* parts, int count, off64_t at) { \
        HALOCLINE_NEXT(name, ssize_t(int, const iovec*, int, off64_t));                         \
        return move_with(IoFunction::function, descriptor,                                      \
                         [&] { return real_function(descriptor, parts, count, at); });          \
    }
HALOCLINE_VECTOR_AT(preadv, preadv_call)
HALOCLINE_VECTOR_AT(preadv64, preadv_call)
HALOCLINE_VECTOR_AT(pwritev, pwritev_call)
HALOCLINE_VECTOR_AT(pwritev64, pwritev_call)

// --- stdio: its own reads and writes do not pass through the functions above ------------------------

#define HALOCLINE_FOPEN(name)                                          \
    HALOCLINE_WRAPPER FILE* name(const char* path, const char* mode) { \
        HALOCLINE_NEXT(name, FILE*(const char*, const char*));         \
        IoCall call(IoFunction::fopen_call, -1);                       \
        FILE* stream = real_function(path, mode);                      \
        forget_descriptor(descriptor_of(stream));                      \
        call.opened(descriptor_of(stream));                            \
        return stream;                                                 \
    }
HALOCLINE_FOPEN(fopen)
HALOCLINE_FOPEN(fopen64)

HALOCLINE_WRAPPER int fclose(FILE* stream) {
    HALOCLINE_NEXT(fclose, int(FILE*));
    return close_with(IoFunction::fclose_call, descriptor_of(stream),
                      [&] { return real_function(stream); });
}

HALOCLINE_WRAPPER int fflush(FILE* stream) {
    HALOCLINE_NEXT(fflush, int(FILE*));
    return act_with(IoFunction::fflush_call, descriptor_of(stream),
                    [&] { return real_function(stream); });
}

HALOCLINE_WRAPPER size_t fread(void* buffer, size_t size, size_t count, FILE* stream) {
    HALOCLINE_NEXT(fread, size_t(void*, size_t, size_t, FILE*));
    IoCall call(IoFunction::fread_call, descriptor_of(stream));
    const size_t items = real_function(buffer, size, count, stream);
    call.moved(static_cast<long>(items * size));
    return items;
}

HALOCLINE_WRAPPER size_t __fread_chk(void* buffer, size_t room, size_t size, size_t count,
                                     FILE* stream) {
    HALOCLINE_NEXT(__fread_chk, size_t(void*, size_t, size_t, size_t, FILE*));
    IoCall call(IoFunction::fread_call, descriptor_of(stream));
    const size_t items = real_function(buffer, room, size, count, stream);
    call.moved(static_cast<long>(items * size));
    return items;
}

HALOCLINE_WRAPPER size_t fwrite(const void* buffer, size_t size, size_t count, FILE* stream) {
    HALOCLINE_NEXT(fwrite, size_t(const void*, size_t, size_t, FILE*));
    IoCall call(IoFunction::fwrite_call, descriptor_of(stream));
    const size_t items = real_function(buffer, size, count, stream);
    call.moved(static_cast<long>(items * size));
    return items;
}

HALOCLINE_WRAPPER char* fgets(char* line, int room, FILE* stream) {
    HALOCLINE_NEXT(fgets, char*(char*, int, FILE*));
    IoCall call(IoFunction::fgets_call, descriptor_of(stream));
    char* got = real_function(line, room, stream);
    call.moved(got == nullptr ? 0 : static_cast<long>(__builtin_strlen(got)));
    return got;
}

HALOCLINE_WRAPPER int fputs(const char* line, FILE* stream) {
    HALOCLINE_NEXT(fputs, int(const char*, FILE*));
    IoCall call(IoFunction::fputs_call, descriptor_of(stream));
    const int code = real_function(line, stream);
    call.moved(code < 0 ? 0 : static_cast<long>(__builtin_strlen(line)));
    return code;
}

namespace {

int print_with(FILE* stream, const char* format, va_list arguments) {
    HALOCLINE_NEXT(vfprintf, int(FILE*, const char*, va_list));
    IoCall call(IoFunction::fprintf_call, descriptor_of(stream));
    const int bytes = real_function(stream, format, arguments);
    call.moved(bytes);
    return bytes;
}

int print_checked_with(FILE* stream, int flag, const char* format, va_list arguments) {
    HALOCLINE_NEXT(__vfprintf_chk, int(FILE*, int, const char*, va_list));
    IoCall call(IoFunction::fprintf_call, descriptor_of(stream));
    const int bytes = real_function(stream, flag, format, arguments);
    call.moved(bytes);
    return bytes;
}

}  // namespace

HALOCLINE_WRAPPER int vfprintf(FILE* stream, const char* format, va_list arguments) {
    return print_with(stream, format, arguments);
}

HALOCLINE_WRAPPER int fprintf(FILE* stream, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int bytes = print_with(stream, format, arguments);
    va_end(arguments);
    return bytes;
}

HALOCLINE_WRAPPER int __vfprintf_chk(FILE* stream, int flag, const char* format,
                                     va_list arguments) {
    return print_checked_with(stream, flag, format, arguments);
}

HALOCLINE_WRAPPER int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int bytes = print_checked_with(stream, flag, format, arguments);
    va_end(arguments);
    return bytes;
}

}  // namespace halocline::snapshot
