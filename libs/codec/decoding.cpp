#include "codec/decoding.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "io/little_endian.hpp"

namespace hwtrace {
namespace {

/// The C interface of LLVM's disassembler (llvm-c/Disassembler.h, llvm-c/Target.h), unchanged since version 14.
struct Llvm {
    void (*initialize_target_info)() = nullptr;
    void (*initialize_target_mc)() = nullptr;
    void (*initialize_disassembler)() = nullptr;
    void* (*create)(const char* triple, const char* cpu, const char* features, void* user, int tag_type,
                    void* operand_info, void* symbol_lookup) = nullptr;
    std::size_t (*decode)(void* context, std::uint8_t* bytes, std::uint64_t size, std::uint64_t pc, char* text,
                          std::size_t capacity) = nullptr;
    void (*dispose)(void* context) = nullptr;
    int version = 0;  ///< 0: no library was found
};

/// Returns the file names of the library. Since LLVM 18, the name is "libLLVM.so.19.1". Older versions are named
/// "libLLVM-14.so.1" in Debian and "libLLVM-14.so" elsewhere.
std::vector<std::string> file_names(int version) {
    const std::string number = std::to_string(version);
    if (version >= 18) return {"libLLVM.so." + number + ".1"};
    return {"libLLVM-" + number + ".so.1", "libLLVM-" + number + ".so"};
}
constexpr int oldest_version = 14;
constexpr int newest_version = 30;  // the newest version that is searched for, which is not released yet

/// Returns the version in a name such as "libLLVM-14.so.1" or "libLLVM.so.19.1". Returns the oldest supported version
/// if the name contains none.
int version_in(std::string_view path) {
    path.remove_prefix(std::min(path.rfind('/') + 1, path.size()));
    const std::size_t begin = path.find_first_of("0123456789");
    constexpr int enough = 1000;  // limits the number, so that it cannot overflow
    int version = 0;
    for (std::size_t i = begin; version < enough && i < path.size() && path[i] >= '0' && path[i] <= '9'; ++i)
        version = version * 10 + (path[i] - '0');
    return std::max(version, oldest_version);
}

/// Sets `function` to the symbol `name`. Returns false if the library has no such symbol.
template <typename Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

Llvm bind(void* library, int version) {
    Llvm llvm;
    if (library == nullptr || !find(library, "LLVMInitializeRISCVTargetInfo", llvm.initialize_target_info) ||
        !find(library, "LLVMInitializeRISCVTargetMC", llvm.initialize_target_mc) ||
        !find(library, "LLVMInitializeRISCVDisassembler", llvm.initialize_disassembler) ||
        !find(library, "LLVMCreateDisasmCPUFeatures", llvm.create) ||
        !find(library, "LLVMDisasmInstruction", llvm.decode) || !find(library, "LLVMDisasmDispose", llvm.dispose))
        return {};
    llvm.initialize_target_info();
    llvm.initialize_target_mc();
    llvm.initialize_disassembler();
    llvm.version = version;
    return llvm;
}

/// Returns the path in HWTRACE_LLVM, or an empty string if the variable is not set.
std::string chosen_path() {
    const char* const path = std::getenv("HWTRACE_LLVM");
    return path != nullptr ? path : "";
}

Llvm open_and_bind(const std::string& path, int version) {
    return bind(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), version);
}

Llvm load() {
    if (const std::string path = chosen_path(); !path.empty()) return open_and_bind(path, version_in(path));
    for (int version = newest_version; version >= oldest_version; --version)
        for (const std::string& name : file_names(version))
            if (const Llvm llvm = open_and_bind(name, version); llvm.version != 0) return llvm;
    return {};
}

const Llvm& llvm() {
    static const Llvm loaded = load();
    return loaded;
}

/// An extension and the first version of LLVM that is known to decode it.
struct Feature {
    std::string_view name;
    int since;
};

// LLVM prints a complaint on standard error if it does not know a feature. Extensions that need no feature (Zicsr,
// Zifencei) are not listed.
constexpr Feature features[] = {
    {"e", 14},      {"m", 14},         {"a", 14},      {"f", 14},      {"d", 14},      {"c", 14},     {"v", 14},
    {"zba", 14},    {"zbb", 14},       {"zbc", 14},    {"zbs", 14},    {"zbkb", 14},   {"zbkc", 14},  {"zbkx", 14},
    {"zfh", 14},    {"zfhmin", 14},    {"zfinx", 14},  {"zdinx", 14},  {"zhinx", 14},  {"zk", 14},    {"zkn", 14},
    {"zknd", 14},   {"zkne", 14},      {"zknh", 14},   {"zkr", 14},    {"zks", 14},    {"zksed", 14}, {"zksh", 14},
    {"zve32x", 14}, {"zve32f", 14},    {"zve64x", 14}, {"zve64f", 14}, {"zve64d", 14}, {"h", 19},     {"svinval", 19},
    {"zawrs", 19},  {"zicbom", 19},    {"zicbop", 19}, {"zicboz", 19}, {"zicond", 19}, {"zfa", 19},   {"zcb", 19},
    {"zacas", 19},  {"zihintntl", 19}, {"zvbb", 19},   {"zvbc", 19},   {"zvkb", 19},   {"zvkg", 19},  {"zvkned", 19},
    {"zvknha", 19}, {"zvknhb", 19},    {"zvksed", 19}, {"zvksh", 19},  {"zvfh", 19},
};

std::string feature_list(std::span<const std::string_view> extensions, int version) {
    std::string list;
    for (const std::string_view extension : extensions) {
        const auto* const feature = std::find_if(std::begin(features), std::end(features),
                                                 [&](const Feature& known) { return known.name == extension; });
        if (feature == std::end(features) || feature->since > version) continue;
        list += list.empty() ? "+" : ",+";
        list += extension;
    }
    return list;
}

}  // namespace

struct Decoding::Backend {
    void* context = nullptr;
    std::array<char, 256> text{};

    ~Backend() {
        if (context != nullptr) llvm().dispose(context);
    }
};

Decoding::Decoding(riscv::Xlen base, std::span<const std::string_view> extensions)
    : backend_(std::make_unique<Backend>()) {
    if (!available()) return;
    backend_->context = llvm().create(base == riscv::Xlen::rv32 ? "riscv32" : "riscv64", "",
                                      feature_list(extensions, llvm().version).c_str(), nullptr, 0, nullptr, nullptr);
}

Decoding::~Decoding() = default;

bool Decoding::available() noexcept {
    return llvm().version != 0;
}

std::string Decoding::reason_of_absence() {
#ifdef HWTRACE_STATIC
    return "this program is linked statically and loads no LLVM; the packages of hwtrace disassemble";
#endif
    if (const std::string path = chosen_path(); !path.empty())
        return "HWTRACE_LLVM names '" + path + "', which is not a library of LLVM with RISC-V";
    return "LLVM's library is not installed (Debian: apt install libllvm14)";
}

std::string Decoding::version() {
    return available() ? std::to_string(llvm().version) : std::string();
}

std::string_view Decoding::decode(std::uint32_t encoding, unsigned size) {
    if (backend_->context == nullptr) return {};
    std::array<std::byte, 4> bytes{};
    store_le(bytes.data(), encoding);
    const std::size_t used = llvm().decode(backend_->context, reinterpret_cast<std::uint8_t*>(bytes.data()), size, 0,
                                           backend_->text.data(), backend_->text.size());
    if (used != size) return {};
    std::string_view text(backend_->text.data());
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

}  // namespace hwtrace
