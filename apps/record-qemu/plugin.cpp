// apps/record-qemu/plugin.cpp - the QEMU plugin: passes what QEMU executes to a Recorder.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "domain/conventions.hpp"
#include "qemu_plugin.h"
#include "recorder.hpp"

int qemu_plugin_version = 1;

namespace {

using namespace hwtrace::record_qemu;
namespace names = hwtrace::conventions;
namespace stf = hwtrace::stf;

constexpr const char* tool = "hwtrace-record-qemu";
constexpr int usage_error = 2, io_error = 5;  // exit codes of the suite
constexpr std::size_t most_threads = std::size_t{1} << 16;
constexpr std::int64_t execve_call = 221, execveat_call = 281;  // of Linux on RISC-V
constexpr std::uint8_t generator_qemu = 1;

/// Blocks all signals: QEMU's handlers must run in threads of the program, and not in those that compress.
class NoSignals {
public:
    NoSignals() noexcept {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;

private:
    sigset_t before_;
};

/// The state of the plugin. It is never destroyed, because threads of the program may outlive main().
struct Plugin {
    qemu_plugin_id_t id = 0;
    std::string name, from;  ///< of the trace, for messages; the function or address where the region begins
    std::unique_ptr<Recorder> recorder;
    std::array<std::atomic<Thread*>, most_threads> threads{};
    std::atomic<bool> is_off = false;       ///< nothing is recorded any more
    std::atomic<std::uint64_t> memory = 0;  ///< the program's address 0 in QEMU's memory
    std::atomic<bool> has_memory = false;
    bool stops = false, is_quiet = false;
    std::mutex files_mutex;
    LoadedFiles files;  ///< guarded by files_mutex
};
Plugin* plugin = nullptr;

[[noreturn]] void give_up(int exit_code, const std::string& why) {
    std::fprintf(stderr, "%s: error: %s\n", tool, why.c_str());
    _exit(exit_code);
}

/// Calls `work`. An error ends the program, because a trace that silently lacks its rest is worth nothing.
template <typename Work>
void recording(Work&& work) {
    const NoSignals blocked;
    try {
        work();
    } catch (const std::exception& error) {
        give_up(io_error, error.what());
    }
}

void finish() {
    if (plugin->is_off.exchange(true)) return;
    recording([] {
        const std::uint64_t count = plugin->recorder->finish();
        if (!plugin->recorder->has_begun())
            std::fprintf(stderr, "%s: warning: %s: the program never reached %s\n", tool, plugin->name.c_str(),
                         plugin->from.c_str());
        if (!plugin->is_quiet)
            std::fprintf(stderr, "%s: %s: recorded %llu instruction%s\n", tool, plugin->name.c_str(),
                         static_cast<unsigned long long>(count), count == 1 ? "" : "s");
    });
}

void take(Thread& thread, bool is_last) {
    recording([&] { plugin->recorder->take(thread, is_last); });
    if (!plugin->recorder->is_complete() || plugin->is_off) return;
    finish();
    if (plugin->stops) _exit(0);
    qemu_plugin_reset(plugin->id, [](qemu_plugin_id_t) {});  // the rest of the run needs no callbacks
}

Thread* thread_of(unsigned vcpu) noexcept {
    return vcpu < most_threads ? plugin->threads[vcpu].load(std::memory_order_relaxed) : nullptr;
}

// --- callbacks -------------------------------------------------------------------------------------------------------

void on_instruction(unsigned vcpu, void* data) {
    if (plugin->is_off.load(std::memory_order_relaxed)) return;
    Thread* const thread = thread_of(vcpu);
    if (thread == nullptr) return;
    if (thread->is_full()) take(*thread, false);
    thread->execute(*static_cast<const Code*>(data));
}

void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, std::uint64_t address, void* data) {
    if (plugin->is_off.load(std::memory_order_relaxed)) return;
    Thread* const thread = thread_of(vcpu);
    if (thread == nullptr) return;
    const Code& code = *static_cast<const Code*>(data);
    Touch touch;
    touch.is_store = qemu_plugin_mem_is_store(info);
    if (code.is_store_conditional && !touch.is_store) return;  // QEMU compares memory with the reserved value
    // STF's contents have 64 bits, so that a longer access becomes several.
    for (std::uint64_t left = std::uint64_t{1} << qemu_plugin_mem_size_shift(info); left != 0; left -= touch.size) {
        touch.address = address;
        touch.size = static_cast<std::uint16_t>(std::min<std::uint64_t>(left, sizeof touch.data));
        std::memcpy(&touch.data, reinterpret_cast<const void*>(address + plugin->memory), touch.size);
        thread->touch(touch);
        address += touch.size;
    }
}

/// Records which file the code at `pc` is from.
void note_file(std::uint64_t pc) {
    if (!plugin->has_memory) return;
    recording([&] {
        const std::scoped_lock lock(plugin->files_mutex);
        if (const auto file = plugin->files.at(pc, plugin->memory)) plugin->recorder->loaded(*file);
    });
}

void on_translation(qemu_plugin_id_t, qemu_plugin_tb* block) {
    if (plugin->is_off) return;
    for (std::size_t index = 0; index < qemu_plugin_tb_n_insns(block); ++index) {
        qemu_plugin_insn* const instruction = qemu_plugin_tb_get_insn(block, index);
        const std::size_t size = qemu_plugin_insn_size(instruction);
        std::uint32_t encoding = 0;
        if (size != 2 && size != 4) continue;
        std::memcpy(&encoding, qemu_plugin_insn_data(instruction), size);
        const std::uint64_t pc = qemu_plugin_insn_vaddr(instruction);
        if (const void* here = qemu_plugin_insn_haddr(instruction); here != nullptr && !plugin->has_memory) {
            plugin->memory = reinterpret_cast<std::uint64_t>(here) - pc;
            plugin->has_memory = true;
        }
        if (index == 0) note_file(pc);
        const Code* code = nullptr;
        recording([&] {
            code = &plugin->recorder->code(pc, encoding, static_cast<unsigned>(size),
                                           qemu_plugin_insn_symbol(instruction));
        });
        void* const data = const_cast<Code*>(code);
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_instruction, QEMU_PLUGIN_CB_NO_REGS, data);
        qemu_plugin_register_vcpu_mem_cb(instruction, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, data);
    }
}

