// formats/ftr/survey.cpp - the first pass of a scan: reads everything except transactions and relations.
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "codec.hpp"
#include "creation_time.hpp"
#include "digits.hpp"
#include "domain/conventions.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "scan.hpp"
#include "timescale.hpp"

namespace hwtrace::ftr {

namespace {

/// Decodes pairs of hexadecimal digits. Returns an empty string for anything else.
std::string bytes_of_hex(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned byte = 0;
        const char* const behind = digits.data() + i + 2;
        if (std::from_chars(digits.data() + i, behind, byte, 16).ptr != behind) return {};
        bytes.push_back(static_cast<char>(byte));
    }
    return bytes;
}

}  // namespace

void Scan::survey() {
    ChunkWalk walk(input_, limits_, &findings_);
    if (!walk.begin())
        fail(Failure::input, walk.begin_is_cut() ? "the file ends inside its first bytes" : "this is not an FTR file");
    bool knows_relations = false;
    while (walk.next(chunk_)) {
        ++chunks_;
        if (chunk_.is(Chunk::relations) && !knows_relations) {
            knows_relations = true;
            has_old_relations_ = begins_with_old_relation(chunk_);
        }
        const bool compressed = chunk_.raw.has_value();
        if (!chunk_.is(Chunk::info)) ++(compressed ? compressed_ : plain_);
        if (chunk_.is(Chunk::block)) ++blocks_;
        const bool wanted = chunk_.is(Chunk::info) || chunk_.is(Chunk::dictionary) || chunk_.is(Chunk::directory);
        if (!wanted || !contents_.fetch(chunk_, content_)) continue;
        cursor_.emplace(content_.bytes, content_.base);
        if (chunk_.is(Chunk::info))
            read_info(chunk_);
        else if (chunk_.is(Chunk::dictionary))
            read_dictionary(chunk_);
        else
            read_directory(chunk_);
        close_chunk();
    }
    chunk_ = ChunkHead{};
    content_ = Content{};
    for (const Dictionary::Entry& entry : dictionary_.entries()) {
        Dictionary::Entry* const latest = dictionary_.find(entry.key);  // a later entry may have redefined the key
        if (latest != nullptr && dictionary_.text(*latest) == digits_name)
            digits_name_ = dictionary_.name_number(*latest);
    }
    if (!has_info_) report(Check::no_info, frame_head.size(), "an info chunk", "none");
    declare();
    std::vector<Metadata> marks = read_marks();
    take_digits_fact(marks);
    take_relation_facts(marks);
    has_metadata_ = !marks.empty();
    parse_schema_mark(marks);
    // Writers store 0 for an unknown time of creation. In a file with a schema mark, the time 0 therefore adds no
    // metadata.
    const std::string epoch = epoch_.value_or(std::string(conventions::ftr_no_epoch));
    const bool is_fact = std::any_of(marks.begin(), marks.end(),
                                     [](const Metadata& fact) { return fact.key == conventions::ftr_epoch; });
    if (!is_fact && (!schema_mark_ || epoch != conventions::ftr_no_epoch))
        schema_.describe(std::string(conventions::ftr_epoch), epoch);
    for (Metadata& fact : marks)
        schema_.describe(std::move(fact.key), std::move(fact.value));
}

void Scan::read_info(const ChunkHead& chunk) {
    CborCursor& cursor = *cursor_;
    if (has_info_) report(Check::second_info, chunk.offset, "one info chunk", "another one");
    has_info_ = true;
    CborItems items;
    CborInteger exponent;
    const std::uint64_t exponent_at = cursor.offset() + 1;
    if (!cursor.array(items) || !cursor.more(items) || !cursor.integer(exponent)) return;
    const bool in_range = exponent.magnitude <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const std::int64_t magnitude = in_range ? static_cast<std::int64_t>(exponent.magnitude) : 0;
    const std::int64_t stated = exponent.negative ? -1 - magnitude : magnitude;
    if (const auto base = in_range ? base_of(stated) : std::nullopt) {
        exponent_ = stated;
        time_ = *base;
        if (check_ && is_misread(stated))
            report(Check::exponent_misread, exponent_at, "an exponent from -15 to 0", std::to_string(stated));
    } else {
        report(Check::exponent, exponent_at, "an exponent from -19 to 19",
               in_range ? std::to_string(stated) : "one of more than 63 bits");
    }
    if (!cursor.more(items)) return;
    const std::uint64_t epoch_at = cursor.offset();
    CborHead head;
    bool tagged = false;
    if (!cursor.head(head)) return;
    if (head.major == CborMajor::tag) {
        tagged = head.argument == epoch_tag;
        if (!cursor.head(head)) return;
    }
    const bool whole = head.major == CborMajor::unsigned_integer || head.major == CborMajor::negative_integer;
    if (auto text = creation_time_text(head)) {
        epoch_ = std::move(text);
    } else {
        report(Check::epoch, epoch_at, "tag 1 and an integer", "something else");
        return;
    }
    if (!tagged || !whole) report(Check::epoch, epoch_at, "tag 1 and an integer", tagged ? "a float" : "no tag 1");
    while (cursor.more(items))
        if (!cursor.skip(limits_.depth)) return;
}

