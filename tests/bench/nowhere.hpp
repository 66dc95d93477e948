// tests/bench/nowhere.hpp - an output that discards everything, to measure the writer alone.
#pragma once

#include "io/output.hpp"

namespace hwtrace::bench {

class Nowhere final : public Output {
public:
    const std::string& name() const noexcept override { return name_; }
    void append(std::span<const std::byte> bytes) override { size_ += bytes.size(); }
    std::uint64_t size() const noexcept override { return size_; }
    void patch(std::uint64_t, std::span<const std::byte>) override {}
    void shift(std::uint64_t from, std::uint64_t to) override { size_ += to - from; }
    void sync() override {}
    void commit() override {}
    std::optional<Input> reopen() override { return std::nullopt; }

private:
    std::string name_ = "nowhere";
    std::uint64_t size_ = 0;
};

}  // namespace hwtrace::bench
