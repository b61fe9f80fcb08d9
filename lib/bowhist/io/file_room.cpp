#include <bowhist/io/file_room.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/io/input_file.hpp>

#include <new>
#include <sys/mman.h>

namespace bowhist {
namespace {

constexpr std::size_t block = InputFile::direct_block;
constexpr std::size_t large_page = std::size_t{1} << 21;

std::align_val_t alignment(bool large_pages) {
    return std::align_val_t{large_pages ? large_page : block};
}

} // namespace

void FileRoom::Free::operator()(std::byte *memory) const {
    ::operator delete(memory, alignment(large_pages));
}

std::span<std::byte> FileRoom::memory(std::size_t size) {
    if (!memory_ || size > size_) {
        memory_.reset(); // before the new one
        const bool large = memory_.get_deleter().large_pages;
        memory_.reset(static_cast<std::byte *>(::operator new(size, alignment(large))));
        size_ = size;
        if (large) ::madvise(memory_.get(), size / block * block, MADV_HUGEPAGE); // a hint
    }
    return {memory_.get(), size};
}

/// Adds the block around either end, and the overhead of allocating.
std::uint64_t FileRoom::bytes_for(std::uint64_t size) {
    return size + 4 * block;
}

std::span<const std::byte> FileRoom::read(const InputFile &file, std::uint64_t position,
                                          std::size_t size) {
    const std::size_t before = position % block;
    const auto room = memory(round_up(size, block) + block); // wherever a part begins
    const auto blocks = room.first(round_up(before + size, block));
    const auto wanted = blocks.subspan(before, size);
    if (file.read_directly(position - before, blocks) < before + size)
        file.read_at(position, wanted); // or reports why not
    file.let_go(position - before, blocks.size());
    return wanted;
}

} // namespace bowhist
