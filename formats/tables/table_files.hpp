// formats/tables/table_files.hpp - the destinations of stored tables: files of a folder, or one output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/output_folder.hpp"
#include "table_layout.hpp"

namespace hwtrace::tables {

/// Returns Grouping::single unless the output is a folder.
inline Grouping grouping_for(const Output& output) noexcept {
    return dynamic_cast<const OutputFolder*>(&output) != nullptr ? Grouping::separate : Grouping::single;
}

/// A file for each stored table; or, for a single table, the whole output.
class TableFiles {
public:
    /// Adds a file for each table. `output` must outlive this object.
    TableFiles(Output& output, const TableLayout& layout, std::string_view extension)
        : output_(output), folder_(dynamic_cast<OutputFolder*>(&output)) {
        if (folder_ == nullptr) return;
        FileNames names(extension);
        for (const StoredTable& table : layout.tables())
            files_.push_back(folder_->add_file(names.add(table.name)));
    }

    void append(std::size_t table, std::span<const std::byte> bytes) {
        if (folder_ != nullptr)
            folder_->append_to(files_[table], bytes);
        else
            output_.append(bytes);
    }
    std::uint64_t size(std::size_t table) const {
        return folder_ != nullptr ? folder_->size_of(files_[table]) : output_.size();
    }

private:
    Output& output_;
    OutputFolder* folder_;
    std::vector<OutputFolder::FileId> files_;
};

}  // namespace hwtrace::tables
