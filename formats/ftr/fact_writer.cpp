#include "fact_writer.hpp"

#include <array>
#include <string>
#include <utility>

#include "domain/utf8.hpp"
#include "io/cursor.hpp"
#include "io/hex_digits.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

namespace {

/// Id of the first entry of put_early(), of its stream and of its generator. Beyond all ids that are counted, and
/// below 2^63, where viewers stop.
constexpr std::uint64_t early_number = std::uint64_t{1} << 62;

}  // namespace

FactWriter::FactWriter(ChunkWriter& chunks, DictionaryWriter& dictionary, DirectoryWriter& directory, Heads heads,
                       std::function<std::uint64_t()> next_number)
    : chunks_(chunks),
      dictionary_(dictionary),
      directory_(directory),
      heads_(heads),
      next_number_(std::move(next_number)) {}

void FactWriter::put(std::string_view key, std::string_view value) {
    if (!stream_) stream_ = directory_.add(marks_stream, marks_stream, marks_generator, std::nullopt, chunks_);
    append(next_number_(), key, value);
}

void FactWriter::put_early(std::string_view key, std::string_view value) {
    if (!stream_) stream_ = directory_.add(marks_stream, marks_stream, marks_generator, early_number, chunks_);
    append(early_number + early_++, key, value);
    finish();
}

void FactWriter::append(std::uint64_t number, std::string_view key, std::string_view value) {
    if (content_.empty()) *content_.grow(1) = begin_of_array;
    heads_.append(content_, Major::array, 3);
    heads_.append(content_, Major::tag, static_cast<std::uint64_t>(Element::event));
    heads_.append(content_, Major::array, 4);
    heads_.append(content_, number);
    heads_.append(content_, stream_->generator);
    heads_.append(content_, 0);
    heads_.append(content_, 0);
    append_text(marks_key, key);
    if (is_utf8(value)) {
        append_text(marks_value, value);
    } else {
        std::string digits;
        append_hex_digits(as_bytes(value), digits);
        append_text(marks_hex, digits);
    }
}

void FactWriter::append_text(std::string_view name, std::string_view text) {
    heads_.append(content_, Major::tag, static_cast<std::uint64_t>(Element::begin));
    heads_.append(content_, Major::array, 3);
    heads_.append(content_, dictionary_.number_of_name(name));
    heads_.append(content_, static_cast<std::uint64_t>(Value::string));
    heads_.append(content_, dictionary_.number_of_name(text));
}

void FactWriter::finish() {
    if (content_.empty()) return;
    *content_.grow(1) = end_of_array;
    dictionary_.flush(chunks_, heads_);
    const std::array<std::uint64_t, 3> parameters{stream_->stream, 0, 0};
    chunks_.put(Chunk::block, parameters, content_.span());
    content_.clear();
}

}  // namespace hwtrace::ftr
