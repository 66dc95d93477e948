#include "io/http/curl_library.hpp"

#include <dlfcn.h>

#include <optional>

namespace hwtrace {

namespace {

/// Sets `function` to a function of the library. Returns false if it has none of this name.
template <typename Function>
bool find_function(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

std::optional<CurlLibrary> load_curl() {
    void* library = nullptr;
    for (const char* const name : {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.4.dylib"})
        if (library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL); library != nullptr) break;
    if (library == nullptr) return std::nullopt;
    CurlLibrary curl;
    const bool is_whole = find_function(library, "curl_easy_cleanup", curl.easy_cleanup) &&
                          find_function(library, "curl_easy_getinfo", curl.easy_getinfo) &&
                          find_function(library, "curl_easy_init", curl.easy_init) &&
                          find_function(library, "curl_easy_pause", curl.easy_pause) &&
                          find_function(library, "curl_easy_setopt", curl.easy_setopt) &&
                          find_function(library, "curl_easy_strerror", curl.easy_strerror) &&
                          find_function(library, "curl_global_init", curl.global_init) &&
                          find_function(library, "curl_multi_add_handle", curl.multi_add_handle) &&
                          find_function(library, "curl_multi_cleanup", curl.multi_cleanup) &&
                          find_function(library, "curl_multi_info_read", curl.multi_info_read) &&
                          find_function(library, "curl_multi_init", curl.multi_init) &&
                          find_function(library, "curl_multi_perform", curl.multi_perform) &&
                          find_function(library, "curl_multi_poll", curl.multi_poll) &&
                          find_function(library, "curl_multi_remove_handle", curl.multi_remove_handle) &&
                          find_function(library, "curl_slist_append", curl.slist_append) &&
                          find_function(library, "curl_slist_free_all", curl.slist_free_all);
    if (!is_whole || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return std::nullopt;
    return curl;
}

}  // namespace

const CurlLibrary* curl_library() {
    static const std::optional<CurlLibrary> loaded = load_curl();
    return loaded ? &*loaded : nullptr;
}

}  // namespace hwtrace