void Scan::read_dictionary(const ChunkHead& chunk) {
    CborCursor& cursor = *cursor_;
    CborItems items;
    const std::uint64_t begin = cursor.offset();
    if (!cursor.map(items)) return;
    if (items.indefinite) tally(Check::container_form, begin, "a map of definite length", "one of indefinite length");
    while (cursor.more(items)) {
        const std::uint64_t at = cursor.offset();
        std::uint64_t key = 0;
        if (!cursor.unsigned_integer(key)) return;
        const std::uint64_t text_at = cursor.offset();
        CborHead head;
        if (!cursor.peek(head)) return;
        if (head.major == CborMajor::bytes) tally(Check::text_form, text_at, "a text string", "a byte string");
        std::span<const std::byte> bytes;
        if (!cursor.string(head.major == CborMajor::bytes ? CborMajor::bytes : CborMajor::text, piece_, bytes)) return;
        const std::string_view text = as_text(bytes);
        if (!is_utf8(text)) tally(Check::not_utf8, text_at, "UTF-8", "other bytes");
        const std::size_t expected = dictionary_.entries().size();
        const bool is_new = dictionary_.define(key, text, chunk.offset) == nullptr;
        if (!is_new) {
            tally(Check::key_twice, at, "a new key", std::to_string(key));
            ++replaced_;
        } else if (key + replaced_ != expected) {
            tally(Check::keys_not_dense, at, std::to_string(expected - replaced_), std::to_string(key));
        } else if (key == 0 && !text.empty()) {
            tally(Check::keys_not_dense, at, "0 \"\"", "another string");
        }
    }
}

void Scan::read_directory(const ChunkHead& chunk) {
    CborCursor& cursor = *cursor_;
    CborItems items;
    const std::uint64_t begin = cursor.offset();
    if (!cursor.array(items)) return;
    if (!items.indefinite)
        tally(Check::container_form, begin, "an array of indefinite length", "one of definite length");
    while (cursor.more(items)) {
        Declaration entry;
        entry.chunk = chunk.offset;
        entry.offset = cursor.offset();
        entry.in_file = content_.in_file;
        std::uint64_t tag = 0;
        if (!cursor.tag(tag)) return;
        if (tag != static_cast<std::uint64_t>(Entry::stream) && tag != static_cast<std::uint64_t>(Entry::generator)) {
            cursor.fail_at(entry.offset, "a stream (tag 16) or a generator (tag 17)");
            return;
        }
        entry.generator = tag == static_cast<std::uint64_t>(Entry::generator);
        CborItems parts;
        const std::uint64_t parts_at = cursor.offset();
        if (!cursor.array(parts)) return;
        if (!parts.indefinite && parts.left < 3) {
            cursor.fail_at(parts_at, "an array of 3");
            return;
        }
        for (std::uint64_t* const part : {&entry.id, &entry.name, &entry.other}) {
            if (!cursor.more(parts)) {
                if (!cursor.failed()) cursor.fail_at(cursor.offset(), "an array of 3");
                return;
            }
            if (!cursor.unsigned_integer(*part)) return;
        }
        while (cursor.more(parts))
            if (!cursor.skip(limits_.depth)) return;
        if (cursor.failed()) return;
        declarations_.push_back(entry);
        check_schema_size(declarations_.size());
    }
}

