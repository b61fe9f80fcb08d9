#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/foreign_kinds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

using namespace std::string_view_literals;

// Advice on what to do.
constexpr auto save_array = "save its array as float32: numpy.save('x.npy', x.astype('<f4'))"sv;
constexpr auto save_database = "save its table as CSV (.csv) or its array as .npy"sv;
constexpr auto from_pandas = "save it from pandas: to_csv(f, index=False), or as .npy"sv;
constexpr auto save_table = "save the sheet as CSV (.csv)"sv;
constexpr auto convert = "convert it to PNG or JPEG"sv;
constexpr auto known = "bowhist reads it"sv; // where images are expected
constexpr auto take_frames = "save some of its frames: ffmpeg -i FILE frame%04d.png"sv;
constexpr auto find_original = "give the file that it stands for"sv;
constexpr auto no_use = "give another file"sv;

constexpr Kind marks[] = {
    // tables and arrays of other programs
    {{"\x89HDF\r\n\x1A\n"sv}, "an HDF5 file", save_array},
    {{"\x89HDF\r\n\x1A\n"sv}, "a MATLAB file (7.3, an HDF5 file)", save_array, 512},
    {{"MATLAB "sv},
     "a MATLAB file (.mat)",
     "save its matrix as float32: numpy.save('x.npy', scipy.io.loadmat(f)['x'].astype('<f4'))"},
    {{"CDF\x01"sv, "CDF\x02"sv, "CDF\x05"sv}, "a NetCDF file", save_array},
    {{"PAR1"sv}, "a Parquet file", from_pandas},
    {{"ARROW1\0"sv}, "an Arrow file (Feather)", from_pandas},
    {{"FEA1"sv}, "a Feather file", from_pandas},
    {{"bowh"sv},
     "a library of images",
     "give it to search, cluster, export or status, or index images by its models: index "
     "--centroids",
     68},
    {{"SQLite format 3\0"sv}, "an SQLite database", save_database},
    {{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv},
     "an old Office file (.xls, .doc, Thumbs.db)",
     save_table},
    {{"GGUF"sv}, "a GGUF model", no_use},
    {{"RDX2\n"sv, "RDX3\n"sv}, "an R file", "save its table as CSV (.csv)"},
    // packed
    {{"\x1F\x8B"sv}, "data packed by gzip", "unpack it first: gunzip FILE"},
    {{"\xFD\x37zXZ\0"sv}, "data packed by xz", "unpack it first: unxz FILE"},
    {{"\x28\xB5\x2F\xFD"sv}, "data packed by zstd", "unpack it first: unzstd FILE"},
    {{"BZh"sv}, "data packed by bzip2", "unpack it first: bunzip2 FILE"},
    {{"\x04\x22\x4D\x18"sv}, "data packed by lz4", "unpack it first: unlz4 FILE"},
    {{"\x1F\x9D"sv}, "data packed by compress", "unpack it first: uncompress FILE"},
    {{"7z\xBC\xAF\x27\x1C"sv}, "a 7-Zip archive", "unpack it first: 7z x FILE"},
    {{"Rar!\x1A\x07"sv}, "a RAR archive", "unpack it first: unrar x FILE"},
    {{"ustar"sv}, "a tar archive", "unpack it first: tar xf FILE", 257},
    {{"PK\x05\x06"sv}, "an empty zip archive", no_use},
    {{"MSCF\0\0\0\0"sv}, "a cabinet archive", "unpack it first: cabextract FILE"},
    // in the place of a file
    {{"\0\x05\x16\x07"sv},
     "what macOS keeps beside a file (AppleDouble, ._NAME)",
     "give the file without ._ in its name"},
    {{"\0\x05\x16\x00"sv}, "what macOS keeps of a file (AppleSingle)", find_original},
    {{"bplist00"sv},
     "a property list of macOS, maybe of a file that is only in iCloud",
     "download the file first (.NAME.icloud stands for NAME)"},
    {{"book\0\0\0\0mark"sv}, "an alias of macOS", find_original},
    {{"L\0\0\0\x01\x14\x02\0"sv}, "a Windows shortcut (.lnk)", find_original},
    {{"!<symlink>"sv}, "a symbolic link of Cygwin", find_original},
    // videos and sounds
    {{"ftypcrx "sv}, "a raw file of a Canon camera (CR3)", convert, 4},
    {{"ftyphei"sv, "ftyphev"sv, "ftypmif1"sv}, "a HEIC picture", known, 4},
    {{"ftypavif"sv}, "an AVIF picture", known, 4},
    {{"ftypqt  "sv}, "a QuickTime video", take_frames, 4},
    {{"ftypM4A"sv}, "a sound (M4A)", no_use, 4},
    {{"ftyp"sv}, "an MP4 video", take_frames, 4},
    {{"moov"sv, "mdat"sv, "wide"sv}, "a QuickTime video", take_frames, 4},
    {{"\x1A\x45\xDF\xA3"sv}, "a Matroska or WebM video", take_frames},
    {{"FLV\x01"sv}, "a Flash video", take_frames},
    {{"\x30\x26\xB2\x75\x8E\x66\xCF\x11"sv}, "a Windows Media video", take_frames},
    {{"\0\0\x01\xBA"sv, "\0\0\x01\xB3"sv}, "an MPEG video", take_frames},
    {{"OggS"sv}, "an Ogg video or sound", take_frames},
    {{"ID3"sv}, "a sound (MP3)", no_use},
    {{"fLaC"sv}, "a sound (FLAC)", no_use},
    // cameras' raw files that are no TIFFs
    {{"FUJIFILMCCD-RAW"sv}, "a raw file of a Fujifilm camera (RAF)", convert},
    {{"FOVb"sv}, "a raw file of a Sigma camera (X3F)", convert},
    {{"\0MRM"sv}, "a raw file of a Minolta camera (MRW)", convert},
    {{"IIRO"sv, "IIRS"sv, "MMOR"sv}, "a raw file of an Olympus camera (ORF)", convert},
    {{"IIU\0"sv}, "a raw file of a Panasonic camera (RW2)", convert},
    {{"II\x1A\0\0\0HEAPCCDR"sv}, "a raw file of a Canon camera (CRW)", convert},
    // images, and pages
    {{"\x89PNG\r\n\x1A\n\0\0\0\4CgBI"sv},
     "a PNG as Xcode optimizes it for iPhones",
     "convert it: xcrun pngcrush -revert-iphone-optimizations FILE x.png, or get the original"},
    {{"\x89PNG\r\n\x1A\n"sv}, "a PNG picture", known},
    {{"\xFF\xD8\xFF"sv}, "a JPEG picture", known},
    {{"GIF8"sv}, "a GIF picture", known},
    {{"II*\0"sv, "MM\0*"sv}, "a TIFF picture", known},
    {{"DICM"sv}, "a DICOM file", "convert it to PNG, with dcm2pnm or ImageMagick", 128},
    {{"%!PS"sv}, "a PostScript file", convert},
    {{"\xC5\xD0\xD3\xC6"sv}, "an EPS file", convert},
    {{"%PDF-"sv}, "a PDF", "save its pages or pictures: pdftoppm -png FILE page"},
    {{"8BPS"sv}, "a Photoshop file", convert},
    {{"gimp xcf"sv}, "a file of GIMP (XCF)", convert},
    {{"\x01\xDA\0"sv, "\x01\xDA\1"sv}, "an SGI picture", convert},
    {{"/* XPM"sv}, "an XPM picture", convert},
    {{"icns"sv}, "an icon of macOS (ICNS)", convert},
    {{"AT&TFORM"sv}, "a DjVu file", convert},
    {{"BPG\xFB"sv}, "a BPG picture", convert},
    {{"FLIF"sv}, "a FLIF picture", convert},
    {{"\x8AMNG\r\n\x1A\n"sv}, "a MNG animation", convert},
    {{"\x97JB2\r\n\x1A\n"sv}, "a JBIG2 picture", convert},
    {{"\xD7\xCD\xC6\x9A"sv}, "a Windows metafile (WMF)", convert},
    {{" EMF"sv}, "a Windows metafile (EMF)", convert, 40},
    {{"NRRD000"sv}, "an NRRD file", save_array},
    {{"n+1\0"sv}, "a NIfTI file", save_array, 344},
    // programs
    {{"\177ELF"sv}, "a program", no_use},
};

