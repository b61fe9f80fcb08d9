#include <bowhist/files/opencv_matrix.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/files/nesting.hpp>

#include <fmt/format.h>
#include <opencv2/core.hpp>

namespace bowhist {

namespace {

/// cv::FileStorage parses by recursion: a forged file would exhaust the stack, which no exception
/// tells. A matrix needs 3 levels; a bound that is generous to others still leaves most of it.
void require_shallow(const InputFile &file, const std::string &text) {
    constexpr std::size_t most = 100;
    if (hides_text(text))
        file.fail("holds a NUL, or a CR within a line; save it as text, or the matrix as .npy");
    if (nesting_bound(text) > most)
        file.fail(fmt::format("its values are nested more than {} levels deep, and a matrix needs "
                              "3; save the matrix alone, or as .npy",
                              most));
}

/// One value of the file's topmost map, as far as it claims to be a matrix.
struct Candidate {
    explicit Candidate(const cv::FileNode &node)
        : name(node.name()), type(node["dt"].string()), rows(static_cast<int>(node["rows"])),
          columns(static_cast<int>(node["cols"])), values(node["data"]) {}

    static bool fits(const cv::FileNode &node) {
        return node.isMap() && node["rows"].isInt() && node["cols"].isInt() &&
               node["dt"].isString() && node["data"].isSeq();
    }
    bool is_float() const { return type == "f"; }
    std::string description() const {
        return fmt::format("{} (dt {}, {}x{})", printable(name), printable(type), rows, columns);
    }

    std::string name;
    std::string type;
    int rows;
    int columns;
    cv::FileNode values;
};

FloatMatrix values_of(const InputFile &file, const Candidate &matrix) {
    // before OpenCV allocates by these numbers
    const bool sensible = matrix.rows >= 1 && matrix.columns >= 1;
    const auto promised = static_cast<std::uint64_t>(matrix.rows) * matrix.columns;
    if (!sensible || promised != matrix.values.size())
        file.fail(
            fmt::format("its matrix {} has {} values", matrix.description(), matrix.values.size()));
    FloatMatrix floats{static_cast<std::size_t>(matrix.columns), std::vector<float>(promised)};
    matrix.values.readRaw("f", floats.values.data(), promised * sizeof(float));
    return floats;
}

FloatMatrix first_float_matrix(const InputFile &file, const std::string &text) {
    const cv::FileStorage storage(text, cv::FileStorage::READ | cv::FileStorage::MEMORY);
    std::string found;
    const cv::FileNode root = storage.root();
    for (const cv::FileNode &node : root) {
        if (!Candidate::fits(node)) continue;
        const Candidate matrix(node);
        if (matrix.is_float()) return values_of(file, matrix);
        found += (found.empty() ? "" : ", ") + matrix.description();
    }
    file.fail(fmt::format("expected a matrix of float32 (dt f), found {}; convert it to CV_32F or "
                          "save it as .npy",
                          found.empty() ? "none" : found));
}

} // namespace

FloatMatrix read_opencv_matrix(InputFile &file) {
    // by its text, not by its path, in which cv::FileStorage gives '?' and '.gz' a meaning
    const std::string text = file.read_text();
    require_shallow(file, text);
    try {
        return first_float_matrix(file, text);
    } catch (const cv::Exception &exception) {
        file.fail("OpenCV cannot read it: " + printable(exception.err));
    }
}

} // namespace bowhist
