#include "cli/plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/version.hpp"
#include "formats.hpp"
#include "hwtrace/plugin.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

static_assert(std::string_view(HWTRACE_PLUGIN_VERSION) == HWTRACE_VERSION, "hwtrace/plugin.hpp states another version");

constexpr const char* variable = "HWTRACE_PLUGINS";
bool loaded_any = false;

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
    fail(Failure::usage, fmt::format("{}: {}: {}", variable, path, why));
}

constexpr std::size_t most_formats = 64;  // of one plug-in: a larger count is nonsense

/// A loaded plug-in. It stays loaded until the process ends.
class Module {
public:
    explicit Module(const std::string& path);
    const std::string& path() const noexcept { return path_; }
    const Plugin* plugin() const;
    /// Returns true if the address is inside this plug-in. A wrong pointer can then be refused before it is used.
    bool holds(const void* address) const noexcept { return address != nullptr && base_of(address) == base_; }

private:
    static const void* base_of(const void* address) noexcept {
        Dl_info info{};
        return ::dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
    }

    using Entry = const Plugin* (*)();
    std::string path_;
    Entry entry_ = nullptr;
    const void* base_ = nullptr;
};

std::string path_being_loaded;  // for the handler, which has no arguments

/// Ends the process. Called for an exception that cannot leave the plug-in or the system's loader.
[[noreturn]] void end_of_loading() {
    std::fprintf(
        stderr,
        "hwtrace: error: %s: %s: it throws an exception while it is loaded; mend the plug-in, or unset the variable\n",
        variable, path_being_loaded.c_str());
    std::_Exit(2);
}

/// Loads a file. Static objects may throw when they are made.
void* open(const char* file) {
    // The header says that dlopen throws nothing, so that compilers would leave out the handler.
    void* (*volatile const load)(const char*, int) = ::dlopen;
    try {
        return load(file, RTLD_NOW | RTLD_LOCAL);
    } catch (...) {
        end_of_loading();
    }
}

/// Returns why open() returned nullptr.
std::string reason_of_failure() {
    const char* const reason = ::dlerror();
    return reason == nullptr ? "unknown error" : reason;
}

/// Loads the library of this installation that a plug-in lacks, because it is in none of the system's folders.
/// `reason`: why the plug-in was not loaded. Returns true if loading the plug-in can succeed now.
bool load_missing_library(std::string_view reason) {
    constexpr std::string_view library = "libhwtrace.so";
    Dl_info self{};
    if (!reason.starts_with(library) || ::dladdr(&variable, &self) == 0 || self.dli_fname == nullptr) return false;
    // The commands are in PREFIX/lib/hwtrace/, and the library is in PREFIX/lib/.
    const std::filesystem::path folder = std::filesystem::path(self.dli_fname).parent_path().parent_path();
    const std::string path = (folder / reason.substr(0, reason.find(':'))).string();
    return ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
}

Module::Module(const std::string& path) : path_(path) {
    // Without a slash, dlopen would search the folders of libraries.
    const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    path_being_loaded = path;
    const std::terminate_handler before = std::set_terminate(end_of_loading);
    void* handle = open(file.c_str());
    std::string text;
    if (handle == nullptr) {
        text = reason_of_failure();
        if (load_missing_library(text)) {
            handle = open(file.c_str());
            if (handle == nullptr) text = reason_of_failure();
        }
    }
    std::set_terminate(before);
    if (handle == nullptr) {
        if (text.starts_with(file + ": ")) text.erase(0, file.size() + 2);
        const bool lacks_symbol = text.find("undefined symbol") != std::string::npos;
        refuse(path, fmt::format("cannot be loaded: {}; {}", text,
                                 lacks_symbol ? "define the function, or compile the plug-in with the compiler and the "
                                                "library of C++ that hwtrace was compiled with: " HWTRACE_PLUGIN_ABI
                                              : "correct or unset the variable"));
    }
    void* const entry = ::dlsym(handle, "hwtrace_plugin");
    if (entry == nullptr)
        refuse(path,
               "is no plug-in: it exports no function hwtrace_plugin; end its source with HWTRACE_PLUGIN(&format), "
               "and include <hwtrace/plugin.hpp>");
    std::memcpy(&entry_, &entry, sizeof entry);
    base_ = base_of(entry);
}

const Plugin* Module::plugin() const {
    std::string why = "an exception of an unknown type";
    try {
        return entry_();
    } catch (const std::exception& error) {
        why = error.what();
    } catch (...) {
    }
    refuse(path_, fmt::format("hwtrace_plugin throws: {}", why));
}

