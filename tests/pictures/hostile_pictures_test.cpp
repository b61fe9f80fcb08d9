#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace bowhist;
namespace fs = std::filesystem;

// BOWHIST_TEST_DATA names a folder of images, BOWHIST_TEST_HOSTILE one of hostile files
// (tests/run.sh sets both). Below either, a MANIFEST.tsv (path with \xHH escapes, what it is, what
// to expect: "decodes WxH", "clear error", ...) is held to.

namespace {

std::vector<fs::path> test_folders() {
    std::vector<fs::path> folders;
    for (const char *name : {"BOWHIST_TEST_DATA", "BOWHIST_TEST_HOSTILE"}) {
        const char *folder = std::getenv(name);
        if (folder != nullptr && *folder != '\0')
            folders.emplace_back(folder);
        else
            WARN("skipped: " << name << " names no folder");
    }
    return folders;
}

std::vector<fs::path> files_below(const fs::path &folder) {
    std::vector<fs::path> files;
    for (const auto &entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
}

/// "WxH", or "error".
std::string outcome(const fs::path &path) {
    try {
        const auto image = read_image(path, {.max_side = 0});
        CHECK(image.pixels.size() == static_cast<std::size_t>(image.width) * image.height);
        return std::to_string(image.width) + "x" + std::to_string(image.height);
    } catch (const Error &error) {
        CHECK(error.fault == Fault::input);
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        return "error";
    }
}

std::string unescaped(const std::string &text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape = text.compare(i, 2, "\\x") == 0 && i + 3 < text.size();
        result +=
            is_escape ? static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16)) : text[i];
        if (is_escape) i += 3;
    }
    return result;
}

void check_manifest(const fs::path &manifest) {
    const std::string decodes = "decodes ";
    std::ifstream lines(manifest, std::ios::binary);
    std::string line;
    while (std::getline(lines, line)) {
        std::istringstream columns(line);
        std::string path;
        std::string what;
        std::string expected;
        std::getline(columns, path, '\t');
        std::getline(columns, what, '\t');
        std::getline(columns, expected, '\t');
        if (!expected.starts_with(decodes)) continue;
        INFO(line);
        CHECK(outcome(manifest.parent_path() / unescaped(path)) == expected.substr(decodes.size()));
    }
}

} // namespace

TEST_CASE("pictures: Real and hostile files decode or are refused in one line") {
    for (const auto &folder : test_folders())
        for (const auto &path : files_below(folder)) {
            INFO(path);
            CHECK_FALSE(outcome(path).empty());
        }
}

TEST_CASE("pictures: What the test data's manifest says decodes, decodes to that size") {
    for (const auto &folder : test_folders())
        for (const auto &path : files_below(folder))
            if (path.filename() == "MANIFEST.tsv") check_manifest(path);
}
