// apps/static/no_loader.cpp - the functions of <dlfcn.h> for programs that are linked statically: they load nothing.
// Without them, the linker takes those of the C library, which load shared libraries of exactly the same version of it.
#include <dlfcn.h>

extern "C" {

void* dlopen(const char*, int) noexcept {
    return nullptr;
}

void* dlsym(void*, const char*) noexcept {
    return nullptr;
}

int dlclose(void*) noexcept {
    return -1;
}

char* dlerror() noexcept {
    static char reason[] = "this program is linked statically and loads no libraries";
    return reason;
}

int dladdr(const void*, Dl_info*) noexcept {
    return 0;
}

}  // extern "C"