void on_thread_begin(qemu_plugin_id_t, unsigned vcpu) {
    if (vcpu >= most_threads) give_up(io_error, "the program has more than 65536 threads");
    if (!plugin->is_off && plugin->threads[vcpu] == nullptr) plugin->threads[vcpu] = new Thread(vcpu);
}

void on_thread_end(qemu_plugin_id_t, unsigned vcpu) {
    Thread* const thread = thread_of(vcpu);
    if (thread != nullptr && !plugin->is_off) take(*thread, true);
}

/// Returns true if a file can probably be executed. `path` is an address of the program.
bool is_executable(std::uint64_t path) {
    return plugin->has_memory && path != 0 && access(reinterpret_cast<const char*>(path + plugin->memory), X_OK) == 0;
}

/// System calls order the threads of a program, so what came before them is written before what comes after.
void on_system_call(qemu_plugin_id_t, unsigned vcpu, std::int64_t number, std::uint64_t first, std::uint64_t second,
                    std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) {
    Thread* const thread = thread_of(vcpu);
    if (thread == nullptr || plugin->is_off) return;
    const bool replaces =
        (number == execve_call && is_executable(first)) || (number == execveat_call && is_executable(second));
    take(*thread, replaces);
    if (!replaces || plugin->is_off) return;
    std::fprintf(stderr, "%s: warning: %s: the trace ends here, because the program starts another one\n", tool,
                 plugin->name.c_str());
    finish();  // QEMU does not call the plugin again
}

