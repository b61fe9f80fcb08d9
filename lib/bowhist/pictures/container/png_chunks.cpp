#include <bowhist/pictures/container/png_chunks.hpp>

#include <bowhist/pictures/bytes.hpp>

#include <algorithm>

namespace bowhist {

std::span<char> drop_ancillary_chunks(std::span<char> png) {
    const Bytes file({png.data(), png.size()});
    std::uint64_t at = std::min<std::uint64_t>(8, png.size()); // behind the signature
    std::uint64_t kept = at;
    while (file.holds(at, 12) && file.holds(at, 12 + file.big(at, 4))) {
        const auto length = 12 + file.big(at, 4);
        const auto type = file.text(at + 4, 4);
        const bool is_critical = (type[0] & 0x20) == 0; // an upper-case first letter
        const bool is_last = type == "IEND";
        if (is_critical || type == "tRNS") {
            std::copy_n(png.begin() + static_cast<std::ptrdiff_t>(at), length,
                        png.begin() + static_cast<std::ptrdiff_t>(kept));
            kept += length;
        }
        at += length;
        if (is_last) break;
    }
    return png.first(kept);
}

} // namespace bowhist
