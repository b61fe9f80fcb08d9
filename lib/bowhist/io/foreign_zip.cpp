#include <bowhist/io/foreign_kinds.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/zip_archive.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

namespace bowhist {
namespace {

/// The names of the first entries: enough to know a kind by.
std::vector<std::string> names_in(zip_t &archive) {
    constexpr zip_int64_t most = 1000;
    std::vector<std::string> names;
    for (zip_int64_t i = 0; i < std::min(most, zip_get_num_entries(&archive, 0)); ++i)
        if (const char *name = zip_get_name(&archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_RAW))
            names.emplace_back(name);
    return names;
}

/// Their keys are parts of an entry's name.
constexpr Kind contents[] = {
    {{"xl/workbook."}, "an Excel file (.xlsx)", "save its sheet as CSV (.csv)"},
    {{"word/document."}, "a Word file (.docx)", "save the pictures in it"},
    {{"ppt/presentation."}, "a PowerPoint file (.pptx)", "save the pictures in it"},
    {{"data.pkl"},
     "a file of PyTorch (.pt)",
     "load it there, and save its array: numpy.save('x.npy', x.float().numpy())"},
    {{"maindoc.xml"}, "a file of Krita", "convert it to PNG or JPEG"},
    {{"mergedimage.png"}, "an OpenRaster file", "convert it to PNG or JPEG"},
    {{"content.xml"}, "an OpenDocument file (.ods, .odt)", "save its sheet as CSV (.csv)"},
};

bool is_image(const std::string &name) {
    constexpr std::array<std::string_view, 12> endings = {".jpg",  ".jpeg", ".png",  ".webp",
                                                          ".tif",  ".tiff", ".bmp",  ".gif",
                                                          ".heic", ".heif", ".avif", ".jp2"};
    return std::ranges::find(endings, ending_of(name)) != endings.end();
}

ForeignFile plain_archive(const std::vector<std::string> &names) {
    const auto images = std::ranges::count_if(names, is_image);
    if (images > 0)
        return {fmt::format("a zip archive of pictures ({} of {} entries)", images, names.size()),
                "unpack it (unzip), and give the folder"};
    return {"a zip archive", "unpack it first (unzip)"};
}

} // namespace

std::optional<ForeignFile> zip_kind(const InputFile &file, std::string_view ending) {
    std::vector<std::string> names;
    try {
        const ZipArchive archive = read_zip(file);
        names = names_in(*archive);
    } catch (const Error &) {
        if (ending == ".npz") return std::nullopt; // its reader has reported it
        return ForeignFile{"a zip archive that is cut off or damaged", "get the file again"};
    }
    const auto holds = [&](std::string_view part, std::size_t) {
        return std::ranges::any_of(
            names, [&](const std::string &name) { return name.find(part) != std::string::npos; });
    };
    if (auto kind = find_kind(contents, holds)) return kind;
    const auto arrays = std::ranges::count_if(
        names, [](const std::string &name) { return ending_of(name) == ".npy"; });
    if (arrays == 0) return plain_archive(names);
    if (ending == ".npz") return std::nullopt; // its reader names the entries
    return ForeignFile{"an archive of NumPy", "give it a name that ends in .npz"};
}

} // namespace bowhist
