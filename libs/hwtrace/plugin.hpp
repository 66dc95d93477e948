// hwtrace/plugin.hpp - for plug-ins: shared objects that add formats to the installed commands. HWTRACE_PLUGINS names
// them. The last line of a plug-in is HWTRACE_PLUGIN(&format).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "codec/format.hpp"
#include "model/schema.hpp"

// These are macros, because literals stay in the plug-in: the system's loader gives all plug-ins one copy of an inline
// variable.

/// The version of hwtrace that these headers belong to.
#define HWTRACE_PLUGIN_VERSION "0.1.0"

/// The C++ standard library and its settings that change the layout of classes.
#if defined(_LIBCPP_VERSION)
#define HWTRACE_PLUGIN_ABI "libc++"
#elif defined(_GLIBCXX_DEBUG)
#define HWTRACE_PLUGIN_ABI "libstdc++ with _GLIBCXX_DEBUG"
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define HWTRACE_PLUGIN_ABI "libstdc++ with the strings of C++98"
#else
#define HWTRACE_PLUGIN_ABI "libstdc++"
#endif

namespace hwtrace {

/// Returns a number made of the sizes of the classes that commands and plug-ins exchange. It also tells apart builds of
/// one version whose headers differ.
constexpr std::uint64_t plugin_layout() noexcept {
    constexpr std::array sizes{sizeof(Format),   sizeof(View),      sizeof(Option),   sizeof(Rule),   sizeof(Finding),
                               sizeof(Findings), sizeof(Losses),    sizeof(Settings), sizeof(Schema), sizeof(Batch),
                               sizeof(Record),   sizeof(Track),     sizeof(Input),    sizeof(Output), sizeof(Reader),
                               sizeof(Writer),   sizeof(TextOutput)};
    std::uint64_t layout = 14695981039346656037u;  // FNV-1a
    for (const std::size_t size : sizes)
        layout = (layout ^ size) * 1099511628211u;
    return layout;
}

/// The description of a plug-in. The first three members never change their places, so that any version can refuse
/// another one.
struct Plugin {
    static constexpr std::uint64_t the_magic = 0x3147554c50545748;  // "HWTPLUG1"

    std::uint64_t magic = the_magic;
    const char* version = HWTRACE_PLUGIN_VERSION;
    const char* abi = HWTRACE_PLUGIN_ABI;
    std::uint64_t layout = plugin_layout();
    const Format* const* formats = nullptr;
    std::size_t count = 0;
};

}  // namespace hwtrace

/// Defines the function that a plug-in exports. The arguments are addresses of descriptors: HWTRACE_PLUGIN(&spans)
#define HWTRACE_PLUGIN(...)                                                                       \
    extern "C" __attribute__((visibility("default"))) const ::hwtrace::Plugin* hwtrace_plugin() { \
        static const ::hwtrace::Format* const formats[] = {__VA_ARGS__};                          \
        static const ::hwtrace::Plugin plugin{.formats = formats, .count = std::size(formats)};   \
        return &plugin;                                                                           \
    }
