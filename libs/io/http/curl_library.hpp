// io/http/curl_library.hpp - libcurl, which is loaded when the first URL is opened. So programs that open none start as
// fast as without it, and need no libcurl to be linked or to run.
#pragma once

#include <curl/curl.h>

namespace hwtrace {

/// The functions of libcurl that are used; all are set.
struct CurlLibrary {
    decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
    decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
    decltype(&curl_easy_init) easy_init = nullptr;
    decltype(&curl_easy_pause) easy_pause = nullptr;
    decltype(&curl_easy_setopt) easy_setopt = nullptr;
    decltype(&curl_easy_strerror) easy_strerror = nullptr;
    decltype(&curl_global_init) global_init = nullptr;
    decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
    decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
    decltype(&curl_multi_info_read) multi_info_read = nullptr;
    decltype(&curl_multi_init) multi_init = nullptr;
    decltype(&curl_multi_perform) multi_perform = nullptr;
    decltype(&curl_multi_poll) multi_poll = nullptr;
    decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
    decltype(&curl_slist_append) slist_append = nullptr;
    decltype(&curl_slist_free_all) slist_free_all = nullptr;
};

/// Loads the library once. Returns null if it is not installed, or too old (before 7.66).
const CurlLibrary* curl_library();

}  // namespace hwtrace
