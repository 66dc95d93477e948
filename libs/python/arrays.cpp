#include "python/arrays.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace hwtrace::python {

// --- blocks ---

/// The number of elements of each pool that the records of a batch use.
struct Block::Extents {
    std::size_t cells = 0, bytes = 0, attributes = 0, operands = 0, accesses = 0, instructions = 0;
};

namespace {

void cover(std::size_t& extent, std::uint32_t first, std::uint32_t count) noexcept {
    if (count != 0) extent = std::max(extent, std::size_t{first} + count);
}
void cover(std::size_t& extent, Slice slice) noexcept {
    cover(extent, slice.first, slice.count);
}

/// Appends `count` values of a pool and returns the place of the first.
template <typename T>
T* append_values(Pool<T>& pool, const T* values, std::size_t count) {
    if (count == 0) return nullptr;
    T* const place = pool.grow(count);
    std::copy_n(values, count, place);
    return place;
}

}  // namespace

Block::Extents Block::extents_of(const Batch& batch) noexcept {
    Extents used;
    for (const Record& record : batch.records()) {
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                cover(used.cells, record.ref, record.count);
                break;
            case Kind::interval:
            case Kind::change:
                cover(used.attributes, record.ref, record.count);
                break;
            case Kind::note:
            case Kind::native:
                cover(used.bytes, record.ref, record.count);
                break;
            case Kind::instruction: {
                cover(used.instructions, record.ref, 1);
                const Instruction& instruction = batch.instruction(record);
                cover(used.operands, instruction.operands);
                cover(used.accesses, instruction.accesses);
                cover(used.bytes, instruction.order);
                break;
            }
            case Kind::set:
            case Kind::clear:
            case Kind::add:
                break;
        }
    }
    return used;
}

void Block::append_pools(const Batch& batch, const Extents& used) {
    // A record that covers the whole pool gives access to it.
    Record all{};
    all.count = static_cast<std::uint32_t>(used.attributes);
    append_values(attributes, batch.attributes(all).data(), used.attributes);
    Instruction parts;
    parts.operands.count = static_cast<std::uint32_t>(used.operands);
    parts.accesses.count = static_cast<std::uint32_t>(used.accesses);

    const std::span<const Operand> operands_used = batch.operands(parts);
    const std::span<const Access> accesses_used = batch.accesses(parts);
    Operand* const operand = append_values(operands, operands_used.data(), used.operands);
    Access* const access = append_values(accesses, accesses_used.data(), used.accesses);
    // Vectors and data of accesses are rare, but they are cells, too.
    const auto first_cell = static_cast<std::uint32_t>(cells.size());
    std::size_t cells_used = used.cells;
    for (std::size_t i = 0; i < used.operands; ++i) {
        cover(cells_used, operand[i].words);
        operand[i].words.first += first_cell;
    }
    for (std::size_t i = 0; i < used.accesses; ++i) {
        cover(cells_used, access[i].data);
        access[i].data.first += first_cell;
    }
    const Slice all_cells{0, static_cast<std::uint32_t>(cells_used)};
    const Slice all_bytes{0, static_cast<std::uint32_t>(used.bytes)};
    append_values(cells, batch.cells(all_cells).data(), cells_used);
    append_values(bytes, batch.bytes(all_bytes).data(), used.bytes);
}

void Block::append(const Batch& batch) {
    const std::span<const Record> added = batch.records();
    lost_positions += batch.lost_positions();
    if (added.empty()) return;
    const Extents used = extents_of(batch);
    const auto first_cell = static_cast<std::uint32_t>(cells.size());
    const auto first_byte = static_cast<std::uint32_t>(bytes.size());
    const auto first_attribute = static_cast<std::uint32_t>(attributes.size());
    const auto first_operand = static_cast<std::uint32_t>(operands.size());
    const auto first_access = static_cast<std::uint32_t>(accesses.size());
    const auto first_instruction = static_cast<std::uint32_t>(instructions.size());
    append_pools(batch, used);

    if (used.instructions != 0) {
        Record first{};  // the instructions of a batch are one array
        Instruction* const copies = append_values(instructions, &batch.instruction(first), used.instructions);
        for (std::size_t i = 0; i < used.instructions; ++i) {
            copies[i].operands.first += first_operand;
            copies[i].accesses.first += first_access;
            copies[i].order.first += first_byte;
        }
    }
    Record* record = append_values(records, added.data(), added.size());
    for (std::size_t i = 0; i < added.size(); ++i, ++record) {
        switch (record->kind) {
            case Kind::event:
            case Kind::relation:
                record->ref += first_cell;
                break;
            case Kind::interval:
            case Kind::change:
                record->ref += first_attribute;
                break;
            case Kind::note:
            case Kind::native:
                record->ref += first_byte;
                break;
            case Kind::instruction:
                record->ref += first_instruction;
                break;
            case Kind::set:
            case Kind::clear:
            case Kind::add:
                break;
        }
    }
}

