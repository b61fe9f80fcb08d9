#include <bowhist/files/vocabulary_file.hpp>

#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace bowhist;

namespace {

std::string matrix(const std::string &name, const std::string &type, int rows, int columns,
                   const std::string &data) {
    return name + ": !!opencv-matrix\n   rows: " + std::to_string(rows) +
           "\n   cols: " + std::to_string(columns) + "\n   dt: " + type + "\n   data: [ " + data +
           " ]\n";
}

const std::string heading = "%YAML:1.0\n---\n";

/// Whether this build reads OpenCV's files at all; it says so when it does not.
bool without_opencv(const std::filesystem::path &path) {
    try {
        read_vocabulary(path);
    } catch (const Error &error) {
        return std::string(error.what()).find("without OpenCV") != std::string::npos;
    }
    return false;
}

} // namespace

TEST_CASE("files: OpenCV's files: the first float matrix is the vocabulary") {
    const TemporaryFolder folder;
    const auto path = folder / "c?.yml"; // cv::FileStorage gives '?' a meaning
    checks::write_bytes(path, heading + "name: x\n" + matrix("a", "d", 1, 2, "1., 2.") +
                                  matrix("b", "f", 2, 3, "1., 2., 3., 4., 5.5, -6.") +
                                  matrix("c", "f", 1, 1, "9."));
    if (without_opencv(path)) {
        checks::require_error(Fault::vocabulary, path.string(), {"convert it to .npy"},
                              [&] { read_vocabulary(path); });
        return;
    }
    const Vocabulary read = read_vocabulary(path);
    CHECK(read.dimensions == 3);
    CHECK(read.values == std::vector<float>{1, 2, 3, 4, 5.5F, -6});

    checks::write_bytes(folder / "c.xml",
                        "<?xml version=\"1.0\"?><opencv_storage><m type_id=\"opencv-matrix\">"
                        "<rows>1</rows><cols>2</cols><dt>f</dt><data>1.5 2.5</data></m>"
                        "</opencv_storage>");
    CHECK(read_vocabulary(folder / "c.xml").values == std::vector<float>{1.5F, 2.5F});
}

TEST_CASE("files: OpenCV's files without a float matrix say what they hold") {
    const TemporaryFolder folder;
    const auto path = folder / "c.yaml";
    checks::write_bytes(path, heading);
    if (without_opencv(path)) return;
    const auto refuse = [&](const std::string &content, const std::vector<std::string> &parts) {
        checks::write_bytes(path, content);
        checks::require_error(Fault::vocabulary, path.string(), parts,
                              [&] { read_vocabulary(path); });
    };
    refuse(heading + matrix("a", "d", 1, 2, "1., 2."), {"float32", "a (dt d, 1x2)", "CV_32F"});
    refuse(heading + matrix("a", "\"2f\"", 1, 1, "1., 2."), {"a (dt 2f, 1x1)"});
    refuse(heading + "x: 1\n", {"found none"});
    refuse(heading + matrix("a", "f", 2, 2, "1., 2., 3."), {"a (dt f, 2x2) has 3 values"});
    refuse(heading + matrix("a", "f", 2000000000, 2000000000, "1."), {"has 1 values"});
    refuse(heading + matrix("a", "f", -1, -1, "1."), {"-1x-1"});
    refuse(heading + matrix("a", "f", 1, 2, "1., .Nan"), {"row 0", "NaN"});
    refuse(heading + matrix("a", "f", 1, 2, "1., text"), {path.string()});
    refuse("", {"OpenCV cannot read it"});
    refuse("no yaml at all", {"OpenCV cannot read it"});
    refuse("%YAML:1.0\n---\na: [ 1, 2", {path.string()});
}

TEST_CASE("files: OpenCV's files that nest without end are refused, not followed") {
    const TemporaryFolder folder;
    const auto path = folder / "c.yml";
    checks::write_bytes(path, heading);
    if (without_opencv(path)) return;
    const auto refuse = [&](const std::string &content, const char *part) {
        checks::write_bytes(path, content);
        checks::require_error(Fault::vocabulary, path.string(), {part},
                              [&] { read_vocabulary(path); });
    };
    const auto repeat = [](const std::string &text) {
        std::string all;
        for (int i = 0; i < 100000; ++i) all += text;
        return all;
    };
    const std::string start = "<?xml version=\"1.0\"?><opencv_storage>";
    const char *too_deep = "more than 100 levels deep";
    refuse(start + repeat("<a>"), too_deep);
    refuse(start + repeat("<a><!--</a>-->\n"), too_deep);
    refuse(heading + "a: " + repeat("["), too_deep);
    refuse(heading + "a: " + repeat("{ a: "), too_deep);
    refuse(heading + "a: " + repeat("{ a}, b: "), too_deep);
    refuse(heading + "a: " + repeat("[ \"]\",\n "), too_deep);
    refuse(heading + repeat("- "), too_deep);
    refuse(heading + repeat("a: "), too_deep);
    refuse(heading + repeat("-"), too_deep);
    refuse("{" + repeat("\"a\": {"), too_deep);
    refuse("{\"a\": " + repeat("[ 1, /* ] */ "), too_deep);
    std::string stairs = heading; // fewer, as its size grows with the square
    for (int i = 0; i < 2000; ++i) stairs += std::string(i, ' ') + "a:\n";
    refuse(stairs, too_deep);
    refuse(heading + "a: [ 1\r]\n", "CR within a line");
    refuse(heading + "a: [ 1" + std::string(1, '\0') + "]\n", "NUL");
}
