// formats/stf/decoding/none.cpp - decoding in builds without LLVM.
#include "../decoding.hpp"

namespace hwtrace::stf {

struct Decoding::Backend {};

Decoding::Decoding(riscv::Xlen, std::span<const std::string_view>) {}
Decoding::~Decoding() = default;

bool Decoding::available() noexcept {
    return false;
}

std::string_view Decoding::decode(std::uint32_t, unsigned) {
    return {};
}

}  // namespace hwtrace::stf
