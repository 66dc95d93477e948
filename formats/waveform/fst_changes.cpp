#include "fst_changes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "io/compression.hpp"
#include "io/fastlz.hpp"
#include "io/little_endian.hpp"

namespace hwtrace::waveform {
namespace {

constexpr std::size_t head_size = 8 + 24, tail_size = 24, index_tail = 8;
constexpr std::uint64_t malformed = std::numeric_limits<std::uint64_t>::max();

/// Decodes a signed LEB128 number.
bool take_signed(const std::byte*& at, const std::byte* end, std::int64_t& value) noexcept {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; at != end && shift < 64;) {
        const auto byte = static_cast<std::uint8_t>(*at++);
        bits |= std::uint64_t{byte & 0x7Fu} << shift;
        shift += 7;
        if (byte >= 0x80) continue;
        if (shift < 64 && (byte & 0x40u) != 0) bits |= ~std::uint64_t{0} << shift;
        value = static_cast<std::int64_t>(bits);
        return true;
    }
    return false;
}

}  // namespace

Tick FstChanges::tick_of(std::uint64_t time) {
    constexpr auto last = static_cast<std::uint64_t>(std::numeric_limits<Tick>::max());
    if (time > last || static_cast<Tick>(time) < now_) {
        report(FstCheck::goes_back, std::to_string(now_) + " or later", std::to_string(time));
        return now_;
    }
    now_ = static_cast<Tick>(time);
    return now_;
}

void FstChanges::load(const FstBlock& block, bool is_first) {
    block_ = block;
    times_.clear();
    frame_.clear();
    due_.clear();
    time_ = 0;
    next_due_ = 0;
    chains_.assign(hierarchy_.handles().size(), {});
    places_.assign(hierarchy_.handles().size(), {});
    data_.clear();
    check_limit(block.size, limits_.block, "a block of changes", "--max-block");
    const std::vector<std::byte> bytes = file_.bytes_at(block.offset + 1, block.size);
    begin_ = fst::load_be(bytes.data() + 8);
    // Simulators state the values of all variables there. hwtrace states events only when they happen.
    states_events_ = is_first && file_.header().version != fst::own_version;
    if (!load_times(bytes)) {
        times_.clear();
        heads_.clear();
        return report(FstCheck::times_damaged);
    }
    heads_.assign(times_.size(), no_number);
    const std::uint64_t packed_times = fst::load_be(bytes.data() + bytes.size() - 16);
    const std::byte* at = bytes.data() + head_size;
    const std::byte* const end = bytes.data() + bytes.size() - tail_size - packed_times - index_tail;
    const std::uint64_t index_size = fst::load_be(end);
    if (!load_frame(at, end, is_first)) return report(FstCheck::frame_damaged);
    std::uint64_t handles = 0;
    if (!take_leb128(at, end, handles) || at == end || index_size > static_cast<std::uint64_t>(end - at) - 1)
        return report(FstCheck::index_damaged);
    const char packing = static_cast<char>(*at);
    const std::span<const std::byte> chains(at, static_cast<std::size_t>(end - at) - index_size);
    if (!find_chains({end - index_size, static_cast<std::size_t>(index_size)}, handles, chains.size()))
        report(FstCheck::index_damaged);
    load_chains(chains, packing);
    collect_due();
}

bool FstChanges::load_times(std::span<const std::byte> bytes) {
    const std::byte* const tail = bytes.data() + bytes.size() - tail_size;
    const std::uint64_t size = fst::load_be(tail), packed = fst::load_be(tail + 8), count = fst::load_be(tail + 16);
    const std::uint64_t room = bytes.size() - tail_size - index_tail - head_size;
    if (packed > room || !may_unpack(packed, size) || count > size) return false;
    check_limit(size, limits_.block, "the times of a block", "--max-block");
    check_limit(count * sizeof(std::uint64_t), limits_.block, "the times of a block", "--max-block");
    std::vector<std::byte> raw(static_cast<std::size_t>(size));
    if (!unpack_zlib({tail - packed, static_cast<std::size_t>(packed)}, raw)) return false;
    times_.reserve(static_cast<std::size_t>(count));
    const std::byte* at = raw.data();
    std::uint64_t time = 0, passed = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!take_leb128(at, raw.data() + raw.size(), passed)) return false;
        times_.push_back(time += passed);
    }
    return true;
}

