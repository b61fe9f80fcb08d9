#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

namespace bowhist {

void write_groups(AtomicFile &file, const GroupsTable &table) {
    std::string line = "image,group,distance";
    for (std::size_t level = 1; level <= table.levels.size(); ++level)
        line += fmt::format(",level{}", level);
    line += '\n';
    for (std::size_t row = 0; row < table.images.size(); ++row) {
        append_csv_field(line, table.images[row]);
        // {} is the shortest form
        line += fmt::format(",{},{}", table.groups[row], table.distances[row]);
        for (const auto &level : table.levels) line += fmt::format(",{}", level[row]);
        line += '\n';
        file.write(line);
        line.clear();
    }
    file.write(line);
}

} // namespace bowhist
