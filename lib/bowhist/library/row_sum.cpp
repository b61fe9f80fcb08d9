#include <bowhist/library/row_sum.hpp>

#include <xxhash.h>

namespace bowhist {
namespace {

void append_little_endian(std::string &row, std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte)
        row += static_cast<char>(static_cast<unsigned char>(number >> (8 * byte)));
}

} // namespace

void RowSum::add(std::int64_t number) {
    row_ += 'i';
    append_little_endian(row_, static_cast<std::uint64_t>(number));
}

void RowSum::add(std::string_view bytes) {
    row_ += 'b';
    append_little_endian(row_, bytes.size());
    row_ += bytes;
}

std::int64_t RowSum::value() const {
    return static_cast<std::int64_t>(XXH3_64bits(row_.data(), row_.size()));
}

} // namespace bowhist
