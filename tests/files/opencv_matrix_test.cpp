#include <bowhist/tables/vocabulary/vocabulary_file.hpp>

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

} // namespace

TEST_CASE("files: OpenCV's files: the first float matrix is the vocabulary") {
    const TemporaryFolder folder;
    const auto path = folder / "c?.yml"; // cv::FileStorage gives '?' a meaning
    checks::write_bytes(path, heading + "name: x\n" + matrix("a", "d", 1, 2, "1., 2.") +
                                  matrix("b", "f", 2, 3, "1., 2., 3., 4., 1.40129846e-45, -6.") +
                                  matrix("c", "f", 1, 1, "9."));
    const Vocabulary read = read_vocabulary(path);
    CHECK(read.dimensions == 3);
    CHECK(read.values == std::vector<float>{1, 2, 3, 4, 1.40129846e-45F, -6});

    checks::write_bytes(folder / "c.xml",
                        "<?xml version=\"1.0\"?><opencv_storage><m type_id=\"opencv-matrix\">"
                        "<rows>1</rows><cols>2</cols><dt>f</dt><data>1.5 2.5</data></m>"
                        "</opencv_storage>");
    CHECK(read_vocabulary(folder / "c.xml").values == std::vector<float>{1.5F, 2.5F});
}

TEST_CASE("files: OpenCV's files without a float matrix say what they hold") {
    const TemporaryFolder folder;
    const auto path = folder / "c.yaml";
    const checks::Refuse refuse{Fault::vocabulary, path, read_vocabulary};
    refuse(heading + matrix("a", "d", 1, 2, "1., 2."), {"float32", "a (dt d, 1x2)", "CV_32F"});
    refuse(heading + matrix("a", "\"2f\"", 1, 1, "1., 2."), {"a (dt 2f, 1x1)"});
    refuse(heading + "x: 1\n", {"found none"});
    refuse(heading + matrix("a", "f", 2, 2, "1., 2., 3."), {"a (dt f, 2x2) has 3 values"});
    refuse(heading + matrix("a", "f", 2000000000, 2000000000, "1."), {"has 1 values"});
    refuse(heading + matrix("a", "f", -1, -1, "1."), {"-1x-1"});
    refuse(heading + "a: !!opencv-matrix\n   rows: 1\n   cols: 2\n   dt: f\n   data: !!binary |\n  "
                     "   Zg==\n",
           {"'Zg==", "base64", ".npy"});
    refuse(heading + matrix("a", "f", 1, 2, "1., .Nan"), {"row 0", "NaN"});
    refuse(heading + matrix("a", "f", 1, 2, "1., text"), {"'text'", "no number"});
    refuse(heading + matrix("a", "f", 1, 2, "1., -.Inf"), {"row 0", "infinity"});
    const std::string base64(72, 'A');
    refuse(R"(<?xml version="1.0"?><opencv_storage><v type_id="binary">)" + base64,
           {"OpenCV's XML"});
    refuse(R"({"v": "$base64$)" + base64, {"OpenCV's YAML"});
    refuse("", {"found none"});
    refuse("no yaml at all", {"found none"});
    refuse("%YAML:1.0\n---\na: [ 1, 2", {path.string()});
}

