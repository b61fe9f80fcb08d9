#include <bowhist/io/file_room.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/io/input_file.hpp>

namespace bowhist {

std::span<const std::byte> FileRoom::read(const InputFile &file, std::uint64_t position,
                                          std::size_t size) {
    static_assert(sizeof(Block) == InputFile::direct_block);
    const std::size_t before = position % sizeof(Block);
    blocks_.resize(divided_up(before + size, sizeof(Block)));
    const auto memory = std::as_writable_bytes(std::span(blocks_));
    const std::span<std::byte> wanted = memory.subspan(before, size);
    if (file.read_directly(position - before, memory) < before + size) {
        file.read_at(position, wanted); // or tells why not
        file.let_go_until(position + size);
    }
    return wanted;
}

} // namespace bowhist
