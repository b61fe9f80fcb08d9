#pragma once

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

namespace bowhist::testing {

/// The one line that read_image refuses the file with, without the path; empty when it is read.
inline std::string refusal(const std::filesystem::path &path, const ImageLimits &limits = {}) {
    try {
        read_image(path, limits);
        return {};
    } catch (const Error &error) {
        const std::string line = error.what();
        CHECK(error.fault == Fault::input);
        CHECK(line.find('\n') == std::string::npos);
        CHECK(line.size() < path.native().size() + 350);
        REQUIRE_THAT(line, Catch::StartsWith(path.native() + ": "));
        return line.substr(path.native().size() + 2);
    }
}

} // namespace bowhist::testing