/// RIFF holds images, videos and sounds; its kind stands at 8.
std::optional<ForeignFile> riff_kind(std::string_view head) {
    const std::string_view kind = head.substr(std::min<std::size_t>(head.size(), 8), 4);
    if (kind == "AVI ") return ForeignFile{"an AVI video", std::string(take_frames), true};
    if (kind == "WEBP") return ForeignFile{"a WebP picture", std::string(known), true};
    if (kind == "WAVE") return ForeignFile{"a sound (WAV)", std::string(no_use)};
    return std::nullopt;
}

/// Python's pickles begin with their protocol, and from 4 on with the length of a frame; joblib's
/// do, too. Older ones are text.
bool is_pickle(std::string_view head) {
    constexpr std::string_view first_of_2_and_3 = "]}(cXKJMGN\x8A\x8C)UV";
    if (head.starts_with("cnumpy") || head.starts_with("ccopy_reg\n")) return true;
    if (head.size() < 3 || head[0] != '\x80' || head[1] < 2 || head[1] > 5) return false;
    return head[1] > 3
               ? head[2] == '\x95' || first_of_2_and_3.find(head[2]) != std::string_view::npos
               : first_of_2_and_3.find(head[2]) != std::string_view::npos;
}

} // namespace

std::optional<ForeignFile> marked_kind(std::string_view head) {
    if (head.starts_with("RIFF")) return riff_kind(head);
    if (is_pickle(head))
        return ForeignFile{"a pickle of Python (joblib, PyTorch)",
                           "load it there, and save its array as float32: "
                           "numpy.save('x.npy', x.astype('<f4'))"};
    auto found = find_kind(marks, [&](std::string_view key, std::size_t at) {
        return head.size() >= at && head.substr(at).starts_with(key);
    });
    if (found)
        found->is_image =
            found->advice == convert || found->advice == known || found->advice == take_frames;
    return found;
}

