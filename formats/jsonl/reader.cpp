// formats/jsonl/reader.cpp - reads lines into the model.
#include <algorithm>
#include <array>
#include <exception>

#include "codec.hpp"
#include "codec/model_json.hpp"
#include "decoder.hpp"
#include "io/error.hpp"

namespace hwtrace::jsonl {
namespace {

class JsonlReader final : public Reader {
public:
    JsonlReader(Input& input, const Settings& settings, Findings& findings);

    Schema& schema() override { return decoder_.schema(); }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }

private:
    void fill(Batch& batch);

    Input& input_;
    Settings settings_;
    Decoder decoder_;
    bool is_pending_ = false;  ///< the current line has not been decoded yet
    bool ended_ = false;
    std::exception_ptr failure_;  ///< thrown after all earlier records have been returned
};

JsonlReader::JsonlReader(Input& input, const Settings& settings, Findings& findings)
    : input_(input), settings_(settings), decoder_(input, settings_.limits, findings) {
    is_pending_ = decoder_.version().empty();
    // Declarations before the first record are in the schema as soon as the trace is open.
    Batch unused;
    while (true) {
        if (!is_pending_ && !decoder_.next()) {
            ended_ = true;
            return;
        }
        const std::string_view type = decoder_.type();
        is_pending_ = !Declarations::is_declaration(type);
        if (is_pending_) return;
        decoder_.decode(type, unused);
    }
}

void JsonlReader::fill(Batch& batch) {
    while (!batch.full()) {
        if (!is_pending_ && !decoder_.next()) {
            ended_ = true;
            return;
        }
        const std::string_view type = decoder_.type();
        // A declaration ends the batch, so that it keeps its place.
        is_pending_ = !batch.empty() && Declarations::is_declaration(type) && !Declarations::is_text(type);
        if (is_pending_) return;
        decoder_.decode(type, batch);
    }
}

bool JsonlReader::read(Batch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    if (ended_) return false;
    try {
        fill(batch);
    } catch (const Error&) {
        batch.drop_open_parts();
        if (batch.empty()) throw;
        failure_ = std::current_exception();
    }
    return !batch.empty();
}

Facts JsonlReader::facts() const {
    Facts facts{{"version", decoder_.version().empty() ? "none" : decoder_.version()},
                {"container", std::string(name_of(decoder_.lines().packing()))}};
    if (ended_) {  // counts are complete only at the end
        facts.emplace_back("lines", decoder_.lines().number());
        facts.emplace_back("records", decoder_.record_count());
        if (decoder_.restated_count() != 0) facts.emplace_back("restated", decoder_.restated_count());
    }
    return facts;
}

}  // namespace

bool recognise(std::span<const std::byte> head) {
    std::array<std::byte, 256> first{};
    const std::size_t have = unpack_head(head, first);
    std::string_view text(reinterpret_cast<const char*>(first.data()), have);
    const auto take = [&](std::string_view expected) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
        if (!text.starts_with(expected)) return false;
        text.remove_prefix(expected.size());
        return true;
    };
    if (!take("{") || !take("\"schema\"") || !take(":") || !take("\"")) return false;
    return text.starts_with(json_lines_family);
}

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<JsonlReader>(input, settings, findings);
}

}  // namespace hwtrace::jsonl
