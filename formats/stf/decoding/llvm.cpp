// formats/stf/decoding/llvm.cpp - decoding by LLVM, through its interface for C.
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#include <algorithm>
#include <array>
#include <string>

#include "../decoding.hpp"
#include "io/little_endian.hpp"

namespace hwtrace::stf {
namespace {

/// An extension and a version of LLVM that is known to decode it.
struct Feature {
    std::string_view name;
    int since;
};

// LLVM complains on standard error about features it does not know. What needs none (Zicsr, Zifencei) is not listed.
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

std::string feature_list(std::span<const std::string_view> extensions) {
    std::string list;
    for (const std::string_view extension : extensions) {
        const auto* const feature = std::find_if(std::begin(features), std::end(features),
                                                 [&](const Feature& known) { return known.name == extension; });
        if (feature == std::end(features) || feature->since > LLVM_VERSION_MAJOR) continue;
        list += list.empty() ? "+" : ",+";
        list += extension;
    }
    return list;
}

}  // namespace

struct Decoding::Backend {
    LLVMDisasmContextRef context = nullptr;
    std::array<char, 256> text{};

    ~Backend() {
        if (context != nullptr) LLVMDisasmDispose(context);
    }
};

Decoding::Decoding(riscv::Xlen base, std::span<const std::string_view> extensions)
    : backend_(std::make_unique<Backend>()) {
    LLVMInitializeRISCVTargetInfo();
    LLVMInitializeRISCVTargetMC();
    LLVMInitializeRISCVDisassembler();
    backend_->context = LLVMCreateDisasmCPUFeatures(base == riscv::Xlen::rv32 ? "riscv32" : "riscv64", "",
                                                    feature_list(extensions).c_str(), nullptr, 0, nullptr, nullptr);
}

Decoding::~Decoding() = default;

bool Decoding::available() noexcept {
    return true;
}

std::string_view Decoding::decode(std::uint32_t encoding, unsigned size) {
    if (backend_->context == nullptr) return {};
    std::array<std::byte, 4> bytes{};
    store_le(bytes.data(), encoding);
    const std::size_t used = LLVMDisasmInstruction(backend_->context, reinterpret_cast<std::uint8_t*>(bytes.data()),
                                                   size, 0, backend_->text.data(), backend_->text.size());
    if (used != size) return {};
    std::string_view text(backend_->text.data());
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

}  // namespace hwtrace::stf