bool FstChanges::load_frame(const std::byte*& at, const std::byte* end, bool is_first) {
    std::uint64_t size = 0, packed = 0, handles = 0;
    if (!take_leb128(at, end, size) || !take_leb128(at, end, packed) || !take_leb128(at, end, handles) ||
        packed > static_cast<std::uint64_t>(end - at))
        return false;
    const std::span<const std::byte> data(at, static_cast<std::size_t>(packed));
    at += packed;
    if (!hierarchy_.is_complete()) return true;
    if (handles > hierarchy_.handles().size()) {
        report(FstCheck::frame_damaged, std::to_string(hierarchy_.handles().size()) + " handles",
               std::to_string(handles));
        return true;
    }
    if (!is_first || (!times_.empty() && begin_ == times_.front())) return true;  // the chains state all values
    std::uint64_t needed = 0;
    for (std::uint64_t handle = 0; handle < handles; ++handle)
        needed += hierarchy_.handles()[static_cast<std::size_t>(handle)].size;
    if (needed != size || !may_unpack(packed, size)) {
        report(FstCheck::frame_damaged, std::to_string(needed) + " bytes", std::to_string(size));
        return true;
    }
    check_limit(size, limits_.block, "the values at the beginning of a block", "--max-block");
    frame_.resize(static_cast<std::size_t>(size));
    if (!unpack_zlib(data, frame_)) {
        frame_.clear();
        report(FstCheck::frame_damaged);
    }
    frame_handles_ = static_cast<std::uint32_t>(handles);
    return true;
}

bool FstChanges::find_chains(std::span<const std::byte> index, std::uint64_t handles, std::uint64_t size) {
    const std::byte* at = index.data();
    const std::byte* const end = at + index.size();
    const bool is_second = block_.type == fst::Block::changes_alias_2;
    std::uint64_t handle = 0, place = 0, before = no_number;
    std::int64_t alias = 0;
    const auto end_chain = [&](std::uint64_t behind) {
        if (before < places_.size()) places_[static_cast<std::size_t>(before)].size = behind - place;
    };
    const auto set_alias = [&](std::uint64_t number) {  // handles of a file count from 1
        if (number == 0 || number > handle || handle >= places_.size()) return number != 0 && number <= handle;
        aliases_.push_back({static_cast<std::uint32_t>(handle), static_cast<std::uint32_t>(number - 1)});
        return true;
    };
    aliases_.clear();
    bool is_good = true;
    while (at != end && is_good) {
        std::uint64_t number = 0;
        std::int64_t moved = 0;
        const bool is_chain = (static_cast<std::uint8_t>(*at) & 1u) != 0;
        if (is_second && is_chain) {
            is_good = take_signed(at, end, moved);
            moved >>= 1;
        } else {
            is_good = take_leb128(at, end, number);
            moved = is_chain ? static_cast<std::int64_t>(number >> 1) : 0;
        }
        if (!is_good) break;
        if (is_chain && moved > 0) {
            if (static_cast<std::uint64_t>(moved) >= size - place || handle >= handles) {
                is_good = false;
                break;
            }
            end_chain(place + static_cast<std::uint64_t>(moved));
            place += static_cast<std::uint64_t>(moved);
            before = handle;
            if (handle < places_.size()) places_[static_cast<std::size_t>(handle)].at = place;
            ++handle;
        } else if (is_chain) {
            if (moved < 0) alias = moved;
            is_good = is_second && alias < 0 && set_alias(static_cast<std::uint64_t>(-alias));
            ++handle;
        } else if (!is_second && number == 0) {
            is_good = take_leb128(at, end, number) && set_alias(number);
            ++handle;
        } else {
            is_good = number >> 1 <= handles - std::min(handles, handle);
            handle += number >> 1;
        }
    }
    end_chain(size);
    return is_good && handle <= handles;
}

void FstChanges::load_chains(std::span<const std::byte> chains, char packing) {
    for (std::uint32_t handle = 0; handle < places_.size(); ++handle) {
        const Place& place = places_[handle];
        if (place.size == 0) continue;
        if (!load_chain(chains.subspan(static_cast<std::size_t>(place.at), static_cast<std::size_t>(place.size)),
                        packing, chains_[handle]))
            report(FstCheck::chain_damaged, {}, "handle " + std::to_string(handle + 1));
    }
    for (const Alias& alias : aliases_)  // the bytes are the same; the handles may have other sizes
        chains_[alias.handle] = chains_[alias.of];
    for (auto handle = static_cast<std::uint32_t>(chains_.size()); handle-- != 0;)
        if (chains_[handle].at != chains_[handle].end) schedule(handle, 0);
}

