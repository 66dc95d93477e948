// formats/uscope/texts.cpp - the functions of FileReader for runtime strings and metadata.

#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "reader.hpp"

namespace hwtrace::uscope {

namespace {

/// Entries may share bytes. The total size of the strings may be this many times the size of the table.
constexpr std::uint64_t most_string_sharing = 4;

}  // namespace

/// Returns true, after a finding, if `size` exceeds the limit. With LargeTexts::refused, throws Failure::limit instead.
bool FileReader::is_too_large(std::uint64_t size, std::uint64_t limit, std::string_view what, std::string_view option,
                              std::uint64_t offset) {
    if (large_texts_ == LargeTexts::refused) check_limit(size, limit, what, option);
    if (size <= limit) return false;
    report(findings_, Check::string_table, offset,
           std::string(what).append(" of at most ").append(counted(limit, "byte")), std::to_string(size));
    return true;
}

/// Reads the string table. An exception leaves the reader unchanged.
void FileReader::read_strings(const FileHeader& header, const SectionTable& sections) try {
    const SectionPlace* place = sections.find(Section::strings);
    if (place == nullptr) {
        if ((header.flags & flag_strings) != 0 && sections.size != 0)
            report(findings_, Check::string_table, {8, 8}, "a string table, as flag HAS_STRINGS states", "none");
        return;
    }
    if (is_too_large(place->size, settings_.limits.block, "the string table", "--max-block", place->offset)) return;
    const std::vector<std::byte> bytes = input_.read_all_at(place->offset, static_cast<std::size_t>(place->size));
    Cursor at(bytes, place->offset);
    const std::vector<std::string_view> texts = texts_in(at, {place->offset, place->size}, false);
    first_string_ = schema_.string_count();  // 0 unless the file was closed during reading
    strings_ = texts.size();
    for (const std::string_view text : texts)
        schema_.append(text);
} catch (const Truncated& end) {
    report(findings_, Check::string_table, end.offset(), counted(end.needed(), "byte"), std::to_string(end.left()));
}

/// Reads the strings of a string table, or of the part of one that a text block holds. `at` is its first byte, and
/// `place` its bytes in the file. `cut`: the file ends inside it; the strings before the end are returned.
std::vector<std::string_view> FileReader::texts_in(Cursor& at, ByteRange place, bool cut) {
    std::vector<std::string_view> texts;
    const auto count = at.le<std::uint32_t>();
    at.skip(4);
    const std::uint64_t index_size = std::uint64_t{count} * string_entry_size;
    if (index_size > at.left()) {
        if (!cut)
            report(findings_, Check::string_table, {place.offset, string_table_header_size},
                   "at most " + counted(at.left() / string_entry_size, "string"), std::to_string(count));
        return texts;
    }
    const std::string_view data = as_text(at.rest().subspan(static_cast<std::size_t>(index_size)));
    texts.resize(count);
    std::uint64_t shared = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t entry_at = at.offset();
        const auto offset = at.le<std::uint32_t>();
        const auto length = at.le<std::uint32_t>();
        shared += length;
        const bool inside = offset <= data.size() && length <= data.size() - offset;
        if (!inside && cut) {
            texts.resize(i);
            break;
        }
        if (!inside || shared > place.length * most_string_sharing) {
            report(findings_, Check::string_table, {entry_at, string_entry_size},
                   "a string inside " + counted(data.size(), "byte"),
                   counted(length, "byte") + " at " + std::to_string(offset), {"string " + std::to_string(i), {}, {}});
            continue;
        }
        if (is_too_large(length, settings_.limits.string, "a string", "--max-string", entry_at)) continue;
        const bool has_end = offset + std::size_t{length} < data.size() && data[offset + length] == '\0';
        if (!has_end && !cut)
            report(findings_, Check::string_table, {entry_at, string_entry_size}, "a NUL after the string", "none",
                   {"string " + std::to_string(i), {}, {}});
        texts[i] = data.substr(offset, length);
    }
    return texts;
}

