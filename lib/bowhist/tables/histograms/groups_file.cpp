#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

namespace bowhist {

void write_groups(AtomicFile &file, std::span<const std::string> images,
                  std::span<const std::int32_t> groups, std::span<const double> distances) {
    std::string line = "image,group,distance\n";
    for (std::size_t row = 0; row < images.size(); ++row) {
        append_csv_field(line, images[row]);
        line += fmt::format(",{},{}\n", groups[row], distances[row]); // {} is the shortest form
        file.write(line);
        line.clear();
    }
    file.write(line);
}

} // namespace bowhist
