#include "app/serve_token.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <string_view>

#include <sys/random.h>

namespace bowhist::app {

std::string random_token() {
    std::array<unsigned char, 16> bits{};
    if (::getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size()))
        throw Error(Fault::output, "there are no random numbers here; give --token FILE");
    return fmt::format("{:02x}", fmt::join(bits, ""));
}

std::string read_token(const std::filesystem::path &path) {
    constexpr std::size_t least = 16;
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    std::ifstream file(path, std::ios::binary);
    std::string token;
    if (!file || !std::getline(file, token))
        throw Error(Fault::usage, fmt::format("{}: no token can be read", path));
    if (token.ends_with('\r')) token.pop_back();
    if (token.size() < least || token.find_first_not_of(letters) != std::string::npos)
        throw Error(
            Fault::usage,
            fmt::format("{}: a token has at least {} letters of a-z A-Z 0-9 - . _ ~", path, least));
    return token;
}

} // namespace bowhist::app
