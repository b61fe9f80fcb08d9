#include <bowhist/duplicates/output/duplicate_rows.hpp>

#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

std::string numbers_of(const AffineMap &map, const char *between) {
    return fmt::format("{:.6f}{}{:.6f}{}{:.3f}{}{:.6f}{}{:.6f}{}{:.3f}", map.a11, between, map.a12,
                       between, map.tx, between, map.a21, between, map.a22, between, map.ty);
}

void append_csv(std::string &lines, std::size_t number, const DuplicateGroup &group,
                const Duplicate &image) {
    const bool is_best = &image == &group.images.front();
    lines += fmt::format("{},", number);
    append_csv_field(lines, image.image.path);
    lines += is_best ? ",1," : ",0,";
    if (!is_best) append_csv_field(lines, group.images[image.with].image.path);
    if (is_best)
        lines += ",,,,,,\n";
    else
        lines +=
            fmt::format(",{},{:.6f},{},{:.6f},{},{}\n", image.kinds.text(), image.score,
                        image.agree, image.overlap, numbers_of(image.map, " "), image.compared);
}

void append_csv(std::string &lines, const ApartImage &image) {
    lines += ',';
    append_csv_field(lines, image.image.path);
    lines += ",0,";
    append_csv_field(lines, joined_paths(image.with));
    lines += fmt::format(",{},{:.6f},,,,{}\n", image.kinds.text(), image.score, image.compared);
}

void append_jsonl(std::string &lines, std::size_t number, const DuplicateGroup &group,
                  const Duplicate &image) {
    const bool is_best = &image == &group.images.front();
    lines += fmt::format(R"({{"group":{},"image":{},"best":{})", number,
                         json_string(image.image.path), is_best);
    if (!is_best)
        lines += fmt::format(
            R"(,"with":{},"kind":"{}","score":{:.6f},"agree":{},"overlap":{:.6f},"map":[{}],"compared":{})",
            json_string(group.images[image.with].image.path), image.kinds.text(), image.score,
            image.agree, image.overlap, numbers_of(image.map, ","), image.compared);
    lines += "}\n";
}

void append_jsonl(std::string &lines, const ApartImage &image) {
    std::string with;
    for (const LibraryImage &other : image.with) {
        if (!with.empty()) with += ',';
        with += json_string(other.path);
    }
    lines += fmt::format(
        R"({{"group":null,"image":{},"best":false,"with":[{}],"kind":"{}","score":{:.6f},"compared":{}}})",
        json_string(image.image.path), with, image.kinds.text(), image.score, image.compared);
    lines += '\n';
}

void append(std::string &lines, DuplicatesFormat format, std::size_t number,
            const DuplicateGroup &group) {
    for (const Duplicate &image : group.images) {
        if (format == DuplicatesFormat::csv)
            append_csv(lines, number, group, image);
        else if (format == DuplicatesFormat::jsonl)
            append_jsonl(lines, number, group, image);
        else if (format == DuplicatesFormat::blocks)
            (lines += image.image.path) += '\n';
        else if (is_spare(image))
            (lines += image.image.path) += '\0';
    }
    if (format == DuplicatesFormat::blocks) lines += '\n';
}

} // namespace

void write_groups(AtomicFile &file, DuplicatesFormat format, const Duplicates &found) {
    if (format == DuplicatesFormat::csv)
        file.write("group,image,best,with,kind,score,agree,overlap,map,compared\n");
    if (format == DuplicatesFormat::jsonl)
        file.write(
            fmt::format("{{\"images\":{},\"groups\":{}}}\n", found.images, found.groups.size()));
    for (std::size_t i = 0; i < found.groups.size(); ++i) {
        std::string lines;
        append(lines, format, i + 1, found.groups[i]);
        file.write(lines);
    }
    for (const ApartImage &image : found.apart) {
        std::string lines;
        if (format == DuplicatesFormat::csv) append_csv(lines, image);
        if (format == DuplicatesFormat::jsonl) append_jsonl(lines, image);
        file.write(lines);
    }
    if (format == DuplicatesFormat::jsonl)
        file.write(fmt::format("{{\"copies\":{},\"bytes\":{}}}\n", found.copies(), found.bytes()));
}

std::string joined_paths(std::span<const LibraryImage> images) {
    std::string paths;
    for (const LibraryImage &image : images) {
        if (!paths.empty()) paths += '|';
        paths += image.path;
    }
    return paths;
}

std::string pairs_header() {
    return "first,second,mirrored,agree,places,residual,log_chance,all_places,all_log_chance,"
           "textured,lower_quartile,median,"
           "agreeing,first_agreeing,second_agreeing,alone,shifts,shift_quartile,shift_nine_tenths,"
           "deviation,first_beyond,first_flat,"
           "second_beyond,second_flat,tone,chroma,busier,first_own,second_own,first_unhidden,"
           "second_unhidden,flatter,first_seam,first_thick,second_seam,second_thick,differing,poor,"
           "replaced,compared,plain,even,most_chroma,first_change,second_change,first_least_seam,"
           "first_"
           "most_seam,second_least_seam,second_most_seam,first_breaks,second_breaks,around,"
           "agreeing_around,first_faded,second_faded,map\n";
}

std::string pairs_row(const std::string &first, const std::string &second,
                      const CheckedPair &pair) {
    std::string line;
    append_csv_field(line, first);
    line += ',';
    append_csv_field(line, second);
    const SharedGeometry &geometry = pair.geometry;
    const PixelComparison &pixels = pair.pixels;
    const OverlayAgreement &agreement = pixels.agreement;
    line += fmt::format(",{:d},{},{},{:.3f},{:.1f},{},{:.1f},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},"
                        "{},{},{:.4f},{:.4f},{:.3f}",
                        pair.pair.mirrored, geometry.agree, geometry.places, geometry.residual,
                        geometry.log_chance, geometry.all_places, geometry.all_log_chance,
                        agreement.textured, agreement.lower_quartile, agreement.median,
                        agreement.agreeing, agreement.lower_agreeing, agreement.upper_agreeing,
                        agreement.alone, agreement.shifts, agreement.shift_quartile,
                        agreement.shift_nine_tenths, agreement.deviation);
    line += fmt::format(
        ",{:.4f},{:.3f},{:.4f},{:.3f},{:.2f},{:.2f},{:.3f},{},{},{},{},{:.3f},{:.3f},{},{:.3f},{},{"
        "},{},{},{},{:.3f},{:.3f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{}"
        ",{:.2f},{:.2f},{:.2f}"
        ",{}\n",
        pixels.first.share, pixels.first.flat, pixels.second.share, pixels.second.flat, pixels.tone,
        pixels.chroma, pixels.busier, pixels.own.lower, pixels.own.upper, pixels.own.lower_unhidden,
        pixels.own.upper_unhidden, pixels.own.flatter, pixels.first.seam, pixels.first.thick,
        pixels.second.seam, pixels.second.thick, agreement.differing, agreement.poor,
        agreement.replaced, pixels.compared, pixels.plain, pixels.even, pixels.most_chroma,
        pixels.first.change, pixels.second.change, pixels.first.least_seam, pixels.first.most_seam,
        pixels.second.least_seam, pixels.second.most_seam, pixels.first.breaks,
        pixels.second.breaks, pixels.around, pixels.agreeing_around, pixels.first.faded,
        pixels.second.faded, numbers_of(pixels.map, " "));
    return line;
}

} // namespace bowhist