namespace {

constexpr auto download = "the download was refused or wanted a login: get the file again";
constexpr auto save_attached = "save the pictures that are attached to it";
constexpr auto web_page = "a web page";
constexpr auto mail = "an e-mail";

bool is_blank(char letter) {
    return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

/// The beginning in lower case, without byte order marks, the zeros of UTF-16 and blanks in front.
std::string plain_beginning(std::string_view head) {
    constexpr std::size_t most = 8192;
    const bool is_wide = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
    if (is_wide) head.remove_prefix(2);
    std::string text;
    for (const char letter : head.substr(0, most))
        if (!is_wide || letter != '\0') text += to_lower(letter);
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    rest.remove_prefix(
        static_cast<std::size_t>(std::ranges::find_if_not(rest, is_blank) - rest.begin()));
    return std::string(rest);
}

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Whether a page follows behind other text.
bool leads_to_web_page(std::string_view text) {
    const bool may_lead = text.starts_with("<!--") || text.starts_with("<?xml") ||
                          text.starts_with("<?php") || text.starts_with("http/");
    return may_lead && (holds(text, "<html") || holds(text, "<!doctype html"));
}

std::optional<ForeignFile> markup_kind(std::string_view text) {
    if (text.starts_with("%yaml:1.") || holds(text, "<opencv_storage"))
        return ForeignFile{"a FileStorage of OpenCV",
                           "a vocabulary of that kind ends in .yml or .xml (--centroids); save "
                           "other matrices as .npy"};
    if (text.starts_with("<svg") || (text.starts_with("<") && holds(text, "<svg")))
        return ForeignFile{"an SVG drawing", "convert it to PNG: rsvg-convert -o x.png FILE"};
    if (!text.starts_with("<?xml")) return std::nullopt;
    const bool is_answer = holds(text, "<error") || holds(text, "<code>");
    return ForeignFile{is_answer ? "a server's answer in XML" : "an XML file",
                       is_answer ? download : "give another file, or its data as CSV or .npy"};
}

/// The first letter behind blanks; 0 at the end.
char next_letter(std::string_view text, std::size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at < text.size() ? text[at] : '\0';
}

std::optional<ForeignFile> json_kind(std::string_view text, TextReader reader) {
    constexpr std::string_view values = "{[\"-0123456789]";
    if (text.starts_with('[') && values.find(next_letter(text, 1)) != std::string_view::npos)
        return ForeignFile{"a list in JSON",
                           "histograms are a line for each picture (.jsonl): jq -c '.[]' FILE > "
                           "x.jsonl; save other arrays as .npy"};
    const char next = next_letter(text, 1);
    if (!text.starts_with('{') || (next != '"' && next != '}') || reader == TextReader::json_lines)
        return std::nullopt;
    constexpr std::array<std::string_view, 6> keys = {"\"error",  "\"message\"", "\"detail\"",
                                                      "\"code\"", "\"status",    "\"fault\""};
    const bool is_answer =
        std::ranges::any_of(keys, [&](std::string_view key) { return holds(text, key); }) &&
        !holds(text, "\"extractor\"");
    if (is_answer) return ForeignFile{"a server's answer in JSON", download};
    return ForeignFile{"a JSON file", "give another file (a .json beside a file is read with it)"};
}

/// "/9j/4AAQ..." is a JPEG, and so on.
bool is_base64(std::string_view head) {
    constexpr std::array<std::string_view, 6> images = {"/9j/",  "iVBORw0KGgo", "R0lGOD",
                                                        "UklGR", "SUkqA",       "TU0AK"};
    constexpr std::size_t enough = 20;
    const auto is_letter = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '+' || letter == '/' ||
               letter == '=' || is_blank(letter);
    };
    const auto begins = [&](std::string_view begin) { return head.starts_with(begin); };
    return head.size() >= enough && std::ranges::any_of(images, begins) &&
           std::ranges::all_of(head.substr(0, enough), is_letter);
}

/// Their keys are in lower case.
constexpr Kind beginnings[] = {
    {{"<!doctype html", "<html", "<head", "<body"}, web_page, download},
    {{"<title", "<meta", "<script", "<h1"}, web_page, download},
    {{"version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/"},
     "a Git LFS pointer, not the file itself",
     "run git lfs pull to get the file"},
    {{"/annex/objects/"},
     "a git-annex pointer, not the file itself",
     "run git annex get to get the file"},
    {{"data:image/"},
     "a picture as text (a data: URL in base64)",
     "decode it first: sed 's/^[^,]*,//' FILE | base64 -d > x.jpg"},
    {{"[internetshortcut]"}, "a link to a web page (.url)", "get the file that it links to"},
    {{"[desktop entry]"}, "a link of the desktop (.desktop)", "give the file that it stands for"},
    {{"http/1.", "http/2"}, "a server's answer with its headers", "get the file again"},
    {{"begin 6"}, "a file as text (uuencode)", "decode it first: uudecode FILE"},
    {{"-----begin "}, "an encrypted file, or a key", "decrypt it first"},
    {{"------webkitformboundary"},
     "what a browser uploads (multipart/form-data)",
     "save the file in it alone"},
    {{"#!/"}, "a script", "give what it makes"},
    {{"return-path:", "received:", "delivered-to:", "mime-version:"}, mail, save_attached},
    {{"from: ", "content-type:", "message-id:", "x-mozilla"}, mail, save_attached},
};

} // namespace

