#include "item_writer.hpp"

#include "io/little_endian.hpp"

namespace hwtrace::uscope {

void ItemWriter::native(std::span<const std::byte> bytes) {
    frame_.item(bytes);
    const std::byte* at = bytes.data();
    const Tag tag{std::to_integer<std::uint8_t>(at[0])};
    if (tag == Tag::event) return;
    const bool wide = tag == Tag::wide_op;
    const std::uint16_t storage =
        wide ? load_le<std::uint16_t>(at + 2) : std::uint16_t{std::to_integer<std::uint8_t>(at[2])};
    const std::byte* rest = at + (wide ? 4 : 3);
    const auto slot = load_le<std::uint16_t>(rest);
    const auto field = load_le<std::uint16_t>(rest + 2);
    const std::uint64_t value = wide ? load_le<std::uint64_t>(rest + 4) : load_le<std::uint16_t>(rest + 4);
    if (storage >= counted_.size()) return;
    checkpoints_.change(storage);
    switch (Action{std::to_integer<std::uint8_t>(at[1])}) {
        case Action::set:
            state_.set(storage, slot, field, value);
            break;
        case Action::add:
            state_.add(storage, slot, field, value);
            break;
        case Action::clear:
            state_.clear(storage, slot);
            break;
        case Action::set_property:
            state_.set_property(storage, field, value);
            break;
    }
}

}  // namespace hwtrace::uscope