TEST_CASE("files: OpenCV's files that nest without end are refused, not followed") {
    const TemporaryFolder folder;
    const auto path = folder / "c.yml";
    const checks::Refuse refuse{Fault::vocabulary, path, read_vocabulary};
    const auto repeat = [](const std::string &text) {
        std::string all;
        for (int i = 0; i < 100000; ++i) all += text;
        return all;
    };
    const std::string start = "<?xml version=\"1.0\"?><opencv_storage>";
    const char *too_deep = "more than 100 levels deep";
    refuse(start + repeat("<a>"), {"cannot be read as OpenCV's XML"});
    refuse(start + repeat("<a>") + repeat("</a>") + "</opencv_storage>", {"found none"});
    refuse(heading + "a: " + repeat("["), {too_deep});
    refuse(heading + "a: " + repeat("{ a: "), {too_deep});
    refuse(heading + "a: " + repeat("{ a}, b: "), {"cannot be read as OpenCV's YAML"});
    refuse(heading + "a: " + repeat("[ \"]\",\n "), {too_deep});
    refuse(heading + repeat("- "), {too_deep});
    refuse(heading + repeat("a: "), {"cannot be read as OpenCV's YAML"});
    refuse("{\"b\": " + repeat("{\"a\": "), {too_deep});
    std::string laughs = heading + "a: &a [1,1,1,1]\n"; // would be 9^20 values
    for (char name = 'a'; name < 'v'; ++name) {
        laughs += std::string(1, name + 1) + ": &" + std::string(1, name + 1) + " [";
        for (int i = 0; i < 9; ++i) laughs += "*" + std::string(1, name) + (i < 8 ? "," : "]\n");
    }
    refuse(laughs, {"found none"});
    std::string stairs = heading; // fewer, as its size grows with the square
    for (int i = 0; i < 2000; ++i) stairs += std::string(i, ' ') + "a:\n";
    refuse(stairs, {too_deep});
}

TEST_CASE("files: OpenCV's files as other programs may have changed them") {
    const TemporaryFolder folder;
    const auto read = [&](const char *name, const std::string &content) {
        checks::write_bytes(folder / name, content);
        return read_vocabulary(folder / name);
    };
    const std::string sound = matrix("m", "f", 2, 1, "1.,\n       2.5e-01");
    const std::vector<float> values{1, 0.25F};
    for (const std::string &text :
         {heading + sound, "%YAML 1.1\n---\n" + sound, sound, "\xEF\xBB\xBF" + heading + sound,
          heading + "# [[[\nkeypoints: [ { x:1, y:2. } ]\ntext: \"m: {\"\n" + sound + "...\n---\n[",
          heading + "map:\n   rows: 1\n   data: [ 9. ]\n" + sound,
          heading + "? [ a ]\n: b\n" + sound})
        CHECK(read("c.yml", text).values == values);
    CHECK(read("c.yml", R"({"m": {"type_id": "opencv-matrix", "rows": 2, "cols": 1, "dt": "f",)"
                        R"( "data": [ 1.0, 0.25 ]}})")
              .values == values);
    const std::string before = "<?xml version=\"1.0\"?>\n<opencv_storage>\n<!-- <m> -->\n";
    const std::string other = "<o><rows>1</rows><cols>1</cols><dt>\"2f\"</dt><data>1 2</data></o>";
    const std::string inner = "<rows>2</rows>\n<cols>1</cols><dt>f</dt><data>\n 1.\n 0.25</data>";
    const std::string after = "</opencv_storage>\n";
    CHECK(read("c.xml", before + other + "<m>" + inner + "</m>" + after).values == values);
    checks::write_bytes(folder / "c.xml", before + other + after);
    checks::require_error(Fault::vocabulary, (folder / "c.xml").string(), {"o (dt 2f, 1x1)"},
                          [&] { read_vocabulary(folder / "c.xml"); });
}

TEST_CASE("files: random damage to OpenCV's files is refused or harmless") {
    const TemporaryFolder folder;
    const std::string yaml = heading + matrix("m", "f", 2, 2, "1., 2., 3., 4.");
    std::string many = "<?xml version=\"1.0\"?><opencv_storage>";
    for (int i = 0; i < 1'000'001; ++i) many += "<a/>"; // each takes 17 times its length
    checks::write_bytes(folder / "many.xml", many + "</opencv_storage>");
    checks::require_error(Fault::vocabulary, (folder / "many.xml").string(), {"more elements"},
                          [&] { read_vocabulary(folder / "many.xml"); });
    const std::string xml = "<?xml version=\"1.0\"?><opencv_storage><m type_id=\"opencv-matrix\">"
                            "<rows>2</rows><cols>2</cols><dt>f</dt><data>1. 2. 3. 4.</data></m>"
                            "</opencv_storage>";
    for (const std::string &good : {yaml, xml})
        checks::require_harmless_damage(
            Fault::vocabulary, folder / "c.xml", good, [](const auto &path) {
                const Vocabulary read = read_vocabulary(path);
                REQUIRE(read.values.size() == read.size() * read.dimensions);
            });
}
