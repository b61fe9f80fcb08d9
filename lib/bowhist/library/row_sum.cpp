#include <bowhist/library/row_sum.hpp>

#include <xxhash.h>

namespace bowhist {
namespace {

void append_little_endian(std::string &row, std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte)
        row += static_cast<char>(static_cast<unsigned char>(number >> (8 * byte)));
}

XXH3_state_t *state_in(const std::shared_ptr<void> &state) {
    return static_cast<XXH3_state_t *>(state.get());
}

} // namespace

void RowSum::add(std::int64_t number) {
    row_ += 'i';
    append_little_endian(row_, static_cast<std::uint64_t>(number));
}

void RowSum::add(std::string_view bytes) {
    constexpr std::size_t large = 8192; // is not copied
    row_ += 'b';
    append_little_endian(row_, bytes.size());
    if (bytes.size() < large) {
        row_ += bytes;
        return;
    }
    hash_row();
    XXH3_64bits_update(state_in(state_), bytes.data(), bytes.size());
}

void RowSum::hash_row() {
    if (!state_) {
        state_.reset(XXH3_createState(),
                     [](void *state) { XXH3_freeState(static_cast<XXH3_state_t *>(state)); });
        if (!state_) throw std::bad_alloc();
        XXH3_64bits_reset(state_in(state_));
    }
    XXH3_64bits_update(state_in(state_), row_.data(), row_.size());
    row_.clear();
}

std::int64_t RowSum::value() {
    if (!state_) return static_cast<std::int64_t>(XXH3_64bits(row_.data(), row_.size()));
    hash_row();
    return static_cast<std::int64_t>(XXH3_64bits_digest(state_in(state_)));
}

} // namespace bowhist