/// Returns true if the chunk can be read and its first relation does not state streams. Faults are reported later, when
/// the relations are read.
bool Scan::begins_with_old_relation(const ChunkHead& relations) {
    Findings untold(0);
    ContentSource contents(input_, limits_, untold);
    Content content;
    if (!contents.fetch(relations, content)) return false;
    CborCursor cursor(content.bytes, content.base);
    CborItems all, parts;
    if (!cursor.array(all) || !cursor.more(all) || !cursor.array(parts)) return false;
    std::uint64_t count = 0;
    for (; cursor.more(parts); ++count)
        if (!cursor.skip(limits_.depth)) return false;
    return !cursor.failed() && count == old_relation_elements;
}

void Scan::check_schema_size(std::size_t objects) const {
    check_limit(objects, limits_.schema_objects, "the number of streams, generators, relations and attributes",
                "max-schema");
}

void Scan::check_schema_size() const {
    check_schema_size(streams_.size() + generators_.size() + relation_tracks_.size() + fields_);
}

// --- declarations in directories ---

void Scan::declare() {
    // A generator may precede its stream.
    for (const bool generators : {false, true}) {
        for (const Declaration& entry : declarations_) {
            if (entry.generator != generators) continue;
            // Findings about entries state the offset of their chunk.
            chunk_ = ChunkHead{};
            chunk_.offset = entry.chunk;
            content_ = Content{};
            content_.in_file = entry.in_file;
            if (generators)
                declare_generator(entry);
            else
                declare_stream(entry);
        }
    }
    chunk_ = ChunkHead{};
    declarations_.clear();
    declarations_.shrink_to_fit();
}

std::string Scan::name_of(std::uint64_t key, const Declaration& entry) {
    const Dictionary::Entry* const found = dictionary_.find(key);
    if (found == nullptr)
        tally(Check::text_undefined, entry.offset, "a key of the dictionary", std::to_string(key));
    else if (found->chunk > entry.chunk)
        tally(Check::text_late, entry.offset, "a key that is already defined", std::to_string(key));
    return dictionary_.name(key);
}

void Scan::declare_stream(const Declaration& entry) {
    if (stream_by_id_.find(entry.id) != none) {
        tally(Check::declared_twice, entry.offset, "a new stream", std::to_string(entry.id));
        return;
    }
    std::string name = name_of(entry.name, entry);
    std::string kind = name_of(entry.other, entry);
    add_stream(entry.id, std::move(name), std::move(kind), entry.chunk);
}

std::uint32_t Scan::add_stream(std::uint64_t id, std::string name, std::string kind, std::uint64_t chunk) {
    const auto index = static_cast<std::uint32_t>(streams_.size());
    Stream& stream = streams_.emplace_back();
    stream.id = id;
    stream.declared = chunk;
    stream.marks = name == marks_stream && kind == marks_stream;
    if (!stream.marks) stream.scope = schema_.declare(Scope{std::move(name), none, std::move(kind), none, id});
    stream_by_id_.set(id, index);
    check_schema_size();
    return index;
}

void Scan::declare_generator(const Declaration& entry) {
    if (generator_by_id_.find(entry.id) != none) {
        tally(Check::declared_twice, entry.offset, "a new generator", std::to_string(entry.id));
        return;
    }
    std::uint32_t stream = stream_by_id_.find(entry.other);
    if (stream == none) {
        report(Check::stream_undefined, entry.offset, "a stream of the directory", std::to_string(entry.other));
        stream = add_stream(entry.other, std::string("stream ").append(std::to_string(entry.other)), {}, entry.chunk);
    }
    add_generator(entry.id, name_of(entry.name, entry), stream);
}

std::uint32_t Scan::add_generator(std::uint64_t id, std::string name, std::uint32_t stream) {
    const auto index = static_cast<std::uint32_t>(generators_.size());
    Generator& generator = generators_.emplace_back();
    generator.id = id;
    generator.stream = stream;
    generator.columns.emplace_back();
    generator_by_id_.set(id, index);
    if (!streams_[stream].marks) {
        Track track;
        track.kind = Track::Kind::stream;
        track.scope = streams_[stream].scope;
        track.name = std::move(name);
        track.time = time_;
        track.fields.push_back({std::string(conventions::interval_id), Type::u64});
        track.native_id = id;
        generator.track = schema_.declare(std::move(track));
    }
    check_schema_size();
    return index;
}

