#include "formats/parquet_reader.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "io/compression.hpp"
#include "io/cursor.hpp"

namespace hwtrace::tables_test {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
}

std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

/// A value of Thrift's compact protocol.
struct Thrift {
    std::int64_t number = 0;
    std::string bytes;
    std::vector<Thrift> list;
    std::map<int, Thrift> fields;

    bool has(int id) const { return fields.contains(id); }
    const Thrift& at(int id) const {
        require(has(id), "a field is missing");
        return fields.at(id);
    }
};

Thrift read_thrift(Cursor& from, unsigned type) {
    Thrift value;
    switch (type) {
        case 1:
        case 2:
            value.number = type == 1 ? 1 : 0;
            return value;
        case 3:
            value.number = from.le<std::int8_t>();
            return value;
        case 4:
        case 5:
        case 6:
            value.number = unzigzag(from.leb128());
            return value;
        case 8: {
            const auto bytes = from.take(from.leb128());
            value.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            return value;
        }
        case 9: {
            const auto head = from.le<std::uint8_t>();
            std::uint64_t count = head >> 4;
            if (count == 15) count = from.leb128();
            for (; count > 0; --count)
                value.list.push_back(read_thrift(from, head & 15));
            return value;
        }
        case 12: {
            int id = 0;
            while (const auto head = from.le<std::uint8_t>()) {
                id = head >> 4 != 0 ? id + (head >> 4) : static_cast<int>(unzigzag(from.leb128()));
                require(value.fields.emplace(id, read_thrift(from, head & 15)).second, "a field occurs twice");
            }
            return value;
        }
        default:
            throw std::runtime_error("an unknown type of Thrift");
    }
}

std::uint64_t packed_bits(std::span<const std::byte> bytes, std::size_t first, unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i) {
        const std::size_t bit = first + i;
        value |= static_cast<std::uint64_t>(std::to_integer<unsigned>(bytes[bit / 8]) >> bit % 8 & 1) << i;
    }
    return value;
}

std::vector<std::uint64_t> read_hybrid(Cursor& from, unsigned width, std::size_t count) {
    std::vector<std::uint64_t> values;
    while (values.size() < count) {
        const std::uint64_t head = from.leb128();
        if ((head & 1) != 0) {
            const auto bytes = from.take((head >> 1) * width);
            for (std::size_t i = 0; i < (head >> 1) * 8; ++i)
                values.push_back(packed_bits(bytes, i * width, width));
        } else {
            const auto bytes = from.take((width + 7) / 8);
            values.insert(values.end(), head >> 1, packed_bits(bytes, 0, static_cast<unsigned>(bytes.size() * 8)));
        }
    }
    values.resize(count);
    return values;
}

std::vector<std::uint64_t> read_deltas(Cursor& from) {
    const std::uint64_t block = from.leb128(), minis = from.leb128(), count = from.leb128();
    require(block % 128 == 0 && block / minis % 32 == 0, "a bad size of a block");
    std::vector<std::uint64_t> values{static_cast<std::uint64_t>(unzigzag(from.leb128()))};
    while (values.size() < count) {
        const auto least = static_cast<std::uint64_t>(unzigzag(from.leb128()));
        const auto widths = from.take(minis);
        for (const std::byte width_byte : widths) {
            if (values.size() >= count) break;
            const auto width = std::to_integer<unsigned>(width_byte);
            const std::size_t size = block / minis;
            const auto bytes = from.take(size * width / 8);
            for (std::size_t i = 0; i < size && values.size() < count; ++i)
                values.push_back(values.back() + least + packed_bits(bytes, i * width, width));
        }
    }
    values.resize(count);
    return values;
}

using Value = ParquetColumn::Value;

std::int64_t extended(std::uint64_t bits, std::size_t width) {
    return width == 4 ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits);
}

/// Reads the values of a page in an encoding other than RLE_DICTIONARY.
std::vector<Value> read_values(Cursor& from, const ParquetColumn& column, std::int64_t encoding, std::size_t count) {
    std::vector<Value> values(count);
    const std::size_t width = column.physical == 1 || column.physical == 4 ? 4 : 8;
    if (encoding == 5) {
        const auto numbers = read_deltas(from);
        require(numbers.size() == count, "a wrong number of differences");
        for (std::size_t i = 0; i < count; ++i)
            values[i].number = extended(numbers[i], width);
    } else if (encoding == 9) {
        const auto bytes = from.take(count * width);
        for (std::size_t i = 0; i < count; ++i) {
            std::uint64_t bits = 0;
            for (std::size_t at = 0; at < width; ++at)
                bits |= std::to_integer<std::uint64_t>(bytes[at * count + i]) << at * 8;
            values[i].number = extended(bits, width);
        }
    } else if (column.physical == 0) {
        const auto bytes = from.take((count + 7) / 8);
        for (std::size_t i = 0; i < count; ++i)
            values[i].number = static_cast<std::int64_t>(packed_bits(bytes, i, 1));
    } else {
        require(encoding == 0, "an unknown encoding");
        for (Value& value : values) {
            if (column.physical == 6) {
                const auto bytes = from.take(from.le<std::uint32_t>());
                value.bytes.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
            } else {
                value.number = width == 4 ? from.le<std::int32_t>() : from.le<std::int64_t>();
            }
        }
    }
    return values;
}

/// Reads the pages of a column chunk.
class ChunkPages {
public:
    ChunkPages(ParquetColumn& column, bool is_packed) : column_(column), is_packed_(is_packed) {}