bool FstChanges::load_chain(std::span<const std::byte> packed, char packing, Chain& chain) {
    const std::byte* at = packed.data();
    std::uint64_t size = 0;
    if (!take_leb128(at, packed.data() + packed.size(), size)) return false;
    const std::span<const std::byte> rest = packed.subspan(static_cast<std::size_t>(at - packed.data()));
    const bool is_plain = size == 0;
    if (is_plain) size = rest.size();
    if (!may_unpack(rest.size(), size)) return false;
    constexpr std::uint64_t most_places = 0xFFFF'FFFF;
    check_limit(data_.size() + size, std::min(limits_.block, most_places), "the changes of a block", "--max-block");
    const std::size_t begin = data_.size();
    data_.resize(begin + static_cast<std::size_t>(size));
    const std::span<std::byte> raw = std::span(data_).subspan(begin);
    const bool is_good = is_plain         ? unpack_zlib(rest, raw)
                         : packing == '4' ? Lz4::decompress(rest, raw)
                         : packing == 'F' ? decompress_fastlz(rest, raw)
                                          : inflate_whole(rest, raw);
    if (!is_good) {
        data_.resize(begin);
        return false;
    }
    chain.at = static_cast<std::uint32_t>(begin);
    chain.end = static_cast<std::uint32_t>(data_.size());
    return true;
}

std::uint64_t FstChanges::passed_times(const Chain& chain, const FstHandle& handle) const noexcept {
    const std::byte* at = data_.data() + chain.at;
    std::uint64_t head = 0;
    if (!take_leb128(at, data_.data() + chain.end, head)) return malformed;
    if (handle.size == 1) return head >> ((head & 1u) != 0 ? 4 : 2);
    return head >> 1;
}

void FstChanges::schedule(std::uint32_t handle, std::uint32_t time) {
    Chain& chain = chains_[handle];
    const std::uint64_t passed = passed_times(chain, hierarchy_.handles()[handle]);
    if (passed >= heads_.size() - std::min<std::size_t>(heads_.size(), time)) {
        chain.at = chain.end;
        return report(FstCheck::change_wrong, "a time of the block", "handle " + std::to_string(handle + 1));
    }
    std::uint32_t& head = heads_[time + static_cast<std::size_t>(passed)];
    chain.next = head;
    head = handle;
}

void FstChanges::collect_due() {
    due_.clear();
    next_due_ = 0;
    for (; time_ < heads_.size() && due_.empty(); ++time_)
        for (std::uint32_t handle = heads_[time_]; handle != no_number; handle = chains_[handle].next)
            due_.push_back(handle);
    if (due_.empty()) return;
    --time_;
    std::ranges::sort(due_);
}

bool FstChanges::read(Batch& batch) {
    if (!frame_.empty()) put_frame(batch);
    while (!batch.full()) {
        if (next_due_ == due_.size()) {
            if (due_.empty()) return false;
            ++time_;
            collect_due();
            continue;
        }
        const std::uint32_t handle = due_[next_due_];
        Chain& chain = chains_[handle];
        if (!decode(batch, handle, tick_of(times_[time_]))) {
            chain.at = chain.end;
            report(FstCheck::change_wrong, {}, "handle " + std::to_string(handle + 1));
        }
        const bool has_more = chain.at != chain.end;
        if (has_more && passed_times(chain, hierarchy_.handles()[handle]) == 0) continue;
        ++next_due_;
        if (has_more) schedule(handle, time_);
    }
    return true;
}

bool FstChanges::decode_state(Batch& batch, std::uint32_t handle, Tick time, std::uint64_t head) {
    const bool is_other = (head & 1u) != 0;
    char state = is_other ? fst::other_states[head >> 1 & 7u] : (head & 2u) != 0 ? '1' : '0';
    if (state == '?') state = '-';
    put_states(batch, handle, time, {&state, 1});
    return true;
}

