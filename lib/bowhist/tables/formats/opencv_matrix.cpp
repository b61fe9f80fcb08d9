// Files of cv::FileStorage: a map of named values, among them matrices.
//
//     YAML   %YAML:1.0                            XML   <?xml version="1.0"?>
//            ---                                        <opencv_storage>
//            name: !!opencv-matrix                      <name type_id="opencv-matrix">
//               rows: 2                                   <rows>2</rows>
//               cols: 2                                   <cols>2</cols>
//               dt: f                                     <dt>f</dt>
//               data: [ 1., 2., .Inf, .Nan ]              <data>1. 2. .Inf .Nan</data></name>
//                                                       </opencv_storage>
//
// JSON is read as YAML. OpenCV's own parser is not used: it recurses as deep as a file says, and
// some files of 100 bytes make it hang.

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/tables/formats/float_matrix.hpp>
#include <bowhist/tables/formats/opencv_values.hpp>

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace bowhist {

namespace {

std::optional<float> value_of(std::string_view text) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (text == ".Inf") return infinity;
    if (text == "-.Inf") return -infinity;
    if (text == ".Nan") return std::numeric_limits<float>::quiet_NaN();
    return as_number<float>(text);
}

std::string description(const OpenCvMatrix &matrix) {
    return excerpt(fmt::format("{} (dt {}, {}x{})", excerpt(matrix.name), matrix.type, matrix.rows,
                               matrix.columns));
}

FloatMatrix values_of(const InputFile &file, OpenCvMatrix &&matrix) {
    if (!matrix.first_invalid.empty())
        file.fail("its matrix {} holds '{}', which is no number; save it as plain text (no "
                  "base64), or as .npy",
                  description(matrix), excerpt(matrix.first_invalid));
    const auto rows = as_number<std::uint32_t>(matrix.rows);
    const auto columns = as_number<std::uint32_t>(matrix.columns);
    if (!rows || !columns || *columns == 0 ||
        std::uint64_t{*rows} * *columns != matrix.values.size())
        file.fail("its matrix {} has {} values", description(matrix), matrix.values.size());
    return {*columns, std::move(matrix.values)};
}

} // namespace

void OpenCvMatrix::take_field(std::string_view key, std::string_view text) {
    if (key == "dt") type = text;
    if (key == "rows") rows = text;
    if (key == "cols") columns = text;
}

void OpenCvMatrix::take_value(std::string_view text) {
    const auto value = value_of(text);
    if (!value && first_invalid.empty()) first_invalid = text;
    values.push_back(value.value_or(0));
}

FloatMatrix read_opencv_matrix(InputFile &file) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    const std::string all = file.read_text();
    std::string_view text = all;
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());

    std::optional<FloatMatrix> floats;
    std::string found;
    const auto take = [&](OpenCvMatrix &&matrix) {
        if (matrix.type.empty() || !matrix.has_values) return true;
        if (matrix.type == "f")
            floats = values_of(file, std::move(matrix));
        else if (found.size() < 200)
            found += (found.empty() ? "" : ", ") + description(matrix);
        return !floats.has_value();
    };
    (text.starts_with('<') ? each_xml_matrix : each_yaml_matrix)(file, text, take);
    if (floats) return std::move(*floats);
    file.fail(
        "expected a matrix of float32 (dt f), found {}; convert it to CV_32F or save it as .npy",
        found.empty() ? "none" : excerpt(found));
}

} // namespace bowhist
