// apps/static/no_loader.cpp - replaces the functions of <dlfcn.h> in programs that are linked statically (the linker's
// option
// --wrap): they load nothing. Those of the C library would load shared libraries of exactly the same version of it.
#include <dlfcn.h>

// The names that --wrap gives to the functions.
extern "C" {  // NOLINTBEGIN(bugprone-reserved-identifier)

void* __wrap_dlopen(const char* file, int mode) noexcept;
void* __wrap_dlsym(void* library, const char* name) noexcept;
int __wrap_dlclose(void* library) noexcept;
char* __wrap_dlerror() noexcept;
int __wrap_dladdr(const void* address, Dl_info* info) noexcept;

void* __wrap_dlopen(const char*, int) noexcept {
    return nullptr;
}

void* __wrap_dlsym(void*, const char*) noexcept {
    return nullptr;
}

int __wrap_dlclose(void*) noexcept {
    return -1;
}

char* __wrap_dlerror() noexcept {
    static char reason[] = "this program is linked statically and loads no libraries";
    return reason;
}

int __wrap_dladdr(const void*, Dl_info*) noexcept {
    return 0;
}

}  // NOLINTEND(bugprone-reserved-identifier)
