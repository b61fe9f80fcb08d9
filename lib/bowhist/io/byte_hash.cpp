#include <bowhist/io/byte_hash.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace bowhist {
namespace {

XXH3_state_t *state_in(const std::shared_ptr<void> &state) {
    return static_cast<XXH3_state_t *>(state.get());
}

} // namespace

ByteHash::ByteHash()
    : state_(XXH3_createState(),
             [](void *state) { XXH3_freeState(static_cast<XXH3_state_t *>(state)); }) {
    if (!state_) throw std::bad_alloc();
    XXH3_128bits_reset(state_in(state_));
}

void ByteHash::add(std::string_view bytes) {
    XXH3_128bits_update(state_in(state_), bytes.data(), bytes.size());
}

std::string ByteHash::digits() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_in(state_));
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace bowhist
