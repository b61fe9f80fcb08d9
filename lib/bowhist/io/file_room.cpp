#include <bowhist/io/file_room.hpp>

#include <bowhist/core/round_up.hpp>
#include <bowhist/io/input_file.hpp>

#include <new>
#include <sys/mman.h>

namespace bowhist {
namespace {

constexpr std::size_t block = InputFile::direct_block;
/// Of large pages. A disk fills a few of them twice as fast as a thousand small ones.
constexpr std::align_val_t alignment{std::size_t{1} << 21};

} // namespace

void FileRoom::Free::operator()(std::byte *memory) const {
    ::operator delete(memory, alignment);
}

std::span<std::byte> FileRoom::memory(std::size_t size) {
    if (size > size_) {
        size_ = 0;
        memory_.reset(); // before the new one
        const std::size_t whole = round_up(size, block);
        memory_.reset(static_cast<std::byte *>(::operator new(whole, alignment)));
        size_ = whole;
        ::madvise(memory_.get(), size_, MADV_HUGEPAGE); // a hint
    }
    return {memory_.get(), size};
}

std::uint64_t FileRoom::bytes_for(std::uint64_t size) {
    return size + 2 * block;
}

std::span<const std::byte> FileRoom::read(const InputFile &file, std::uint64_t position,
                                          std::size_t size) {
    const std::size_t before = position % block;
    const auto blocks = memory(round_up(before + size, block));
    const auto wanted = blocks.subspan(before, size);
    if (file.read_directly(position - before, blocks) < before + size)
        file.read_at(position, wanted); // or tells why not
    file.let_go(position - before, blocks.size());
    return wanted;
}

} // namespace bowhist
