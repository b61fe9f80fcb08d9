#include <bowhist/duplicates/moves/file_facts.hpp>

#include <bowhist/library/file/content_hash.hpp>

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string_view>

namespace bowhist {
namespace {

constexpr unsigned permission_bits = 07777;

/// The checksum that POSIX `cksum` prints.
std::uint32_t cksum(std::string_view bytes) {
    static const auto table = [] {
        std::array<std::uint32_t, 256> values{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i << 24U;
            for (int bit = 0; bit < 8; ++bit)
                value = (value << 1U) ^ ((value & 0x80000000U) != 0 ? 0x04C11DB7U : 0U);
            values[i] = value;
        }
        return values;
    }();
    std::uint32_t sum = 0;
    const auto add = [&sum](unsigned char byte) { sum = (sum << 8U) ^ table[(sum >> 24U) ^ byte]; };
    for (const char byte : bytes) add(static_cast<unsigned char>(byte));
    for (std::size_t size = bytes.size(); size > 0; size >>= 8U)
        add(static_cast<unsigned char>(size & 0xFFU));
    return ~sum;
}

struct FileContent {
    struct stat state;
    std::string bytes;
};

/// Empty if the file cannot be read, or changes meanwhile.
std::optional<FileContent> read_whole(const std::filesystem::path &file) {
    struct stat before {
    }, after{};
    if (::stat(file.c_str(), &before) != 0 || !S_ISREG(before.st_mode)) return std::nullopt;
    std::ifstream stream(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (!stream || ::stat(file.c_str(), &after) != 0 || stamp_of(before) != stamp_of(after) ||
        bytes.size() != stamp_of(after).size)
        return std::nullopt;
    return FileContent{after, std::move(bytes)};
}

FileFacts facts_of(const FileContent &content) {
    return {stamp_of(content.state), cksum(content.bytes), content.state.st_mode & permission_bits};
}

bool is_content_of(const LibraryImage &image, const std::optional<FileContent> &content) {
    return content && stamp_of(content->state) == image.stamp &&
           content_hash(content->bytes) == image.hash;
}

} // namespace

FileStamp stamp_of(const struct stat &found) {
    return {static_cast<std::uint64_t>(found.st_size),
            std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec};
}

std::optional<FileFacts> facts_of(const std::filesystem::path &file) {
    const auto content = read_whole(file);
    if (!content) return std::nullopt;
    return facts_of(*content);
}

std::optional<FileFacts> facts_of(const LibraryImage &image) {
    const auto content = read_whole(image.file());
    if (!is_content_of(image, content)) return std::nullopt;
    return facts_of(*content);
}

bool is_as_read(const LibraryImage &image) {
    return is_content_of(image, read_whole(image.file()));
}

std::int64_t whole_seconds(const FileStamp &stamp) {
    const std::int64_t nanoseconds = stamp.modified;
    return nanoseconds / 1'000'000'000 - (nanoseconds % 1'000'000'000 < 0 ? 1 : 0);
}

std::string time_text(const FileStamp &stamp) {
    const std::time_t seconds = whole_seconds(stamp);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                       stamp.modified - std::int64_t{seconds} * 1'000'000'000);
}

} // namespace bowhist
