#include "scan.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "domain/conventions.hpp"
#include "io/counted.hpp"
#include "io/number_text.hpp"

namespace hwtrace::ftr {

Scan::Scan(Input& input, const Settings& settings, Findings& findings, Schema& schema)
    : input_(input),
      limits_(settings.limits),
      findings_(findings),
      schema_(schema),
      check_(settings.check >= CheckLevel::full),
      walk_(input, limits_, nullptr),
      contents_(input, limits_, findings) {
    if (settings.check >= CheckLevel::semantic) identities_.emplace(limits_);
    survey();
    if (settings.window && settings.window->unit == TraceWindow::Unit::time_ps && !has_metadata_) {
        window_.emplace(*settings.window, exponent_);
        look_at_block_times();
    }
    walk_.begin();
}

// --- findings ---

Finding Scan::finding(Check check, std::uint64_t at) const {
    Finding finding{&rule(check), at};
    if (!content_.in_file) {
        finding.offset = chunk_.offset;
        finding.inner_offset = at;
    }
    if (transactions_ != 0) finding.ordinal = transactions_;
    return finding;
}

/// Returns the size in bytes of the item at `at`. In a compressed chunk, returns the size of the chunk. Returns 1 if
/// the size is unknown.
std::uint64_t Scan::length_at(std::uint64_t at) const {
    const bool has_chunk = chunk_.content > chunk_.offset;
    if (!content_.in_file || at == chunk_.offset) return has_chunk ? chunk_.size() : 1;
    if (at < content_.base || at - content_.base >= content_.bytes.size()) return 1;
    CborCursor item(content_.bytes.subspan(static_cast<std::size_t>(at - content_.base)), at);
    return item.skip(limits_.depth) ? item.offset() - at : 1;
}

void Scan::report(Check check, std::uint64_t at, std::string expected, std::string got) {
    Finding found = finding(check, at);
    found.length = length_at(at);
    found.expected = std::move(expected);
    found.got = std::move(got);
    findings_.report(std::move(found));
}

void Scan::tally(Check check, std::uint64_t at, std::string_view expected, std::string_view got) {
    Tally& known = tallies_[static_cast<std::size_t>(check)];
    if (known.count != 0) {
        ++known.count;
        return;
    }
    Finding first = finding(check, at);
    first.length = length_at(at);
    tally(check, std::move(first), expected, got);
}

void Scan::tally(Check check, Finding finding, std::string_view expected, std::string_view got) {
    Tally& tally = tallies_[static_cast<std::size_t>(check)];
    if (tally.count++ != 0) return;
    tally.first = std::move(finding);
    tally.first.expected = expected;
    tally.first.got = got;
}

void Scan::report_tallies() {
    if (identities_ && !identities_->gave_up())
        for (const RelationEnd& end : identities_->awaited())
            check_end(end, true);
    for (Tally& tally : tallies_) {
        if (tally.count == 0) continue;
        if (tally.count > 1) tally.first.got.append("; ").append(std::to_string(tally.count)).append(" times in all");
        findings_.report(std::move(tally.first));
        tally = {};
    }
}

// --- chunks ---

void Scan::take_texts(std::uint64_t chunk) {
    const std::vector<Dictionary::Entry>& entries = dictionary_.entries();
    for (; next_text_ < entries.size() && entries[next_text_].chunk <= chunk; ++next_text_)
        dictionary_.use(entries[next_text_], schema_.intern(dictionary_.text(entries[next_text_])));
}

bool Scan::open_next_chunk() {
    if (stops_at_texts_ && chunk_.is(Chunk::dictionary)) take_texts(chunk_.offset);
    while (chunk_place_ = walk_.place(), walk_.next(chunk_)) {
        if (stops_at_texts_ && chunk_.is(Chunk::dictionary)) {
            if (any_since_stop_) {
                stopped_ = true;
                return false;
            }
            take_texts(chunk_.offset);
            continue;
        }
        const bool block = chunk_.is(Chunk::block);
        if (!block && !chunk_.is(Chunk::relations)) continue;
        if (block) {
            stream_ = stream_by_id_.find(chunk_.stream);
            if (stream_ != none && streams_[stream_].marks) continue;
            if (leaves_out_blocks_ && stream_ != none && !chunk_.cut &&
                window_->leaves_out_block(chunk_.start, chunk_.end))
                continue;
        }
        if (!contents_.fetch(chunk_, content_)) continue;
        cursor_.emplace(content_.bytes, content_.base);
        if (block && stream_ == none) {
            content_.in_file = true;
            report(Check::stream_undefined, chunk_.offset, "a stream of the directory", std::to_string(chunk_.stream));
            content_.in_file = cursor_->offset() == chunk_.content && !chunk_.raw;
        }
        if (block && stream_ != none && streams_[stream_].declared > chunk_.offset && !streams_[stream_].late) {
            streams_[stream_].late = true;
            tally(Check::declared_late, cursor_->offset(), "a stream that is already declared",
                  std::to_string(chunk_.stream));
        }
        const std::uint64_t begin = cursor_->offset();
        any_ = false;
        if (!cursor_->array(items_)) {
            close_chunk();
            continue;
        }
        if (!items_.indefinite)
            tally(Check::container_form, begin, "an array of indefinite length", "one of definite length");
        return true;
    }
    return false;
}

void Scan::close_chunk() {
    const CborCursor& cursor = *cursor_;
    if (cursor.failed()) {
        const CborFault fault = cursor.fault();
        if (!chunk_.cut || !fault.at_end) {
            Finding found = finding(Check::content_damaged, fault.offset);
            found.where = name_of_chunk(chunk_.kind);
            found.expected = fault.expected;
            found.got = fault.found;
            findings_.report(std::move(found));
        }
    } else if (!cursor.at_end()) {
        report(Check::behind_content, cursor.offset(), "the end of the content", counted(cursor.left(), "byte"));
    }
    if (check_ && any_ && !cursor.failed() && !chunk_.cut && (least_ != chunk_.start || greatest_ != chunk_.end)) {
        content_.in_file = true;
        tally(Check::header_times, chunk_.offset,
              std::to_string(least_).append(" to ").append(std::to_string(greatest_)),
              std::to_string(chunk_.start).append(" to ").append(std::to_string(chunk_.end)));
    }
    any_ = false;
    cursor_.reset();
}

bool Scan::next(Item& item) {
    while (!ended_) {
        if (!cursor_ && !open_next_chunk()) {
            if (stopped_) {
                stopped_ = any_since_stop_ = false;
                return false;
            }
            ended_ = true;
            report_tallies();
            break;
        }
        if (chunk_.is(Chunk::block) ? next_transaction(item) : next_relation(item)) {
            any_since_stop_ = true;
            return true;
        }
        close_chunk();
    }
    return false;
}

Facts Scan::facts() const {
    Facts facts;
    const auto fact = [&](std::string_view key, auto value) { facts.emplace_back(key, std::move(value)); };
    fact("chunks", chunks_);
    fact("blocks", blocks_);
    fact("compression", compressed_ == 0 ? "none" : plain_ == 0 ? "LZ4" : "LZ4 and none");
    fact("exponent", exponent_);
    if (const auto seconds = epoch_ ? parse_decimal<std::int64_t>(*epoch_) : std::nullopt)
        fact("epoch", *seconds);
    else if (epoch_)
        fact("epoch", *epoch_);
    fact("texts", dictionary_.entries().size());
    if (has_old_relations_) fact("relation elements", old_relation_elements);
    if (ended_) {
        fact("transactions", transactions_);
        fact("relations", relations_);
    }
    return facts;
}

}  // namespace hwtrace::ftr
