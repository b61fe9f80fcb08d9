#include <bowhist/duplicates/output/groups_npz.hpp>

#include <bowhist/duplicates/output/duplicate_rows.hpp>
#include <bowhist/tables/formats/name_column.hpp>
#include <bowhist/tables/formats/npz.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {
namespace {

/// Columns of numbers, row by row.
struct Columns {
    std::vector<std::int32_t> group, with, agree, compared;
    std::vector<double> score, overlap, maps;

    void add(std::size_t number, std::size_t first_row, const Duplicate &image) {
        group.push_back(static_cast<std::int32_t>(number));
        with.push_back(static_cast<std::int32_t>(first_row + image.with));
        agree.push_back(static_cast<std::int32_t>(image.agree));
        score.push_back(image.score);
        overlap.push_back(image.overlap);
        const AffineMap &map = image.map;
        maps.insert(maps.end(), {map.a11, map.a12, map.tx, map.a21, map.a22, map.ty});
        compared.push_back(image.compared);
    }

    void add(const ApartImage &image) {
        add(0, 0, {.score = image.score, .overlap = 0, .compared = image.compared});
        with.back() = -1;
    }
};

void add_names(NpzArchive &archive, const char *entry, NameColumn &names, Spool &spool) {
    names.lay_out(spool);
    archive.add(entry, spool);
}

} // namespace

void write_groups_npz(const std::filesystem::path &path, const Duplicates &found) {
    Columns columns;
    NameColumn images(path), kinds(path), shows(path);
    for (std::size_t i = 0; i < found.groups.size(); ++i) {
        const std::vector<Duplicate> &group = found.groups[i].images;
        const std::size_t first_row = columns.group.size();
        for (const Duplicate &image : group) {
            columns.add(i + 1, first_row, image);
            images.add(image.image.path);
            kinds.add(&image == &group.front() ? "" : image.kinds.text());
            shows.add("");
        }
    }
    for (const ApartImage &image : found.apart) {
        columns.add(image);
        images.add(image.image.path);
        kinds.add(image.kinds.text());
        shows.add(joined_paths(image.with));
    }
    NpzArchive archive(path);
    const std::uint64_t rows = columns.group.size();
    const auto add = [&](const char *entry, const char *type, const auto &values) {
        archive.add_array(entry, type, {rows}, std::as_bytes(std::span(values)));
    };
    Spool image_names(path), kind_names(path), shown_names(path);
    add_names(archive, "images.npy", images, image_names);
    add("group.npy", "<i4", columns.group);
    add("with.npy", "<i4", columns.with);
    add_names(archive, "kind.npy", kinds, kind_names);
    add("score.npy", "<f8", columns.score);
    add("agree.npy", "<i4", columns.agree);
    add("overlap.npy", "<f8", columns.overlap);
    archive.add_array("maps.npy", "<f8", {rows, 6}, std::as_bytes(std::span(columns.maps)));
    add("compared.npy", "<i4", columns.compared);
    add_names(archive, "shows.npy", shows, shown_names);
    archive.commit();
}

} // namespace bowhist
