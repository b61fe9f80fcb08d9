// Parts of files, read past the system's cache where the file system can.
#include "tests/support/temporary_folder.hpp"

#include <bowhist/io/file_room.hpp>
#include <bowhist/io/input_file.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace bowhist;

TEST_CASE("files: a room holds the bytes from any position on, and nothing behind the end") {
    const TemporaryFolder folder;
    std::string bytes;
    for (unsigned i = 0; i < 30'000; ++i) bytes += static_cast<char>(i * i >> 7);
    std::ofstream(folder / "bytes", std::ios::binary) << bytes;
    const InputFile file(folder / "bytes", Fault::input);
    FileRoom room;
    std::vector<std::byte> direct(32'768 + InputFile::direct_block);
    void *start = direct.data();
    std::size_t space = direct.size();
    std::align(InputFile::direct_block, 32'768, start, space);
    const std::span aligned(static_cast<std::byte *>(start), 32'768);
    const std::size_t there = file.read_directly(4096, aligned);
    if (there == 0) WARN("this file system does not read past the system's cache");
    CHECK((there == 0 || there == 30'000 - 4096));
    CHECK(std::ranges::equal(aligned.first(there),
                             std::as_bytes(std::span(bytes)).subspan(4096, there)));
    for (const std::size_t position : {0, 1, 8, 4095, 4096, 8200, 29'999})
        for (const std::size_t size : {1, 4088, 4096, 4097, 20'000, 30'000}) {
            INFO(position << ", " << size << " bytes");
            if (position + size > bytes.size()) {
                CHECK_THROWS_AS(room.read(file, position, size), Error);
                continue;
            }
            const auto read = room.read(file, position, size);
            CHECK(
                std::ranges::equal(read, std::as_bytes(std::span(bytes)).subspan(position, size)));
        }
}
