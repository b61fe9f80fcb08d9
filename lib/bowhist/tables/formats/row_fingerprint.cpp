#include <bowhist/tables/formats/row_fingerprint.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <xxhash.h>

namespace bowhist {

std::uint64_t row_fingerprint(std::span<const float> rows) {
    return XXH3_64bits(rows.data(), rows.size_bytes());
}

std::string as_text(std::uint64_t fingerprint) {
    return fmt::format("{:016x}", fingerprint);
}

std::uint64_t fingerprint_in(const Section &section) {
    const std::string digits = section.text("fingerprint");
    if (const auto value = as_number<std::uint64_t>(digits, 16)) return *value;
    section.fail(
        fmt::format("holds a fingerprint of \"{}\"; expected hexadecimal digits", excerpt(digits)));
}

} // namespace bowhist
