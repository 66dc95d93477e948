#include "parquet_chunk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "domain/real_values.hpp"
#include "domain/utf8.hpp"
#include "io/cursor.hpp"
#include "parquet_encodings.hpp"

namespace hwtrace::tables {
namespace {

constexpr std::size_t most_distinct = std::size_t{1} << 15;
constexpr std::size_t most_dictionary_text = std::size_t{8} << 20;

/// Returns true if the differences of 32-bit numbers have at most 32 bits.
bool is_small(std::span<const std::uint64_t> cells) noexcept {
    constexpr std::int64_t limit = std::int64_t{1} << 30;
    return std::ranges::all_of(cells, [](std::uint64_t cell) {
        const auto value = static_cast<std::int64_t>(cell);
        return value >= -limit && value < limit;
    });
}

}  // namespace

ChunkEncoder::ChunkEncoder(const TraceTables& tables, Codec codec, int level)
    : tables_(tables), codec_(codec), zstd_(level) {}

ChunkFacts ChunkEncoder::encode(const StoredColumn& column, const ColumnBuffer& values, Appender& out) {
    column_ = column.from;
    labels_ = column.labels;
    from_ = &values;
    is_optional_ = column.is_optional;
    type_ = parquet_type(stored_type(*column_));
    facts_ = {};
    start_ = out.size();
    choose();
    if (encoding_ == Encoding::rle_dictionary) write_dictionary(out);
    find_bounds();
    facts_.data_at = out.size() - start_;
    Page page;
    while (next(page))
        write_page(page, out);
    facts_.stored_size = out.size() - start_;
    return std::move(facts_);
}

// --- the choice of an encoding ---------------------------------------------------------------------------------------

bool ChunkEncoder::choose_dictionary() {
    const std::vector<std::uint64_t>& cells = from_->cells();
    if (type_.physical == Physical::boolean || column_->has_own_text() || cells.empty()) return false;
    if (!dictionary_.number(cells, std::min(most_distinct, cells.size() * 3 / 4 + 1))) return false;
    if (!type_.is_bytes()) return true;
    std::size_t size = 0;
    for (const std::uint64_t cell : dictionary_.distinct())
        size += text_of(cell).size();
    return size <= most_dictionary_text;
}

void ChunkEncoder::choose() {
    const std::vector<std::uint64_t>& cells = from_->cells();
    const bool has_dictionary = choose_dictionary();
    encoding_ = has_dictionary ? Encoding::rle_dictionary : Encoding::plain;
    if (type_.width() == 0 || cells.empty()) {
        facts_.encodings = {Encoding::rle, encoding_};
        return;
    }
    // Compare sizes before compression. They are good enough, and to try all encodings would take too long.
    std::size_t size = cells.size() * type_.width();
    if (has_dictionary) {
        const std::size_t distinct = dictionary_.distinct().size();
        const std::size_t with = distinct * type_.width() + cells.size() * bit_width(distinct - 1) / 8;
        if (with < size)
            size = with;
        else
            encoding_ = Encoding::plain;
    }
    const bool is_integer = type_.order() != ParquetType::Order::real;
    if (is_integer && (type_.width() == 8 || is_small(cells))) {
        if (delta_size(cells) < size) encoding_ = Encoding::delta_binary_packed;
    } else if (!is_integer && encoding_ == Encoding::plain) {
        encoding_ = Encoding::byte_stream_split;
    }
    facts_.encodings = {Encoding::rle, encoding_};
}

// --- pages -----------------------------------------------------------------------------------------------------------

void ChunkEncoder::write_dictionary(Appender& out) {
    facts_.dictionary_at = out.size() - start_;
    facts_.encodings.push_back(Encoding::plain);
    const std::span<const std::uint64_t> distinct = dictionary_.distinct();
    raw_.clear();
    if (type_.is_bytes()) {
        for (const std::uint64_t cell : distinct) {
            const std::string_view text = text_of(cell);
            raw_.le(static_cast<std::uint32_t>(text.size()));
            raw_.text(text);
        }
    } else {
        append_plain(distinct, type_.width(), raw_);
    }
    store(PageType::dictionary, distinct.size(), Encoding::plain, out);
}

bool ChunkEncoder::next(Page& page) {
    page.length += column_->is_repeated ? page.rows - page.nulls : 0;
    page.value += page.values;
    page.rows = page.values = page.nulls = 0;
    page_runs_.clear();
    const auto& runs = from_->runs();
    const bool counts_text = type_.is_bytes() && encoding_ == Encoding::plain;
    const bool takes_whole_runs = !column_->is_repeated && !counts_text;
    std::size_t text = 0;
    const auto is_full = [&] { return page.values >= most_page_values || text >= most_page_text; };
    while (page.run < runs.size() && !is_full()) {
        const ColumnBuffer::Run& run = runs[page.run];
        const std::uint32_t rows = run.rows - page.rows_before;
        std::uint32_t taken = 0;
        if (!run.is_present) {
            taken = rows;
            page.nulls += rows;
        } else if (takes_whole_runs) {
            taken = rows;
            page.values += rows;
        } else {
            for (; taken < rows && !is_full(); ++taken) {
                const std::size_t row = page.rows - page.nulls + taken;
                const std::size_t values = column_->is_repeated ? from_->lengths()[page.length + row] : 1;
                for (std::size_t i = 0; counts_text && i < values; ++i)
                    text += text_at(page.value + page.values + i).size();
                page.values += values;
            }
        }
        page.rows += taken;
        page_runs_.push_back({taken, run.is_present});
        page.rows_before = taken == rows ? 0 : page.rows_before + taken;
        page.run += taken == rows ? 1 : 0;
    }
    return page.rows != 0;
}

void ChunkEncoder::write_page(const Page& page, Appender& out) {
    raw_.clear();
    if (column_->is_repeated)
        append_list_levels(page);
    else if (is_optional_)
        append_levels();
    append_values(page);
    const std::size_t values = page.values + page.nulls;
    facts_.values += values;
    facts_.nulls += page.nulls;
    store(PageType::data, values, encoding_, out);
}

void ChunkEncoder::append_levels() {
    constexpr std::size_t long_run = 8;
    const std::size_t start = raw_.size();
    raw_.le(std::uint32_t{0});
    std::size_t rows = 0;
    for (const ColumnBuffer::Run& run : page_runs_)
        rows += run.rows;
    if (rows >= page_runs_.size() * long_run) {
        for (const ColumnBuffer::Run& run : page_runs_)
            append_run(run.is_present ? 1 : 0, run.rows, 1, raw_);
    } else {
        levels_.clear();
        for (const ColumnBuffer::Run& run : page_runs_)
            levels_.insert(levels_.end(), run.rows, run.is_present ? 1 : 0);
        append_hybrid(levels_, 1, raw_);
    }
    raw_.patch(start, static_cast<std::uint32_t>(raw_.size() - start - sizeof(std::uint32_t)));
}

void ChunkEncoder::append_list_levels(const Page& page) {
    for (const bool repetition : {true, false}) {
        levels_.clear();
        std::size_t length = page.length;
        for (const ColumnBuffer::Run& run : page_runs_)
            for (std::uint32_t row = 0; row < run.rows; ++row) {
                // A row begins with repetition level 0. Its elements have definition level 1.
                levels_.push_back(repetition || !run.is_present ? 0 : 1);
                if (run.is_present) levels_.insert(levels_.end(), from_->lengths()[length++] - 1, 1);
            }
        const std::size_t start = raw_.size();
        raw_.le(std::uint32_t{0});
        append_hybrid(levels_, 1, raw_);
        raw_.patch(start, static_cast<std::uint32_t>(raw_.size() - start - sizeof(std::uint32_t)));
    }
}

void ChunkEncoder::append_values(const Page& page) {
    const auto cells = std::span(from_->cells()).subspan(page.value, page.values);
    switch (encoding_) {
        case Encoding::rle_dictionary: {
            // Some readers do not accept numbers of 0 bits.
            const unsigned width = std::max(1U, bit_width(dictionary_.distinct().size() - 1));
            raw_.le(static_cast<std::uint8_t>(width));
            append_hybrid(dictionary_.numbers().subspan(page.value, page.values), width, raw_);
            break;
        }
        case Encoding::delta_binary_packed:
            append_deltas(cells, raw_);
            break;
        case Encoding::byte_stream_split:
            append_split(cells, type_.width(), raw_);
            break;
        default:
            if (type_.is_bytes())
                append_texts(page.value, page.values);
            else if (type_.physical == Physical::boolean)
                append_bits(cells, raw_);
            else
                append_plain(cells, type_.width(), raw_);
    }
}

void ChunkEncoder::append_texts(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
        const std::string_view text = text_at(i);
        raw_.le(static_cast<std::uint32_t>(text.size()));
        raw_.text(text);
    }
}

