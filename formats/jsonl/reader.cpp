// formats/jsonl/reader.cpp - reads lines into the model.
#include <algorithm>
#include <array>
#include <exception>

#include "codec.hpp"
#include "codec/model_json.hpp"
#include "declarations.hpp"
#include "io/error.hpp"
#include "lines.hpp"
#include "records.hpp"
#include "tracks.hpp"
#include "values.hpp"

namespace hwtrace::jsonl {
namespace {

class JsonlReader final : public Reader {
public:
    JsonlReader(Input& input, const Settings& settings, Findings& findings);

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }

private:
    void read_head();
    void fill(Batch& batch);
    std::string_view type_of_line();

    Input& input_;
    Settings settings_;
    Lines lines_;
    Schema schema_;
    Tracks tracks_;
    Values values_;
    Declarations declarations_;
    Records records_;
    std::string version_, scratch_;
    bool is_pending_ = false;  ///< the current line has not been processed yet
    bool has_head_ = false;
    bool ended_ = false;
    std::exception_ptr failure_;  ///< thrown after all earlier records have been returned
};

JsonlReader::JsonlReader(Input& input, const Settings& settings, Findings& findings)
    : input_(input),
      settings_(settings),
      lines_(input, settings_.limits, findings),
      tracks_(schema_, settings_.limits),
      values_(schema_, settings_.limits),
      declarations_(schema_, lines_, tracks_, values_),
      records_(schema_, lines_, tracks_, values_, declarations_) {
    read_head();
    // Declarations before the first record are in the schema as soon as the trace is open.
    while (!is_pending_ && !ended_) {
        if (!lines_.next()) {
            ended_ = true;
            break;
        }
        const std::string_view type = type_of_line();
        is_pending_ = !Declarations::is_declaration(type);
        if (!is_pending_) declarations_.declare(type);
    }
}

void JsonlReader::read_head() {
    if (!lines_.first()) {
        if (const std::string_view end = lines_.end_in_first(); !end.empty())
            fail(Failure::input, std::string(input_.name()).append(": ").append(end));
        lines_.report(Check::no_head, std::string("{\"schema\":\"").append(json_lines_schema).append("\"}"));
        fail(Failure::input, input_.name() + ": not a JSON Lines file");
    }
    const JsonValue* const schema = find_member(lines_.members(), "schema");
    const bool is_head = schema != nullptr && schema->is_string() && find_member(lines_.members(), "type") == nullptr;
    if (is_head) version_ = text_of(*schema, scratch_);
    has_head_ = is_head && version_.starts_with(json_lines_family);
    if (has_head_ && version_ != json_lines_schema) {
        lines_.report(Check::version_unknown, std::string(json_lines_schema), shown(version_));
        fail(Failure::input,
             input_.name() + ": unknown version of JSON Lines; this hwtrace reads " + std::string(json_lines_schema));
    }
    if (has_head_) return declarations_.read_head();
    lines_.report(Check::head_missing);
    const std::string_view type = type_of_line();
    if (Declarations::is_declaration(type))
        declarations_.declare(type);
    else
        is_pending_ = true;
}

std::string_view JsonlReader::type_of_line() {
    for (const JsonMember& member : lines_.members())
        if (member.key == "type") return member.value.is_string() ? text_of(member.value, scratch_) : "";
    return {};
}

void JsonlReader::fill(Batch& batch) {
    while (!batch.full()) {
        if (!is_pending_ && !lines_.next()) {
            ended_ = true;
            return;
        }
        is_pending_ = false;
        const std::string_view type = type_of_line();
        if (!Declarations::is_declaration(type)) {
            records_.put(batch);
            continue;
        }
        if (!batch.empty() &&
            !Declarations::is_text(type)) {  // a declaration ends the batch, so that it keeps its place
            is_pending_ = true;
            return;
        }
        declarations_.declare(type);
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
    Facts facts{{"version", has_head_ ? version_ : "none"}, {"container", std::string(name_of(lines_.packing()))}};
    if (ended_) {  // counts are complete only at the end
        facts.emplace_back("lines", lines_.number());
        facts.emplace_back("records", records_.count());
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