void Block::clear() noexcept {
    records.clear();
    cells.clear();
    bytes.clear();
    attributes.clear();
    operands.clear();
    accesses.clear();
    instructions.clear();
    lost_positions = 0;
}

// --- arrays ---

namespace {

/// Builds the type of a structured array: names, types of numpy, and offsets of the members.
class Members {
public:
    Members& add(const char* name, const char* format, std::size_t offset) {
        names_.append(py::str(name));
        formats_.append(py::dtype(format));
        offsets_.append(py::int_(offset));
        return *this;
    }
    /// Adds `name_first` and `name_count`.
    Members& add_slice(const std::string& name, std::size_t offset) {
        add((name + "_first").c_str(), "u4", offset + offsetof(Slice, first));
        return add((name + "_count").c_str(), "u4", offset + offsetof(Slice, count));
    }
    py::dtype type(std::size_t size) const { return {names_, formats_, offsets_, static_cast<py::ssize_t>(size)}; }

private:
    py::list names_, formats_, offsets_;
};

py::dtype record_type() {
    return Members()
        .add("kind", "u1", offsetof(Record, kind))
        .add("flags", "u1", offsetof(Record, flags))
        .add("field", "u2", offsetof(Record, field))
        .add("track", "u4", offsetof(Record, track))
        .add("time", "i8", offsetof(Record, time))
        .add("ref", "u4", offsetof(Record, ref))
        .add("count", "u4", offsetof(Record, count))
        .add("value", "u8", offsetof(Record, value))
        .type(sizeof(Record));
}

py::dtype attribute_type() {
    return Members()
        .add("field", "u4", offsetof(Attribute, field))
        .add("value", "u8", offsetof(Attribute, value))
        .type(sizeof(Attribute));
}

py::dtype operand_type() {
    return Members()
        .add("number", "u2", offsetof(Operand, number))
        .add("register_class", "u1", offsetof(Operand, register_class))
        .add("role", "u1", offsetof(Operand, role))
        .add("value", "u8", offsetof(Operand, value))
        .add_slice("words", offsetof(Operand, words))
        .type(sizeof(Operand));
}

py::dtype access_type() {
    return Members()
        .add("address", "u8", offsetof(Access, address))
        .add("size", "u2", offsetof(Access, size))
        .add("attributes", "u2", offsetof(Access, attributes))
        .add("type", "u1", offsetof(Access, type))
        .add_slice("data", offsetof(Access, data))
        .type(sizeof(Access));
}

py::dtype instruction_type() {
    return Members()
        .add("encoding", "u8", offsetof(Instruction, encoding))
        .add("target", "u8", offsetof(Instruction, target))
        .add("has_target", "?", offsetof(Instruction, has_target))
        .add("size", "u1", offsetof(Instruction, size))
        .add_slice("operands", offsetof(Instruction, operands))
        .add_slice("accesses", offsetof(Instruction, accesses))
        .type(sizeof(Instruction));
}

/// Adds a property that is an array of the pool `member` of the block. The type is made once.
template <typename T>
void add_array(py::class_<PythonBatch>& type, const char* name, Pool<T> Block::*member, const py::dtype& element,
               const char* doc) {
    const py::object kept = element;
    type.def_property_readonly(
        name,
        [member, kept](const py::object& self) {
            const Pool<T>& pool = (*self.cast<const PythonBatch&>().block).*member;
            return read_only_array(py::reinterpret_borrow<py::dtype>(kept), pool.size(), pool.data(), self);
        },
        doc);
}

}  // namespace

py::array read_only_array(const py::dtype& type, std::size_t size, const void* data, py::handle owner) {
    py::array array(type, {static_cast<py::ssize_t>(size)}, {}, data, owner);
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

void register_batch(py::module_& module) {
    py::class_<PythonBatch> type(module, "Batch", "Records of a trace, with the data that they refer to, as arrays.");
    add_array(type, "records", &Block::records, record_type(),
              "The records: kind, track, time, ref, count, value, ...");
    add_array(type, "cells", &Block::cells, py::dtype("u8"),
              "The cells of events and relations, and words of registers.");
    add_array(type, "attributes", &Block::attributes, attribute_type(),
              "The attributes of intervals and values of changes.");
    add_array(type, "instructions", &Block::instructions, instruction_type(), "The details of instructions.");
    add_array(type, "operands", &Block::operands, operand_type(), "The register values of instructions.");
    add_array(type, "accesses", &Block::accesses, access_type(), "The memory accesses of instructions.");
    add_array(type, "bytes", &Block::bytes, py::dtype("u1"), "The bytes of notes and native records.");
    type.def_property_readonly(
        "lost_positions", [](const PythonBatch& batch) { return batch.block->lost_positions; },
        "The number of positions that damage has lost before or inside this batch.");
    type.def("__len__", [](const PythonBatch& batch) { return batch.block->records.size(); });
}

}  // namespace hwtrace::python
