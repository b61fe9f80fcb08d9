#include <bowhist/io/file_room.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/io/input_file.hpp>

namespace bowhist {

std::span<std::byte> FileRoom::memory(std::size_t size) {
    blocks_.resize(divided_up(size, sizeof(Block)));
    return std::as_writable_bytes(std::span(blocks_));
}

std::span<const std::byte> FileRoom::read(const InputFile &file, std::uint64_t position,
                                          std::size_t size) {
    static_assert(sizeof(Block) == InputFile::direct_block);
    const std::size_t before = position % sizeof(Block);
    const auto blocks = memory(before + size);
    const auto wanted = blocks.subspan(before, size);
    if (file.read_directly(position - before, blocks) < before + size)
        file.read_at(position, wanted); // or tells why not
    file.let_go(position - before, blocks.size());
    return wanted;
}

} // namespace bowhist
