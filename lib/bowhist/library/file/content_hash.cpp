#include <bowhist/library/file/content_hash.hpp>

#include <xxhash.h>

namespace bowhist {

std::string content_hash(std::string_view bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    return {reinterpret_cast<const char *>(canonical.digest), sizeof(canonical.digest)};
}

} // namespace bowhist