std::optional<ForeignFile> text_kind(std::string_view head, TextReader reader) {
    const std::string text = plain_beginning(head);
    if (leads_to_web_page(text)) return ForeignFile{web_page, download};
    const auto begins = [&](std::string_view key, std::size_t) { return text.starts_with(key); };
    if (auto kind = find_kind(beginnings, begins)) return kind;
    if (text.starts_with("from ") && holds(text, "received:"))
        return ForeignFile{mail, save_attached};
    if (is_base64(head))
        return ForeignFile{"a picture as text (base64)", "decode it first: base64 -d FILE > x.jpg"};
    const bool is_storage = text.starts_with("%yaml:1.") || holds(text, "<opencv_storage");
    if (reader == TextReader::markup && (is_storage || !text.starts_with('<'))) return std::nullopt;
    if (auto kind = markup_kind(text)) return kind;
    return json_kind(text, reader);
}

std::optional<ForeignFile> plain_text(std::string_view head) {
    const auto is_letter = [](char byte) { return is_blank(byte) || (byte >= ' ' && byte <= '~'); };
    if (!std::ranges::all_of(head, is_letter)) return std::nullopt;
    const auto *const begin = std::ranges::find_if_not(head, is_blank);
    const std::string_view text(begin, head.end());
    constexpr std::size_t most = 60; // letters of the first line
    return ForeignFile{
        fmt::format("text that begins with '{}'",
                    excerpt(text.substr(0, std::min(text.find_first_of("\r\n"), most)))),
        "where it should be a picture, get the file again"};
}

} // namespace bowhist
