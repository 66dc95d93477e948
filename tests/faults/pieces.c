/* tests/faults/pieces.c - intercepts the reads and writes of a program and lets each one move only a few bytes, as
 * signals, networks and full disks do. The number of bytes varies from call to call, but is the same in every run. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

static size_t piece(size_t count) {
    enum { few = 7 };
    static atomic_uint calls;
    const uint32_t scattered = (atomic_fetch_add(&calls, 1) + 1) * UINT32_C(2654435761);
    const size_t most = 1 + (scattered >> 16) % few;
    /* Large calls move more, because moving a megabyte byte by byte takes minutes. */
    return count < 256 ? (count < most ? count : most) : count / 2 + most;
}

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))

ssize_t read(int descriptor, void* into, size_t count) {
    typedef ssize_t (*function)(int, void*, size_t);
    static function real;
    if (!real) real = REAL(function, "read");
    return real(descriptor, into, piece(count));
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
    typedef ssize_t (*function)(int, const void*, size_t);
    static function real;
    if (!real) real = REAL(function, "write");
    return real(descriptor, bytes, piece(count));
}

ssize_t pread(int descriptor, void* into, size_t count, off_t offset) {
    typedef ssize_t (*function)(int, void*, size_t, off_t);
    static function real;
    if (!real) real = REAL(function, "pread");
    return real(descriptor, into, piece(count), offset);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
    typedef ssize_t (*function)(int, const void*, size_t, off_t);
    static function real;
    if (!real) real = REAL(function, "pwrite");
    return real(descriptor, bytes, piece(count), offset);
}

ssize_t pread64(int descriptor, void* into, size_t count, off64_t offset) {
    typedef ssize_t (*function)(int, void*, size_t, off64_t);
    static function real;
    if (!real) real = REAL(function, "pread64");
    return real(descriptor, into, piece(count), offset);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t count, off64_t offset) {
    typedef ssize_t (*function)(int, const void*, size_t, off64_t);
    static function real;
    if (!real) real = REAL(function, "pwrite64");
    return real(descriptor, bytes, piece(count), offset);
}
