#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/tables/histograms/csv_records.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bowhist {
namespace {

/// The number of the column with that name, from 0.
std::size_t column_of(const std::vector<std::string> &heading, const std::string &name,
                      const CsvRecords &records) {
    const auto found = std::ranges::find(heading, name);
    if (found == heading.end())
        records.fail("expected the heading image,label, found '{}', without {}",
                     excerpt(fmt::format("{}", fmt::join(heading, ","))), name);
    return static_cast<std::size_t>(found - heading.begin());
}

} // namespace

std::map<std::string, std::string> read_labels(const std::filesystem::path &path) {
    InputFile file(path, Fault::input);
    CsvRecords records(file);
    std::vector<std::string> fields;
    if (!records.next(fields)) records.fail("is empty; it needs a heading, image,label");
    const std::size_t image = column_of(fields, "image", records);
    const std::size_t label = column_of(fields, "label", records);
    std::map<std::string, std::string> labels;
    while (records.next(fields)) {
        if (fields.size() <= std::max(image, label))
            records.fail("expected at least {} fields, found {}", std::max(image, label) + 1,
                         fields.size());
        if (fields[label].empty()) continue;
        const auto [found, is_new] = labels.emplace(fields[image], fields[label]);
        if (!is_new && found->second != fields[label])
            records.fail("{} has the label {} and another in an earlier line",
                         excerpt(fields[image]), excerpt(fields[label]));
    }
    return labels;
}

} // namespace bowhist