/// Reads the strings that were committed with segments whose text blocks have not been read yet
/// (README.md#text-blocks).
void FileReader::read_text_blocks() {
    for (; blocks_read_ < list_.offsets.size(); ++blocks_read_) {
        const std::uint64_t offset = list_.offsets[blocks_read_];
        const std::optional<SegmentHeader> segment = read_segment_header(input_, offset);
        const std::uint64_t begin = segment ? offset + segment->total_size() : 0;
        const std::uint64_t size = segment ? text_block_size(input_, begin) : 0;
        if (size < text_block_header_size + string_table_header_size) continue;
        block_bytes_ += size;
        if (is_too_large(block_bytes_, settings_.limits.block, "the string table", "--max-block", begin)) continue;
        std::vector<std::byte> bytes(static_cast<std::size_t>(size));
        if (input_.read_at(begin, bytes) < size) continue;  // the file has become shorter
        const ByteRange place{begin + text_block_header_size, size - text_block_header_size};
        const bool cut = place.length < load_le<std::uint32_t>(bytes.data() + 4);
        Cursor at(std::span<const std::byte>(bytes).subspan(text_block_header_size), place.offset);
        const auto first = load_le<std::uint32_t>(at.rest().data() + 4);
        append_texts(first, texts_in(at, place, cut), place);
    }
}

/// Adds strings with the indexes from `first` on. Placeholders stand for strings of text blocks that cannot be read.
void FileReader::append_texts(std::uint32_t first, const std::vector<std::string_view>& texts, ByteRange place) {
    const std::uint64_t most = place.offset / (string_entry_size + 1);  // as many fit into the bytes before
    if (first < strings_ || first > most) {
        report(findings_, Check::string_table, {place.offset + 4, 4}, "string " + std::to_string(strings_),
               "string " + std::to_string(first));
        return;
    }
    if (first > strings_)
        report(findings_, Check::missing_string, {place.offset + 4, 4}, "string " + std::to_string(strings_),
               "string " + std::to_string(first));
    const std::size_t known = first_string_;
    if (schema_.string_count() != first_string_ + strings_) {  // other strings follow: the file's strings move
        first_string_ = schema_.string_count();
        for (std::size_t i = 0; i < strings_; ++i)
            schema_.append(schema_.text(static_cast<StringId>(known + i)));
    }
    for (; strings_ < first; ++strings_)
        schema_.append("(missing string " + std::to_string(strings_) + ")");
    for (const std::string_view text : texts)
        schema_.append(text);
    strings_ += texts.size();
}

void FileReader::declare_metadata() {
    has_long_texts_ = !live_ || strings_ != 0;  // otherwise they follow with the first text block
    for (const Property& property : preamble_.properties) {
        if (has_long_texts_ && property.key.starts_with(conventions::long_text_prefix))
            declare_long_text(property);
        else
            schema_.describe(property.key, property.value);
    }
    schema_.describe(std::string(interval_key), std::to_string(preamble_.checkpoint_interval));
    for (const SummaryField& field : preamble_.summary_fields)
        schema_.describe(std::string(summary_field_key),
                         std::to_string(field.scope) + ' ' + std::to_string(unsigned{field.type}) + ' ' + field.name);
}

/// Adds the values of long properties, once they are known.
void FileReader::declare_long_texts() {
    if (has_long_texts_) return;
    has_long_texts_ = true;
    for (const Property& property : preamble_.properties)
        if (property.key.starts_with(conventions::long_text_prefix)) declare_long_text(property);
}

void FileReader::declare_long_text(const Property& property) {
    const std::optional<std::uint64_t> index = parse_digits(property.value);
    if (index && *index < strings_) {
        schema_.describe(property.key.substr(conventions::long_text_prefix.size()),
                         std::string(schema_.text(static_cast<StringId>(first_string_ + *index))));
        return;
    }
    report(findings_, Check::long_text, file_header_size, "an index below " + std::to_string(strings_), property.value,
           {"property " + property.key, {}, {}});
    schema_.describe(property.key, property.value);
}

}  // namespace hwtrace::uscope