void ChunkEncoder::store(PageType type, std::size_t values, Encoding encoding, Appender& out) {
    std::span<const std::byte> stored = raw_.span();
    if (codec_ == Codec::zstd) {
        packed_.clear();
        zstd_.compress(raw_.span(), packed_);
        stored = packed_.span();
    }
    const std::size_t start = out.size();
    ThriftWriter header(out);
    header.i32(1, static_cast<std::int32_t>(type));
    header.i32(2, static_cast<std::int32_t>(raw_.size()));
    header.i32(3, static_cast<std::int32_t>(stored.size()));
    header.begin(type == PageType::data ? 5 : 7);
    header.i32(1, static_cast<std::int32_t>(values));
    header.i32(2, static_cast<std::int32_t>(encoding));
    if (type == PageType::data) {
        header.i32(3, static_cast<std::int32_t>(Encoding::rle));
        header.i32(4, static_cast<std::int32_t>(Encoding::rle));
    }
    header.end();
    header.end();
    facts_.raw_size += out.size() - start + raw_.size();
    out.bytes(stored);
}

// --- bounds and texts ------------------------------------------------------------------------------------------------

namespace {

std::string stored_number(std::uint64_t cell, unsigned width) {
    std::string bytes;
    for (unsigned shift = 0; shift < width * 8; shift += 8)
        bytes.push_back(static_cast<char>(cell >> shift));
    return bytes;
}

}  // namespace