    void read(Cursor& from, ParquetColumn::Chunk& chunk, std::size_t values) {
        while (chunk.values < values) {
            const Thrift header = read_thrift(from, 12);
            const auto stored = from.take(static_cast<std::size_t>(header.at(3).number));
            Bytes raw(stored.begin(), stored.end());
            if (is_packed_) {
                raw.assign(static_cast<std::size_t>(header.at(2).number), std::byte{0});
                require(ZstdBlock().decompress(stored, raw), "a damaged page");
            }
            require(raw.size() == static_cast<std::size_t>(header.at(2).number), "a wrong size of a page");
            Cursor page(raw);
            if (header.at(1).number == 2) {
                dictionary_ = read_values(page, column_, 0, static_cast<std::size_t>(header.at(7).at(1).number));
            } else {
                const auto count = static_cast<std::size_t>(header.at(5).at(1).number);
                chunk.encodings.push_back(static_cast<int>(header.at(5).at(2).number));
                chunk.values += count;
                read_page(page, header.at(5).at(2).number, count);
            }
            require(page.left() == 0, "bytes at the end of a page");
        }
    }

private:
    static std::vector<std::uint64_t> read_levels(Cursor& page, std::size_t count) {
        Cursor levels(page.take(page.le<std::uint32_t>()));
        auto read = read_hybrid(levels, 1, count);
        require(levels.left() == 0, "bytes at the end of levels");
        return read;
    }
    void read_page(Cursor& page, std::int64_t encoding, std::size_t count) {
        std::vector<std::uint64_t> repetitions(count, 0), definitions(count, 1);
        if (column_.is_list) repetitions = read_levels(page, count);
        if (column_.is_list || column_.repetition == 1) definitions = read_levels(page, count);
        const auto present = static_cast<std::size_t>(std::ranges::count(definitions, 1U));
        std::vector<Value> values;
        if (encoding == 8) {
            const auto width = page.le<std::uint8_t>();
            for (const std::uint64_t index : read_hybrid(page, width, present))
                values.push_back(dictionary_.at(index));
        } else {
            values = read_values(page, column_, encoding, present);
        }
        std::size_t next = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (repetitions[i] == 0) column_.rows.emplace_back();
            if (definitions[i] == 1) column_.rows.back().push_back(std::move(values[next++]));
        }
    }

    ParquetColumn& column_;
    bool is_packed_;
    std::vector<Value> dictionary_;
};

void read_type(const Thrift& element, ParquetColumn& column) {
    column.physical = static_cast<int>(element.at(1).number);
    if (!element.has(10)) return;
    const auto& [id, logical] = *element.at(10).fields.begin();
    column.logical = id;
    if (id != 10) return;
    column.bits = static_cast<int>(logical.at(1).number);
    column.is_signed = logical.at(2).number != 0;
}

void read_columns(const Thrift& footer, ParquetTable& table) {
    const std::vector<Thrift>& elements = footer.at(2).list;
    for (std::size_t at = 1; at < elements.size(); ++at) {
        ParquetColumn& column = table.columns.emplace_back();
        column.name = elements[at].at(4).bytes;
        column.repetition = static_cast<int>(elements[at].at(3).number);
        column.is_list = elements[at].has(5);
        if (column.is_list) at += 2;
        read_type(elements[at], column);
    }
    require(table.columns.size() == static_cast<std::size_t>(elements[0].at(5).number), "a wrong number of columns");
}

void read_group(const Thrift& group, const Bytes& file, ParquetTable& table) {
    table.group_rows.push_back(group.at(3).number);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        ParquetColumn& column = table.columns[i];
        const Thrift& facts = group.at(1).list.at(i).at(3);
        require(facts.at(3).list.at(0).bytes == column.name, "a chunk of another column");
        ParquetColumn::Chunk& chunk = column.chunks.emplace_back();
        chunk.nulls = facts.at(12).at(3).number;
        if (facts.at(12).has(5)) chunk.greatest = facts.at(12).at(5).bytes;
        if (facts.at(12).has(6)) chunk.least = facts.at(12).at(6).bytes;
        chunk.begin = static_cast<std::size_t>((facts.has(11) ? facts.at(11) : facts.at(9)).number);
        chunk.end = chunk.begin + static_cast<std::size_t>(facts.at(7).number);
        const std::span<const std::byte> bytes(file);
        Cursor from(bytes.subspan(chunk.begin, chunk.end - chunk.begin));
        ChunkPages(column, facts.at(4).number == 6).read(from, chunk, static_cast<std::size_t>(facts.at(5).number));
        require(from.left() == 0, "bytes at the end of a chunk");
    }
}

}  // namespace

const ParquetColumn& ParquetTable::operator[](const std::string& name) const {
    const auto found = std::ranges::find(columns, name, &ParquetColumn::name);
    require(found != columns.end(), "no such column");
    return *found;
}

ParquetTable read_parquet(const Bytes& file) {
    require(file.size() >= 12 && std::memcmp(file.data(), "PAR1", 4) == 0 &&
                std::memcmp(file.data() + file.size() - 4, "PAR1", 4) == 0,
            "no Parquet file");
    const auto size = load_le<std::uint32_t>(file.data() + file.size() - 8);
    const std::span<const std::byte> bytes(file);
    Cursor from(bytes.subspan(file.size() - 8 - size, size));
    const Thrift footer = read_thrift(from, 12);
    require(from.left() == 0, "bytes at the end of the footer");
    ParquetTable table;
    read_columns(footer, table);
    for (const Thrift& group : footer.at(4).list)
        read_group(group, file, table);
    for (const Thrift& fact : footer.at(5).list)
        table.facts[fact.at(1).bytes] = fact.at(2).bytes;
    table.created_by = footer.at(6).bytes;
    table.ordered_columns = footer.at(7).list.size();
    for (const ParquetColumn& column : table.columns)
        require(static_cast<std::int64_t>(column.rows.size()) == footer.at(3).number, "a wrong number of rows");
    return table;
}

}  // namespace hwtrace::tables_test
