// tests/recording/call_log.hpp - a back end that writes one line for each call.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "hwtrace/recording.hpp"

namespace hwtrace::test {

class CallLog final : public recording::BackEnd {
public:
    void database(std::string_view name, bool opened) override {
        lines.push_back(std::string(opened ? "open " : "close ").append(name));
    }
    void stream(const recording::StreamFacts& stream) override {
        lines.push_back("stream " + std::to_string(stream.id) + " " + std::string(stream.name) + " (" +
                        std::string(stream.kind) + ")");
    }
    void generator(const recording::GeneratorFacts& generator) override {
        lines.push_back("generator " + std::to_string(generator.id) + " of " + std::to_string(generator.stream) + " " +
                        std::string(generator.name));
    }
    void transaction(const recording::TransactionFacts& facts) override {
        std::string line = (facts.end ? "end " : "begin ") + std::to_string(facts.id) + " " +
                           std::to_string(facts.generator) + " @" + std::to_string(facts.begin);
        if (facts.end) line += ".." + std::to_string(*facts.end);
        lines.push_back(line);
    }
    void attribute(const recording::TransactionFacts& facts, recording::Phase phase, std::string_view name,
                   const recording::Value& value) override {
        static constexpr const char* phases[] = {"", "begin", "record", "end"};
        std::string text(value.text());
        using Type = recording::Value::Type;
        if (value.type() == Type::floating_point || value.type() == Type::fixed_point ||
            value.type() == Type::unsigned_fixed_point)
            text = std::to_string(std::bit_cast<double>(value.bits()));
        else if (value.type() == Type::integer)
            text = std::to_string(static_cast<std::int64_t>(value.bits()));
        else if (!value.holds_text())
            text = std::to_string(value.bits());
        lines.push_back(std::to_string(facts.id) + " " + phases[static_cast<int>(phase)] + " " + std::string(name) +
                        " " + std::string(name_of(value.type())) + " " + text);
    }
    void relation(std::string_view name, std::uint64_t source, std::uint64_t sink) override {
        lines.push_back("relation " + std::string(name) + " " + std::to_string(source) + " -> " + std::to_string(sink));
    }

    std::vector<std::string> lines;
};

}  // namespace hwtrace::test
