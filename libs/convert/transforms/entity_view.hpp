// convert/transforms/entity_view.hpp - shows lowered intervals as entities of the protocol `cpu`, for viewers that know
// only this protocol, and removes these entities again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/losses.hpp"
#include "convert/track_map.hpp"
#include "io/text_output.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// Adds a scope with the tracks of the protocol. Each interval becomes, beside the records of IntervalLowering:
//   at its begin  set entities[slot].entity_id, .pc    its id; its address, or else its id + 1
//                 event annotate                       "0x00001000: read addr=0x1000 size=8"
//                 event stage_transition               the stage is the interval's stream
//   at its end    clear entities[slot]
// The tables of active intervals are marked as buffers. An interval is left out if its slot is taken, or if its id does
// not fit: the view is redundant, so nothing is lost.
class EntityView final : public Stage {
public:
    static constexpr std::uint32_t slots = 4096;     ///< slot = id modulo slots, as viewers expect
    static constexpr std::size_t most_stages = 255;  ///< later streams share the last stage

    /// Returns true if IntervalLowering made a trace with this schema, and no scope has the protocol yet.
    static bool suits(const Schema& lowered);
    /// Requires suits(lowered). `lowered` outlives the stage.
    explicit EntityView(const Schema& lowered);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    /// The role of a track of the lowered trace.
    struct Role {
        enum class Content : std::uint8_t { other, begin, end } content = Content::other;
        std::uint64_t stage = 0;
        std::size_t masks = 0;
        std::vector<Field> attributes;       ///< with the names and types of the source
        std::optional<std::size_t> address;  ///< index of the attribute that is the address
    };
    void declare_entities();
    void begin(const Batch& in, const Record& record, const Role& role, Batch& out);
    void end(std::uint64_t id, Tick time, Batch& out);

    const Schema& lowered_;
    Schema schema_;
    TrackMaps track_maps_;
    std::vector<Role> roles_;  ///< by track of the lowered trace
    TrackId entities_ = none, stage_transition_ = none, annotate_ = none;
    std::array<std::uint64_t, slots> taken_{};  ///< by slot: id + 1 of its interval; 0: free
    TextOutput text_ = TextOutput(-1, 4096);
};

/// Undoes EntityView.
class EntityRemoval final : public Stage {
public:
    /// Returns true if EntityView made a trace with this schema.
    static bool is_shown(const Schema& source);
    /// Requires is_shown(source). `source` and `losses` outlive the stage.
    EntityRemoval(const Schema& source, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TrackMaps track_maps_;
};

}  // namespace hwtrace