// --- metadata stream (formats/ftr/README.md#metadata-stream) ---

std::vector<Metadata> Scan::read_marks() {
    std::vector<Metadata> marks;
    const bool any = std::any_of(streams_.begin(), streams_.end(), [](const Stream& stream) { return stream.marks; });
    if (!any) return marks;
    ChunkWalk walk(input_, limits_, nullptr);
    walk.begin();
    while (walk.next(chunk_)) {
        if (!chunk_.is(Chunk::block)) continue;
        const std::uint32_t stream = stream_by_id_.find(chunk_.stream);
        if (stream == none || !streams_[stream].marks || !contents_.fetch(chunk_, content_)) continue;
        if (marks_at_ == 0) marks_at_ = chunk_.offset;
        cursor_.emplace(content_.bytes, content_.base);
        read_marks_of(*cursor_, marks);
        close_chunk();
    }
    chunk_ = ChunkHead{};
    return marks;
}

/// Removes the fact that attributes are marks with digits from the metadata. Files of earlier versions lack it; other
/// metadata tells that we wrote them.
void Scan::take_digits_fact(std::vector<Metadata>& marks) {
    const auto fact = std::ranges::find(marks, digits_fact, &Metadata::key);
    folds_digits_ = fact == marks.end()
                        ? std::ranges::any_of(marks, [](const Metadata& other) { return other.key != relation_fact; })
                        : fact->value == digits_are_marks;
    if (fact != marks.end()) marks.erase(fact);
}

/// Removes the names of relations whose streams are not part of the trace from the metadata.
void Scan::take_relation_facts(std::vector<Metadata>& marks) {
    for (const Metadata& fact : marks)
        if (fact.key == relation_fact) without_streams_.insert(fact.value);
    std::erase_if(marks, [](const Metadata& fact) { return fact.key == relation_fact; });
    has_old_relations_ = has_old_relations_ || !without_streams_.empty();
}

void Scan::parse_schema_mark(const std::vector<Metadata>& marks) {
    std::string text;
    for (const Metadata& entry : marks)
        if (entry.key == schema_mark_key) text.append(entry.value);
    if (text.empty()) return;
    schema_mark_ = SchemaMark::parse(text, static_cast<int>(exponent_), limits_);
    if (!schema_mark_)
        report(Check::schema_mark, marks_at_, "a schema mark that fits the transactions",
               counted(text.size(), "byte") + " that are not such a mark");
}

void Scan::read_marks_of(CborCursor& cursor, std::vector<Metadata>& marks) {
    CborItems transactions;
    if (!cursor.array(transactions)) return;
    while (cursor.more(transactions)) {
        const std::uint64_t at = cursor.offset();
        std::optional<std::string> key, value;
        CborItems elements;
        if (!cursor.array(elements)) return;
        while (cursor.more(elements)) {
            std::uint64_t tag = 0;
            CborItems parts;
            if (!cursor.tag(tag) || !cursor.array(parts)) return;
            std::array<std::uint64_t, 3> numbers{};
            std::size_t count = 0;
            while (cursor.more(parts)) {
                const bool wanted = tag == static_cast<std::uint64_t>(Element::begin) && count < numbers.size();
                if (wanted ? !cursor.unsigned_integer(numbers[count]) : !cursor.skip(limits_.depth)) return;
                ++count;
            }
            const Dictionary::Entry* const text = dictionary_.find(numbers[2]);
            if (tag != static_cast<std::uint64_t>(Element::begin) || count != numbers.size() || text == nullptr)
                continue;
            const std::string name = dictionary_.name(numbers[0]);
            if (name == marks_key) key = dictionary_.text(*text);
            if (name == marks_value) value = dictionary_.text(*text);
            if (name == marks_hex) value = bytes_of_hex(dictionary_.text(*text));
        }
        if (key && value)
            marks.push_back({std::move(*key), std::move(*value)});
        else
            tally(Check::mark_without_fact, at, "the attributes `key` and `value`", "a transaction without them");
    }
}

}  // namespace hwtrace::ftr