/// Checks that the plug-in was compiled with the headers of this version.
const Plugin& checked_plugin(const Module& module) {
    const Plugin* const plugin = module.plugin();
    if (!module.holds(plugin) || plugin->magic != Plugin::the_magic || !module.holds(plugin->version) ||
        !module.holds(plugin->abi))
        refuse(module.path(), "hwtrace_plugin returns no descriptor of a plug-in; define it with HWTRACE_PLUGIN");
    constexpr std::size_t longest = 40;
    const std::string_view made_for(plugin->version, ::strnlen(plugin->version, longest));
    if (made_for != version())
        refuse(module.path(),
               fmt::format("was compiled for hwtrace {}, and this is {}; compile it again with the headers of "
                           "hwtrace {}",
                           made_for, version(), version()));
    const std::string_view abi(plugin->abi, ::strnlen(plugin->abi, longest));
    if (abi != HWTRACE_PLUGIN_ABI)
        refuse(module.path(), fmt::format("was compiled with {}, and hwtrace with {}; compile it with {}", abi,
                                          HWTRACE_PLUGIN_ABI, HWTRACE_PLUGIN_ABI));
    if (plugin->layout != plugin_layout())
        refuse(module.path(),
               fmt::format("was compiled with the headers of another build of hwtrace {}; compile it again "
                           "with the headers of the installed one",
                           version()));
    if (!module.holds(plugin->formats) || plugin->count == 0 || plugin->count > most_formats)
        refuse(module.path(), "lists no formats; give HWTRACE_PLUGIN the address of each descriptor");
    return *plugin;
}

bool is_word(std::string_view text, std::string_view letters) noexcept {
    return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

/// Refuses a descriptor that the commands could not use.
void check_descriptor(const Module& module, const Format* format) {
    if (!module.holds(format) || !module.holds(format->name.data()) || format->name.size() > most_formats)
        refuse(module.path(), "a descriptor or its name is not in the plug-in; descriptors refer to static storage");
    const auto refuse_format = [&](std::string_view why) {
        refuse(module.path(), fmt::format("format '{}': {}", format->name, why));
    };
    if (!is_word(format->name, "abcdefghijklmnopqrstuvwxyz0123456789"))
        refuse_format("a name has only small letters and digits");
    if (!module.holds(format->title.data())) refuse_format("has no title");
    if (format->extensions.empty()) refuse_format("has no extension");
    for (const std::string_view extension : format->extensions)
        if (extension.size() < 2 || extension.front() != '.')
            refuse_format(fmt::format("the extension '{}' does not begin with a dot", extension));
    if (format->sniff == nullptr) refuse_format("has no function sniff");
    if (!format->can_read() && !format->can_write()) refuse_format("has neither make_reader nor make_writer");
    for (const Option& option : format->options) {
        if (!option.key.starts_with(fmt::format("{}-", format->name)) ||
            !is_word(option.key, "abcdefghijklmnopqrstuvwxyz0123456789-"))
            refuse_format(fmt::format("the option '{}' does not begin with '{}-'", option.key, format->name));
        if (std::ranges::count(format->options, option.key, &Option::key) != 1)
            refuse_format(fmt::format("the option '{}' occurs twice", option.key));
    }
    for (const Rule& rule : format->rules) {
        if (!is_word(rule.id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
            refuse_format(fmt::format("the id '{}' of a rule does not look like ABC001", rule.id));
        if (std::ranges::count(format->rules, rule.id, &Rule::id) != 1)
            refuse_format(fmt::format("the rule '{}' occurs twice", rule.id));
    }
}

/// Refuses a format with a name, an extension or a rule of a known one.
void check_difference(const Module& module, const Format& format, const Format& known) {
    const auto refuse_pair = [&](std::string_view what, std::string_view word) {
        refuse(module.path(),
               fmt::format("format '{}' has the {} '{}' of the format '{}'; choose another one, or leave out one "
                           "of the plug-ins",
                           format.name, what, word, known.name));
    };
    if (format.name == known.name) refuse_pair("name", format.name);
    for (const std::string_view extension : format.extensions)
        if (std::ranges::find(known.extensions, extension) != known.extensions.end())
            refuse_pair("extension", extension);
    for (const Rule& rule : format.rules)
        if (std::ranges::find(known.rules, rule.id, &Rule::id) != known.rules.end()) refuse_pair("rule", rule.id);
}

std::vector<const Format*> load(const std::string& path, const std::vector<const Format*>& known) {
    const Module module(path);
    const Plugin& plugin = checked_plugin(module);
    std::vector<const Format*> added;
    for (const Format* const format : std::span(plugin.formats, plugin.count)) {
        check_descriptor(module, format);
        for (const Format* const other : known)
            check_difference(module, *format, *other);
        for (const Format* const other : added)
            check_difference(module, *format, *other);
        added.push_back(format);
    }
    return added;
}

std::vector<const Format*> load_all(std::string_view paths) {
    std::vector<const Format*> all(targets().begin(), targets().end());
    for (std::size_t begin = 0; begin <= paths.size();) {
        const std::size_t end = std::min(paths.find(':', begin), paths.size());
        const std::string path(paths.substr(begin, end - begin));
        begin = end + 1;
        if (path.empty()) continue;
        const std::vector<const Format*> added = load(path, all);
        all.insert(all.end(), added.begin(), added.end());
        loaded_any = true;
    }
    return all;
}

}  // namespace

FormatList known_formats() {
    // A program with the rights of another user must not run code that its caller chooses.
    const char* const paths = ::secure_getenv(variable);
    if (paths == nullptr || *paths == '\0') return targets();
    static const std::vector<const Format*> all = load_all(paths);
    return all;
}

bool has_plugins() noexcept {
    return loaded_any;
}

}  // namespace hwtrace::cli
