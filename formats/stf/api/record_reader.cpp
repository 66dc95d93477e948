// formats/stf/api/record_reader.cpp - reads a file record by record, for C++ programs.
#include "codec/findings.hpp"
#include "guarded.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "stf/scanner.hpp"
#include "stf/transaction_wire.hpp"
#include "trace_header.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

struct RecordReader::State {
    explicit State(const std::string& path)
        : input(Input::open(path)), scanner(input, limits, findings), header(header_of(scanner.read_header())) {
        header.transactions = scanner.transactions();
    }

    Input input;
    Limits limits;
    Findings findings;
    Scanner scanner;
    Header header;
};

RecordReader::RecordReader(const std::string& path) : state_(guarded([&] { return std::make_unique<State>(path); })) {}
RecordReader::~RecordReader() = default;
RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;

const Header& RecordReader::header() const noexcept {
    return state_->header;
}

bool RecordReader::next(RecordView& record) {
    return guarded([&] {
        Scanner& scanner = state_->scanner;
        RawRecord raw;
        record.event64_ = scanner.event64();
        record.behind_loss_ = false;
        while (!scanner.next(raw)) {
            if (!scanner.resume()) return false;
            record.event64_ = scanner.event64();
            record.behind_loss_ = true;
        }
        record.bytes_ = raw.bytes();
        record.offset_ = scanner.offset() - raw.size;
        record.instruction_pc_ = scanner.pc();
        return true;
    });
}

std::vector<Fault> RecordReader::faults() const {
    return faults_of(state_->findings);
}

bool RecordReader::sound() const noexcept {
    return state_->findings.effect() == Effect::harmless;
}

// --- fields of a record ----------------------------------------------------------------------------------------------

namespace {

RawRecord raw_of(const RecordView& view) noexcept {
    return {static_cast<Descriptor>(view.type()), view.bytes().data(), view.bytes().size()};
}

bool is_transaction(RecordType type) noexcept {
    return type == RecordType::transaction || type == RecordType::transaction_dependency;
}

bool is_opcode(RecordType type) noexcept {
    return type == RecordType::opcode32 || type == RecordType::opcode16;
}

}  // namespace

void RecordView::need(bool right, const char* what) const {
    if (bytes_.empty()) throw Error(Error::Kind::usage, "no record has been read");
    if (right) return;
    throw Error(Error::Kind::usage,
                "a record of type " + std::to_string(static_cast<unsigned>(type())) + " has no " + what);
}

std::string_view RecordView::comment() const {
    need(!bytes_.empty() && type() == RecordType::comment, "text");
    return raw_of(*this).text(comment_head);
}

std::uint64_t RecordView::pc() const {
    need(!bytes_.empty() &&
             (type() == RecordType::force_pc || type() == RecordType::target || type() == RecordType::event_target),
         "pc");
    return raw_of(*this).at<std::uint64_t>(1);
}

std::uint64_t RecordView::content() const {
    need(!bytes_.empty() && (type() == RecordType::memory_content || type() == RecordType::bus_content), "content");
    return raw_of(*this).at<std::uint64_t>(1);
}

std::uint32_t RecordView::opcode() const {
    need(!bytes_.empty() && is_opcode(type()), "opcode");
    return type() == RecordType::opcode16 ? raw_of(*this).at<std::uint16_t>(1) : raw_of(*this).at<std::uint32_t>(1);
}

std::uint64_t RecordView::instruction_pc() const {
    need(!bytes_.empty() && is_opcode(type()), "instruction");
    return instruction_pc_;
}

ProcessId RecordView::process_id() const {
    need(!bytes_.empty() && type() == RecordType::process_id, "process id");
    const RawRecord raw = raw_of(*this);
    return {raw.at<std::uint32_t>(1), raw.at<std::uint32_t>(5), raw.at<std::uint32_t>(9)};
}