bool FstChanges::decode(Batch& batch, std::uint32_t number, Tick time) {
    const FstHandle& handle = hierarchy_.handles()[number];
    Chain& chain = chains_[number];
    const std::byte* at = data_.data() + chain.at;
    const std::byte* const end = data_.data() + chain.end;
    std::uint64_t head = 0;
    if (!take_leb128(at, end, head)) return false;
    std::uint64_t size = handle.size;
    const bool is_packed = handle.size != 0 && (head & 1u) == 0;
    if (handle.size == 1) {
        chain.at = static_cast<std::uint32_t>(at - data_.data());
        return decode_state(batch, number, time, head);
    }
    if (handle.size == 0 && !take_leb128(at, end, size)) return false;
    const std::uint64_t bytes = is_packed ? (size + 7) / 8 : size;
    if (bytes > static_cast<std::uint64_t>(end - at)) return false;
    const std::string_view value(reinterpret_cast<const char*>(at), static_cast<std::size_t>(bytes));
    chain.at = static_cast<std::uint32_t>(at - data_.data() + static_cast<std::ptrdiff_t>(bytes));
    if (handle.size == 0) {
        for (std::uint32_t signal = handle.signal; signal != no_number; signal = hierarchy_.next(signal))
            if (tracks_.kind(signal) == Variable::Kind::text) tracks_.put_text(batch, signal, time, value);
        return true;
    }
    constexpr std::uint32_t widest = 64;
    if (is_packed && !handle.is_real && size <= widest) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, at, static_cast<std::size_t>(bytes));
        bits = __builtin_bswap64(bits) >> (widest - size);
        for (std::uint32_t signal = handle.signal; signal != no_number; signal = hierarchy_.next(signal))
            if (tracks_.kind(signal) != Variable::Kind::real && tracks_.width(signal) == size)
                tracks_.put_number(batch, signal, time, bits);
        return true;
    }
    if (!is_packed) {
        if (handle.is_real)
            put_real(batch, number, time, at);
        else
            put_states(batch, number, time, value);
        return true;
    }
    text_.resize(static_cast<std::size_t>(size));
    for (std::size_t bit = 0; bit < text_.size(); ++bit)
        text_[bit] = (at[bit / 8] & std::byte{0x80} >> (bit % 8)) != std::byte{0} ? '1' : '0';
    if (handle.is_real)
        put_real(batch, number, time, reinterpret_cast<const std::byte*>(text_.data()));
    else
        put_states(batch, number, time, text_);
    return true;
}

void FstChanges::put_states(Batch& batch, std::uint32_t number, Tick time, std::string_view states) {
    for (std::uint32_t signal = hierarchy_.handles()[number].signal; signal != no_number;
         signal = hierarchy_.next(signal)) {
        const Variable::Kind kind = tracks_.kind(signal);
        if (kind == Variable::Kind::event) {
            const bool is_stated = states_events_ && static_cast<std::uint64_t>(time) == begin_;
            if (states == "1" && !is_stated) tracks_.put_event(batch, signal, time);
        } else if (kind != Variable::Kind::bits && kind != Variable::Kind::integer) {
            continue;
        } else if (tracks_.put_states(batch, signal, time, states) == SignalTracks::Fit::wrong) {
            report(FstCheck::value_wrong, "states", std::string(states.substr(0, 80)));
        }
    }
}

void FstChanges::put_real(Batch& batch, std::uint32_t number, Tick time, const std::byte* bytes) {
    const std::uint64_t bits = file_.header().is_swapped ? fst::load_be(bytes) : load_le<std::uint64_t>(bytes);
    for (std::uint32_t signal = hierarchy_.handles()[number].signal; signal != no_number;
         signal = hierarchy_.next(signal))
        if (tracks_.kind(signal) == Variable::Kind::real)
            tracks_.put_real(batch, signal, time, std::bit_cast<double>(bits));
}

void FstChanges::put_frame(Batch& batch) {
    const std::vector<std::byte> frame = std::exchange(frame_, {});
    const Tick time = tick_of(begin_);
    const std::byte* at = frame.data();
    for (std::uint32_t number = 0; number < frame_handles_; ++number) {
        const FstHandle& handle = hierarchy_.handles()[number];
        if (handle.is_real)
            put_real(batch, number, time, at);
        else if (handle.size != 0 && tracks_.kind(handle.signal) != Variable::Kind::event)  // it does not happen here
            put_states(batch, number, time, {reinterpret_cast<const char*>(at), handle.size});
        at += handle.size;
    }
}

}  // namespace hwtrace::waveform