void on_exit(qemu_plugin_id_t, void*) {
    if (plugin->is_off) return;
    for (std::atomic<Thread*>& thread : plugin->threads)
        if (thread != nullptr) take(*thread, true);
    finish();
}

// --- arguments -------------------------------------------------------------------------------------------------------

using Arguments = std::map<std::string, std::string, std::less<>>;

std::uint64_t number_in(const Arguments& arguments, std::string_view key, std::uint64_t fallback) {
    const auto found = arguments.find(key);
    if (found == arguments.end()) return fallback;
    const std::string& text = found->second;
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || stop != text.data() + text.size())
        give_up(usage_error, "the plugin's argument " + std::string(key) + " is not a number: " + text);
    return number;
}

std::string text_in(const Arguments& arguments, std::string_view key) {
    const auto found = arguments.find(key);
    return found == arguments.end() ? std::string() : found->second;
}

stf::Header header_of(const qemu_info_t& info, const Arguments& arguments) {
    stf::Header header;
    const bool is_rv32 = std::string_view(info.target_name) == "riscv32";
    header.encoding_mode = is_rv32 ? 1 : 2;
    header.features = names::feature_process_ids | names::feature_wide_events | (is_rv32 ? 0 : names::feature_rv64);
    stf::Generator generator;
    generator.number = generator_qemu;
    generator.major = static_cast<std::uint8_t>(number_in(arguments, "major", 0));
    generator.minor = static_cast<std::uint8_t>(number_in(arguments, "minor", 0));
    generator.patch = static_cast<std::uint8_t>(number_in(arguments, "patch", 0));
    generator.comment = text_in(arguments, "comment");
    header.generators.push_back(std::move(generator));
    return header;
}

stf::Storage storage_of(const Arguments& arguments) {
    stf::Storage storage;
    storage.chunk = number_in(arguments, "chunk", storage.chunk);
    storage.level = static_cast<int>(number_in(arguments, "level", 1));
    storage.replace = number_in(arguments, "replace", 0) != 0;
    storage.growing = true;
    return storage;
}

void start(qemu_plugin_id_t id, const qemu_info_t& info, const Arguments& arguments) {
    Region region;
    region.from = text_in(arguments, "from");
    region.to = text_in(arguments, "to");
    region.skip = number_in(arguments, "skip", 0);
    if (arguments.contains("limit")) region.limit = number_in(arguments, "limit", 0);
    plugin = new Plugin;
    plugin->id = id;
    const std::string path = text_in(arguments, "out");
    plugin->name = arguments.contains("name") ? text_in(arguments, "name") : path;
    plugin->from = region.from;
    plugin->stops = number_in(arguments, "stop", 0) != 0;
    plugin->is_quiet = number_in(arguments, "quiet", 0) != 0;
    plugin->recorder =
        std::make_unique<Recorder>(path, header_of(info, arguments), storage_of(arguments), std::move(region));
}

}  // namespace

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
    const std::string_view target = info->target_name;
    if (info->system_emulation || (target != "riscv64" && target != "riscv32"))
        give_up(usage_error,
                "the plugin records programs in qemu-riscv64 and qemu-riscv32, not " + std::string(target));
    Arguments arguments;
    for (int index = 0; index < argc; ++index) {
        const std::string_view argument = argv[index];
        const std::size_t equals = argument.find('=');
        if (equals == std::string_view::npos) continue;
        arguments.emplace(argument.substr(0, equals), argument.substr(equals + 1));
    }
    if (text_in(arguments, "out").empty()) give_up(usage_error, "the plugin needs the argument out=FILE");
    recording([&] { start(id, *info, arguments); });
    pthread_atfork(nullptr, nullptr, [] { plugin->is_off = true; });  // a child of the program has no trace
    qemu_plugin_register_vcpu_init_cb(id, on_thread_begin);
    qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
    qemu_plugin_register_vcpu_syscall_cb(id, on_system_call);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit, nullptr);
    return 0;
}
