#include <bowhist/pictures/header/tiff_pages.hpp>

#include <bowhist/io/ending.hpp>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

struct Maker {
    std::array<std::string_view, 3> makes; ///< how the tag begins, in lower case
    std::string_view kind;
};

constexpr Maker makers[] = {
    {{"nikon"}, "a raw file of a Nikon camera (NEF)"},
    {{"sony"}, "a raw file of a Sony camera (ARW)"},
    {{"canon"}, "a raw file of a Canon camera (CR2)"},
    {{"pentax", "asahi", "ricoh"}, "a raw file of a Pentax camera (PEF)"},
    {{"samsung"}, "a raw file of a Samsung camera (SRW)"},
    {{"olympus", "om digital"}, "a raw file of an Olympus camera (ORF)"},
    {{"panasonic"}, "a raw file of a Panasonic camera (RW2)"},
    {{"leica"}, "a raw file of a Leica camera (RWL)"},
    {{"fujifilm"}, "a raw file of a Fujifilm camera (RAF)"},
    {{"hasselblad"}, "a raw file of a Hasselblad camera (3FR)"},
    {{"imacon"}, "a raw file of a Hasselblad camera (FFF)"},
    {{"phase one"}, "a raw file of a Phase One camera (IIQ)"},
    {{"leaf"}, "a raw file of a Leaf camera (MOS)"},
    {{"mamiya"}, "a raw file of a Mamiya camera (MEF)"},
    {{"seiko epson", "epson"}, "a raw file of an Epson camera (ERF)"},
    {{"eastman kodak", "kodak"}, "a raw file of a Kodak camera (DCR)"},
};

bool begins_as(std::string_view text, std::string_view lower) {
    return std::ranges::equal(text.substr(0, lower.size()), lower, {}, to_lower);
}

std::string_view by_maker(const TiffPages &pages) {
    for (const TiffPage &page : pages.pages)
        for (const Maker &maker : makers)
            for (const std::string_view make : maker.makes)
                if (!make.empty() && begins_as(page.make, make)) return maker.kind;
    return "a raw file of a camera";
}

/// Samples behind color filters, or linear ones of a sensor, or packed as only cameras do.
bool is_of_sensor(const TiffPage &page) {
    constexpr std::uint64_t color_filters = 32803;
    constexpr std::uint64_t linear_raw = 34892;
    constexpr std::uint64_t packings[] = {262,   32767, 32769, 32770, 32772,
                                          34713, 34892, 65000, 65535};
    return page.photometric == color_filters || page.photometric == linear_raw ||
           page.has_raw_tag || std::ranges::find(packings, page.compression) != std::end(packings);
}

} // namespace

std::optional<std::string_view> raw_file_kind(const Bytes &file, const TiffPages &pages) {
    const auto mark = file.text(8, 4);
    if (mark == "CR\2\0"sv || mark == "\xBA\xB0\xAC\xBB"sv)
        return "a raw file of a Canon camera (CR2)";
    const bool is_iiq = (mark == "IIII" && file.text(13, 3) == "waR") ||
                        (mark == "MMMM" && file.text(12, 3) == "Raw");
    if (is_iiq) return "a raw file of a Phase One camera (IIQ)";
    if (std::ranges::any_of(pages.pages, &TiffPage::has_dng_version)) return "a raw file (DNG)";
    if (std::ranges::any_of(pages.pages, is_of_sensor)) return by_maker(pages);
    return std::nullopt;
}

} // namespace bowhist
