// WebP: RIFF, a length, WEBP, then chunks of a type, a 32-bit length and a payload, padded to even
// lengths. An animated one begins with VP8X and ANIM; each ANMF holds a frame: place, size, time,
// then the chunks of a still image, ALPH (alpha) and VP8 or VP8L.

#include <bowhist/pictures/container/webp_frame.hpp>

#include <algorithm>
#include <string>

namespace bowhist {
namespace {

constexpr std::uint64_t chunk_head = 8;
constexpr std::uint64_t first_chunk = 12;
constexpr std::uint64_t place_bytes = 16; ///< of a frame, its size, time and flags included

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
    return text;
}

/// The chunk of that type, from `at` on; without one, beyond the end.
std::uint64_t chunk_at(const Bytes &file, std::uint64_t at, std::string_view type) {
    while (file.holds(at, chunk_head) && file.text(at, 4) != type) {
        const auto length = file.little(at + 4, 4);
        at += chunk_head + length + length % 2;
    }
    return at;
}

/// Whether the still image whose chunks begin there has alpha.
bool has_alpha(const Bytes &file, std::uint64_t at) {
    if (file.text(at, 4) == "ALPH") return true;
    const auto sizes_and_alpha = file.little(at + chunk_head + 1, 4);
    return file.text(at, 4) == "VP8L" && (sizes_and_alpha >> 28 & 1) != 0;
}

} // namespace

bool is_animated_webp(const Bytes &file) {
    constexpr std::uint8_t animation = 2;
    return file.text(first_chunk, 4) == "VP8X" && (file.at(20) & animation) != 0;
}

std::uint32_t webp_frames(const Bytes &file) {
    std::uint32_t count = 0;
    for (auto at = chunk_at(file, first_chunk, "ANMF"); file.holds(at, chunk_head + place_bytes);) {
        const auto length = file.little(at + 4, 4);
        at += chunk_head;
        if (!file.holds(at, length)) break;
        ++count;
        at = chunk_at(file, at + length + length % 2, "ANMF");
    }
    return count;
}

WebpFrames::WebpFrames(std::span<char> webp)
    : webp_(webp), at_(chunk_at(Bytes({webp.data(), webp.size()}), first_chunk, "ANMF")) {}

WebpFrame WebpFrames::next() {
    constexpr std::uint8_t replaces = 2;
    constexpr std::uint8_t clears = 1;
    const Bytes file({webp_.data(), webp_.size()});
    const auto at = at_ + chunk_head;
    const auto length = file.little(at - 4, 4);
    if (length < place_bytes || !file.holds(at, length)) return {};
    at_ = chunk_at(file, at + length + length % 2, "ANMF");
    const auto data = at + place_bytes;
    // libwebp holds the data's own size against this one, which is stored as in the frame.
    std::string head = "VP8X" + number(10, 4) + number(has_alpha(file, data) ? 0x10 : 0, 4);
    head += file.text(at + 6, 6);
    const auto size = length - place_bytes + head.size() + 4;
    head = "RIFF" + number(size, 4) + "WEBP" + head;
    const WebpFrame frame{.file = webp_.subspan(data - head.size(), chunk_head + size),
                          .left = 2 * file.little(at, 3),
                          .top = 2 * file.little(at + 3, 3),
                          .is_laid_over = (file.at(at + 15) & replaces) == 0,
                          .is_cleared_after = (file.at(at + 15) & clears) != 0};
    std::ranges::copy(head, frame.file.begin()); // RIFF, WEBP, ANMF and the place take more
    return frame;
}

} // namespace bowhist
