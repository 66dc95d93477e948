// formats/pccx/saved_place.cpp - saves and restores a place of a payload, for the checkpoints of an index.
#include <algorithm>
#include <array>
#include <string>

#include "codec/resumable.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/sized_text.hpp"
#include "scan.hpp"

namespace hwtrace::pccx {

namespace {

[[noreturn]] void refuse_place() {
    fail(Failure::input, "the state states a place that the file lacks");
}

}  // namespace

void Scan::save_survey(Appender& out) const {
    if (layout_ != Layout::flatbuf) return;
    for (const std::uint64_t number : {trailer_.offset, trailer_.stated, trailer_.names, trailer_.end})
        out.leb128(number);
    out.le(static_cast<std::uint8_t>((trailer_.found ? 1u : 0u) | (trailer_.exact ? 2u : 0u) |
                                     (trailer_.plausible ? 4u : 0u) | (trailer_.ascending ? 8u : 0u)));
}

std::optional<Trailer> Scan::surveyed_trailer(const Settings& settings) const {
    const auto survey = survey_in(settings);
    if (!survey) return std::nullopt;
    return read_survey(*survey, [&](Cursor& in) {
        Trailer trailer;
        for (std::uint64_t* const number : {&trailer.offset, &trailer.stated, &trailer.names, &trailer.end})
            *number = in.leb128();
        const auto flags = in.le<std::uint8_t>();
        trailer.found = (flags & 1u) != 0;
        trailer.exact = (flags & 2u) != 0;
        trailer.plausible = (flags & 4u) != 0;
        trailer.ascending = (flags & 8u) != 0;
        const bool fits =
            trailer.offset >= payload_begin_ && trailer.end >= trailer.offset && trailer.end <= payload_end_;
        if (!fits || trailer.names > (trailer.end - trailer.offset) / name_head_size) refuse_place();
        return trailer;
    });
}

bool Scan::save_place(Appender& out) const {
    if (layout_ == Layout::opaque || ended_ || broken_ || resumed_) return false;
    const auto progress = json_ ? json_->progress() : std::nullopt;
    if (json_ && !progress) return false;
    for (const std::uint64_t number :
         {bytes_->offset(), events_, last_start_, std::uint64_t{known_types_}, std::uint64_t{own_types_.size()}})
        out.leb128(number);
    for (const std::string& type : own_types_)
        append_sized(type, out);
    out.leb128(types_.size());
    for (std::uint32_t number = 0; number < types_.size(); ++number)
        append_sized(types_.name(number), out);
    if (names_) {
        const EventNames::Next next = names_->next();
        for (const std::uint64_t number : {next.offset, next.left, next.number})
            out.leb128(number);
    }
    if (progress) {
        out.le(static_cast<std::uint8_t>((progress->is_first_event ? 1u : 0u) | (progress->total_cycles ? 2u : 0u)));
        out.leb128(progress->unknown_keys);
        out.leb128(progress->total_cycles.value_or(0));
    }
    return true;
}

bool Scan::restore_place(Cursor& in) {
    const std::uint64_t offset = in.leb128();
    if (layout_ == Layout::opaque || offset < payload_begin_ || offset > payload_end_) return false;
    bytes_ = std::make_unique<PayloadBytes>(input_, offset, payload_end_, false);
    background_.reset();
    if (checksum_ == Checksum::unchecked && whole_) checksum_ = Checksum::right;
    ended_ = broken_ = resumed_ = false;
    events_ = in.leb128();
    last_start_ = in.leb128();
    const std::uint64_t known = in.leb128();
    own_types_.clear();
    for (std::uint64_t left = in.leb128(); left > 0; --left)
        own_types_.emplace_back(sized_text(in));
    if (types_.size() != 0) refuse_place();  // restored behind events
    known_type_.clear();
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::string_view type = sized_text(in);
        if (types_.number(type) != known_type_.size()) refuse_place();
        known_type_.push_back(is_known_type(type) || std::ranges::find(own_types_, type) != own_types_.end());
    }
    if (known > types_.size()) refuse_place();
    known_types_ = static_cast<std::uint32_t>(known);
    if (names_) {
        const std::uint64_t next = in.leb128(), left = in.leb128(), number = in.leb128();
        if (trailer_.ascending && trailer_.found) {
            const std::uint64_t begin = trailer_.offset + trailer_head_size;
            if (next < begin || next > trailer_.end || left > trailer_.names) refuse_place();
            Trailer rest = trailer_;
            rest.offset = next - trailer_head_size;
            rest.names = left;
            names_.emplace(input_, rest, limits_);
        } else if (!names_->skip(number)) {
            refuse_place();
        }
    }
    if (json_) {
        const auto flags = in.le<std::uint8_t>();
        JsonPayload::Progress progress{(flags & 1u) != 0, in.leb128(), {}};
        const std::uint64_t total = in.leb128();
        if ((flags & 2u) != 0) progress.total_cycles = total;
        json_.emplace(*bytes_, limits_);
        json_->go_on(progress);
        total_cycles_ = progress.total_cycles;
    }
    return true;
}

}  // namespace hwtrace::pccx
