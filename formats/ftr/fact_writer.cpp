#include "fact_writer.hpp"

#include <array>
#include <string>
#include <utility>

#include "domain/utf8.hpp"
#include "io/cursor.hpp"
#include "io/hex_digits.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

FactWriter::FactWriter(ChunkWriter& chunks, DictionaryWriter& dictionary, DirectoryWriter& directory, Heads heads,
                       std::function<std::uint64_t()> next_number)
    : chunks_(chunks),
      dictionary_(dictionary),
      directory_(directory),
      heads_(heads),
      next_number_(std::move(next_number)) {}

void FactWriter::put(std::string_view key, std::string_view value) {
    if (!stream_) {
        stream_ = directory_.add(marks_stream, marks_stream, marks_generator, chunks_);
        *content_.grow(1) = begin_of_array;
    }
    heads_.append(content_, Major::array, 3);
    heads_.append(content_, Major::tag, static_cast<std::uint64_t>(Element::event));
    heads_.append(content_, Major::array, 4);
    heads_.append(content_, next_number_());
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
    if (!stream_) return;
    *content_.grow(1) = end_of_array;
    dictionary_.flush(chunks_, heads_);
    const std::array<std::uint64_t, 3> parameters{stream_->stream, 0, 0};
    chunks_.put(Chunk::block, parameters, content_.span());
}

}  // namespace hwtrace::ftr
