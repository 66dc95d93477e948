// formats/txlog/reader.hpp - reads a log into the model (formats/txlog/README.md#model-mapping).
#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "codec/reader.hpp"
#include "codec/resumable.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "log.hpp"
#include "model/hash.hpp"
#include "values.hpp"

namespace hwtrace::txlog {

inline constexpr std::uint32_t no_index = 0xFFFF'FFFF;

/// Name, type and phase of an attribute, packed into one integer.
class Key {
public:
    Key(StringId name, Type type, Phase phase) noexcept
        : bits_(std::uint64_t{name} << 16 | std::uint64_t{static_cast<std::uint8_t>(type)} << 8 |
                static_cast<std::uint8_t>(phase)) {}
    std::uint64_t bits() const noexcept { return bits_; }
    StringId name() const noexcept { return static_cast<StringId>(bits_ >> 16); }
    Type type() const noexcept { return static_cast<Type>(bits_ >> 8 & 0xFF); }
    Phase phase() const noexcept { return static_cast<Phase>(bits_ & 0xFF); }
    friend bool operator==(Key, Key) = default;

private:
    std::uint64_t bits_;
};

class TxlogReader final : public Reader, public Resumable {
public:
    TxlogReader(Input& input, const Settings& settings, Findings& findings, int exponent)
        : input_(input),
          limits_(settings.limits),
          exponent_(exponent),
          base_{TimeBase::Kind::seconds, 1, exponent == femtoseconds ? 1'000'000'000'000'000 : picoseconds_per_second},
          log_(input, settings.limits, findings) {}

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }
    bool keep_states() override { return log_.keep_places(); }
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    void save_survey(Appender& out) const override { out.le(static_cast<std::int8_t>(exponent_)); }

private:
    struct Declared {
        std::uint32_t field = 0;
        const TransactionType* type = nullptr;  ///< null: unknown
    };
    struct Generator {
        TrackId track = none;
        std::vector<Declared> begin, end;
        std::vector<Key> keys;  ///< keys of the track's fields after the transaction id
        HashMap<std::uint64_t, std::uint32_t> fields;
    };
    struct Given {
        Key key;
        std::uint32_t field;  ///< field of a declared attribute; otherwise no_index
        std::uint64_t cell;
    };
    struct Transaction {
        std::uint64_t id = 0, order = 0;
        std::uint32_t generator = 0;
        Tick begin = 0;
        std::vector<Given> attributes = {};
    };

    void save_declared(const std::vector<Declared>& declared, Appender& out) const;
    void restore_declared(std::vector<Declared>& declared, const Track& track, Cursor& in);
    void save_open(Appender& out) const;
    void restore_open(Cursor& in);
    void restore_schema_places();
    void put(const Statement& statement, Batch& batch);
    void declare_stream(const Statement& statement);
    void declare_generator(const Statement& statement);
    std::uint32_t add_generator(std::uint64_t id, ScopeId scope, std::string_view name);
    void declare_attribute(const Statement& statement);
    void begin(const Statement& statement, Batch& batch);
    void end(const Statement& statement);
    void value(const Statement& statement);
    void attribute(const Statement& statement);
    void relation(const Statement& statement, Batch& batch);
    void give(Transaction& transaction, const Value& value, StringId name, Phase phase, std::uint32_t field);
    void check_value(const Value& value, const TransactionType& type, std::string_view text);
    Tick tick_of(Time time);
    void expect_values_done(bool at_end = false);
    void hand_out(std::uint32_t slot, Tick end, Batch& batch);
    std::uint32_t field_of(Generator& generator, Key key, std::uint32_t guess);
    void hand_out_ended(Batch& batch);
    void collect_open();
    void count_objects(std::uint64_t more);
    /// Reports a name that viewers cannot read. `is_split` is true if viewers split the line of the name at blanks.
    void check_name(std::string_view name, bool is_split);

    Input& input_;
    const Limits& limits_;
    int exponent_;
    TimeBase base_;
    Log log_;
    Schema schema_;

    HashMap<std::uint64_t, ScopeId> streams_;
    HashMap<std::uint64_t, std::uint32_t> generator_ids_;
    std::vector<Generator> generators_;
    HashMap<StringId, TrackId> relations_;
    std::uint32_t declaring_ = no_index;  ///< the generator whose declaration is open
    std::uint64_t objects_ = 0;

    std::vector<Transaction> slots_;
    std::vector<std::uint32_t> free_;
    HashMap<std::uint64_t, std::uint32_t> open_;  ///< slots by id
    std::uint64_t begun_ = 0, given_ = 0;         ///< counts transactions, and attributes of open transactions
    std::uint32_t ended_slot_ = no_index;         ///< slot of the latest tx_end, whose values may follow
    Tick end_ = 0;                                ///< time of that tx_end

    std::uint32_t valued_ = no_index;  ///< slot that value lines belong to
    Phase value_phase_ = Phase::unknown;
    std::size_t next_value_ = 0;

    Tick now_ = 0;                     ///< time of the latest tx_begin or tx_end
    std::vector<std::uint32_t> left_;  ///< slots of transactions that never end, in reverse order
    std::vector<Attribute> attributes_;
    std::uint64_t transactions_ = 0, never_ended_ = 0, attribute_count_ = 0, relation_count_ = 0;
    bool declares_ = false;
    bool read_all_ = false;
    std::exception_ptr failure_;  ///< thrown after the records before it are delivered
};

}  // namespace hwtrace::txlog
