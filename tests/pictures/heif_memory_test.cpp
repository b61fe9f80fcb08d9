#include "tests/pictures/make_heifs.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/pictures/codecs/codecs.hpp>
#include <bowhist/pictures/decode.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include <malloc.h>

using namespace bowhist;

namespace {

/// Of the process, in bytes: "VmRSS:" what it holds, "VmHWM:" the most that it held.
std::uint64_t memory(const std::string &name) {
    std::ifstream status("/proc/self/status");
    std::string word;
    std::uint64_t kilobytes = 0;
    while (status >> word)
        if (word == name && status >> kilobytes) break;
    return kilobytes * 1024;
}

/// Forgets the most that the process held; false where the system does not let it.
bool forget_peak() {
    constexpr int large = 128 << 10; // blocks that are mapped: held is then what is in use
    ::mallopt(M_MMAP_THRESHOLD, large);
    ::malloc_trim(0);
    std::ofstream forget("/proc/self/clear_refs");
    return static_cast<bool>(forget << 5 << std::flush);
}

/// The most bytes that decoding the file held, and those of its header.
void check_memory(const std::filesystem::path &path) {
    ImageFile file = read_image_file(path, {});
    if (!forget_peak()) {
        WARN("skipped: the peak of memory cannot be measured here");
        return;
    }
    const auto before = memory("VmRSS:");
    decode({file.header, file.bytes}, Color::grey, 1024);
    const auto held = memory("VmHWM:") - before;
    INFO(held / 3e6 << " bytes a pixel");
    const std::uint64_t stacks = // of the decoder's threads, one for each core
        std::uint64_t{64 << 10} * std::max(1U, std::thread::hardware_concurrency());
    // VmHWM is inexact, as proc(5) says: where threads came and went, it was up to 0.3 MiB from
    // what they held. A byte a pixel is 3 million.
    constexpr std::uint64_t inexact = 512 << 10;
    CHECK(held <= file.header.decoder_bytes + stacks + inexact);
    CHECK(held >= file.header.decoder_bytes / 3); // else it measures nothing
}

} // namespace

TEST_CASE("heif: Decoding holds no more bytes than the header gives") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    WARN("skipped: a sanitizer keeps what is freed");
    return;
#endif
    bowhist::codecs(); // loaded now, they take no memory later
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(2000, 1500);
    cv::Mat with_alpha;
    cv::cvtColor(photo, with_alpha, cv::COLOR_BGR2BGRA);
    const auto turned = heif_orientation_rotate_90_cw;
    for (const auto codec : heif_codecs()) {
        for (const auto &image : {photo, with_alpha})
            for (const bool is_deep : {false, true}) {
                if (is_deep && codec == heif_compression_AV1) continue; // as in heif_test.cpp
                INFO("codec " << codec << " of " << image.channels() << " channels, 10 bits "
                              << is_deep);
                const HeifOptions how = {.orientation = turned, .quality = 50, .deep = is_deep};
                check_memory(save(folder / "x", encode_heif(image, codec, how)));
            }
    }
}

TEST_CASE(
    "heif: Decoding 10 bits of 4:2:2, as cameras write, holds no more than the header gives") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    WARN("skipped: a sanitizer keeps what is freed");
    return;
#endif
    bowhist::codecs();
    const TemporaryFolder folder;
    const cv::Mat photo = make_photo(2000, 1500);
    const auto codecs = heif_codecs();
    if (std::ranges::find(codecs, heif_compression_HEVC) == codecs.end()) return;
    for (const auto &size : {photo.size(), cv::Size(1999, 1499)}) { // odd ones are cropped
        INFO(size);
        const HeifOptions how = {.quality = 50, .deep = true, .chroma = "422"};
        const auto file = encode_heif(photo({{}, size}), heif_compression_HEVC, how);
        check_memory(save(folder / "x", file));
    }
}