void ChunkEncoder::find_bounds() {
    if (from_->cells().empty()) return;
    if (type_.is_bytes())
        find_text_bounds();
    else if (encoding_ == Encoding::rle_dictionary)
        find_number_bounds(dictionary_.distinct());
    else
        find_number_bounds(from_->cells());
}

void ChunkEncoder::find_text_bounds() {
    const bool has_dictionary = encoding_ == Encoding::rle_dictionary;
    const std::size_t count = has_dictionary ? dictionary_.distinct().size() : from_->cells().size();
    std::string least, greatest;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view text = has_dictionary ? text_of(dictionary_.distinct()[i]) : text_at(i);
        if (i == 0 || text < least) least = text;
        if (i == 0 || text > greatest) greatest = text;
        if (least.size() > longest_bound || greatest.size() > longest_bound) return;
    }
    facts_.least = std::move(least);
    facts_.greatest = std::move(greatest);
}

void ChunkEncoder::find_number_bounds(std::span<const std::uint64_t> cells) {
    std::uint64_t least = cells[0], greatest = cells[0];
    if (type_.order() == ParquetType::Order::real) {
        double from = std::numeric_limits<double>::infinity(), to = -from;
        for (const std::uint64_t cell : cells) {
            const double value = real_of(type_.physical == Physical::float32 ? Type::f32 : Type::f64, cell);
            // Readers disagree about where NaN belongs, so that bounds beside a NaN would hide rows.
            if (std::isnan(value)) return;
            from = std::min(from, value);
            to = std::max(to, value);
        }
        // Zeros of both signs are equal: the bounds must cover both.
        if (from == 0) from = -0.0;
        if (to == 0) to = 0.0;
        const auto bits = [&](double value) {
            return type_.physical == Physical::float32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                                       : std::bit_cast<std::uint64_t>(value);
        };
        least = bits(from);
        greatest = bits(to);
    } else if (type_.order() == ParquetType::Order::signed_number) {
        const auto less = [](std::uint64_t a, std::uint64_t b) {
            return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
        };
        least = *std::ranges::min_element(cells, less);
        greatest = *std::ranges::max_element(cells, less);
    } else {
        least = *std::ranges::min_element(cells);
        greatest = *std::ranges::max_element(cells);
    }
    const unsigned width = type_.physical == Physical::boolean ? 1 : type_.width();
    facts_.least = stored_number(least, width);
    facts_.greatest = stored_number(greatest, width);
}

std::string_view ChunkEncoder::text_at(std::size_t index) {
    if (!column_->has_own_text()) return text_of(from_->cells()[index]);
    const std::string_view text = from_->own_text(index);
    if (type_.logical != Logical::string || is_utf8(text)) return text;
    text_ = as_utf8(text);
    return text_;
}

std::string_view ChunkEncoder::text_of(std::uint64_t cell) {
    if (!labels_.empty()) return labels_[cell];
    if (column_->type == Type::enumeration) {
        if (const std::string* const label = tables_.label(*column_, cell); label != nullptr && is_utf8(*label))
            return *label;
        else
            text_ = label != nullptr ? as_utf8(*label) : std::to_string(cell);
        return text_;
    }
    if (cell >= tables_.schema().string_count()) return {};
    const std::string_view text = tables_.schema().text(static_cast<StringId>(cell));
    if (type_.logical != Logical::string || is_utf8(text)) return text;
    text_ = as_utf8(text);
    return text_;
}

}  // namespace hwtrace::tables
