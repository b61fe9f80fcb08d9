#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/observer.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Whether images are decoded in processes of their own, which a file that was made to do harm
/// may end, and not in the one that asks.
enum class Isolation {
    automatic, ///< every kind but JPEG (in Huffman coding), where processes can be started
    always,
    never
};

/// Limits of what an image may cost, checked before anything is decoded.
struct ImageLimits {
    std::uint64_t max_pixels =
        500'000'000; ///< width × height in the header; a larger one is refused
    /// Bytes of decoded pixels that all threads of the process hold together. An image waits until
    /// its own fit; one that needs more is refused. The default is usual_bytes, and an image that
    /// needs more, up to most_bytes_alone, is decoded while no other is.
    std::optional<std::uint64_t> max_bytes = std::nullopt;
    static constexpr std::uint64_t usual_bytes = 512ULL << 20;
    static constexpr std::uint64_t most_bytes_alone = 768ULL << 20;
    int max_side = 1024;  ///< pixels; a larger image is shrunk (area average) after decoding; 0
                          ///< keeps it. The short side of a strip of more than 6 to 1 keeps a sixth
                          ///< of them, within max_side x max_side pixels in all
    bool enlarge = false; ///< a smaller image is enlarged: its longer side becomes max_side
    bool keep_damaged = false; ///< takes a JPEG whose data is damaged or ends early, as far as
                               ///< libjpeg makes something of it; what is missing is grey
    Isolation isolation = Isolation::automatic;
    const Observer *observer = nullptr; ///< asked whether to stop while an image waits
};

/// Remarks on an image that its pixels do not show. Each text is empty, or a line that names the
/// path.
struct ImageRemarks {
    std::string damage; ///< what is wrong with a damaged image that the limits keep
    std::string note;   ///< what had to be guessed, such as the range of its samples; what became
                        ///< of a long strip
    bool is_long_strip = false; ///< a side is longer than max_side
};

/// Makes sure, before the first image, that decoders are the ones that this was compiled for.
/// @throws Error{Fault::device}
void require_decoders();

/// True when the path ends like an image that can be read (any case): what a folder is searched
/// for.
bool has_image_ending(const std::filesystem::path &path);

/// An image, grey, 8 bits, at most max_side a side (a long strip: see there), upright by its Exif
/// orientation. Its longer side is max_side at least if the limits enlarge.
///
/// Color becomes grey by OpenCV's weights (JPEG: its own luma), more bits and floats are scaled to
/// 8 bits by the range that the file says, or one that is guessed (docs/adr/0037), transparency is
/// laid over white, or over black where little would show on white (BMP: ignored). A JPEG of twice
/// max_side or more is decoded at 1/2, 1/4 or 1/8 before it is averaged. Regular files only; the
/// header's size is checked first. Safe to call from many threads; OpenCV's own logging is switched
/// off. A GIF or an animated WebP gives its first frame, as browsers show it; a JPEG that holds
/// several images, the first; a HEIC or AVIF, the primary one, which stands as its own boxes say.
/// CMYK in a JPEG is taken for inverted, with and without Adobe's marker. A JPEG or GIF without its
/// end is whole when all rows are there. A TIFF gives its first full page; raw files of cameras are
/// named and refused. A build without OpenCV reads JPEG, GIF, HEIC and AVIF only. Starts processes
/// as ImageLimits::isolation asks; they end with this one, and a process that it forks starts its
/// own.
/// @param remarks  filled where given
/// @throws Error{Fault::input}: missing, unreadable, empty, a directory, not a regular file, no
///         image, too large, truncated, damaged: one line that names the path.
///         Error{Fault::interrupted} while it waits for its turn.
Image read_image(const std::filesystem::path &path, const ImageLimits &limits = {},
                 ImageRemarks *remarks = nullptr);

/// The image of a file with these bytes.
/// @param name  stands for the path in errors and remarks
Image decode_image(std::string_view bytes, const std::filesystem::path &name,
                   const ImageLimits &limits = {}, ImageRemarks *remarks = nullptr);

/// The frames or pages of an image, `most` at most, in their order, each as read_image() makes an
/// image. A GIF or an animated WebP gives its frames as a viewer shows them one after another, a
/// TIFF its full pages, a JPEG its pictures of one size (mpo_pictures.hpp). Any other kind gives
/// its image alone, also an animated PNG and a sequence in a HEIC or AVIF. They are not enlarged.
/// @throws as read_image; also where a frame among these is damaged, or where they have more than
///         max_pixels together
std::vector<Image> read_frames(const std::filesystem::path &path, const ImageLimits &limits = {},
                               std::size_t most = 2048);

/// A JPEG of the image in color, at most `side` pixels a side: bytes to embed in a page. Damaged
/// images are shown as far as they go.
/// @throws as read_image
std::string thumbnail_jpeg(const std::filesystem::path &path, int side);

} // namespace bowhist
