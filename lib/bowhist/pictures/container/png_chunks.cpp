#include <bowhist/pictures/container/png_chunks.hpp>

#include <algorithm>

namespace bowhist {

std::span<char> drop_ancillary_chunks(std::span<char> png) {
    const Bytes file({png.data(), png.size()});
    auto kept = std::min<std::uint64_t>(8, png.size()); // behind the signature
    for_each_png_chunk(file, [&](std::string_view type, std::uint64_t at, std::uint64_t length) {
        const bool is_critical = (type[0] & 0x20) == 0; // an upper-case first letter
        if (!is_critical && type != "tRNS") return;
        std::copy_n(png.begin() + static_cast<std::ptrdiff_t>(at), length,
                    png.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += length;
    });
    return png.first(kept);
}

} // namespace bowhist