Register RecordView::register_value() const {
    need(!bytes_.empty() && type() == RecordType::register_value, "register");
    const RawRecord raw = raw_of(*this);
    const unsigned meta = raw.at<std::uint8_t>(3), kind = meta & 0xFu, role = meta >> 4u;
    need(kind >= register_integer && kind <= register_csr && role >= operand_state && role <= operand_destination,
         "register of a known kind and role");
    Register value;
    value.kind = static_cast<RegisterKind>(kind - register_integer);
    value.role = static_cast<RegisterRole>(role - operand_state);
    value.number = raw.at<std::uint16_t>(1);
    if (value.kind != RegisterKind::vector) value.value = raw.at<std::uint64_t>(vector_head);
    return value;
}

std::size_t RecordView::word_count() const {
    need(!bytes_.empty() && type() == RecordType::register_value, "register");
    return (bytes_.size() - vector_head) / 8;
}

std::uint64_t RecordView::word(std::size_t index) const {
    if (index >= word_count()) throw Error(Error::Kind::usage, "the register has no such word");
    return raw_of(*this).at<std::uint64_t>(vector_head + 8 * index);
}

MemoryAccess RecordView::memory_access() const {
    need(!bytes_.empty() && type() == RecordType::memory_access, "memory access");
    const RawRecord raw = raw_of(*this);
    const unsigned kind = raw.at<std::uint8_t>(13);
    need(kind <= static_cast<unsigned>(AccessKind::write), "memory access of a known kind");
    return {static_cast<AccessKind>(kind),
            raw.at<std::uint64_t>(1),
            raw.at<std::uint16_t>(9),
            raw.at<std::uint16_t>(11),
            {}};
}

std::uint64_t RecordView::event_id() const {
    need(!bytes_.empty() && type() == RecordType::event, "event");
    return event64_ ? raw_of(*this).at<std::uint64_t>(1) : raw_of(*this).at<std::uint32_t>(1);
}

std::size_t RecordView::field_count() const {
    need(!bytes_.empty() && type() == RecordType::event, "event");
    return (bytes_.size() - (event64_ ? event_head64 : event_head32)) / 8;
}

std::uint64_t RecordView::field(std::size_t index) const {
    if (index >= field_count()) throw Error(Error::Kind::usage, "the event has no such field");
    return raw_of(*this).at<std::uint64_t>((event64_ ? event_head64 : event_head32) + 8 * index);
}

// Transactions and dependencies begin with the same fields.

std::uint64_t RecordView::transaction_id() const {
    need(!bytes_.empty() && is_transaction(type()), "transaction");
    return raw_of(*this).at<std::uint64_t>(transaction_id_at);
}

std::uint64_t RecordView::cycle_delta() const {
    need(!bytes_.empty() && is_transaction(type()), "transaction");
    return raw_of(*this).at<std::uint64_t>(transaction_delta_at);
}

std::uint8_t RecordView::clock() const {
    need(!bytes_.empty() && is_transaction(type()), "transaction");
    return raw_of(*this).at<std::uint8_t>(transaction_clock_at);
}

TileLinkMessage RecordView::message() const {
    need(!bytes_.empty() && type() == RecordType::transaction, "message");
    const Message message = message_of(raw_of(*this));
    return {static_cast<TileLinkChannel>(message.channel),
            message.code,
            message.param,
            message.size,
            message.source,
            message.address,
            message.sink,
            message.data,
            message.mask_bits,
            message.mask};
}

std::vector<TransactionMetadata> RecordView::metadata() const {
    need(!bytes_.empty() && type() == RecordType::transaction, "metadata");
    const RawRecord raw = raw_of(*this);
    std::vector<TransactionMetadata> all;
    for (MetadataWalk walk(raw); walk.next();)
        all.push_back({static_cast<std::uint8_t>(metadata_sizes[walk.type()]), walk.value()});
    return all;
}

}  // namespace hwtrace::stf
