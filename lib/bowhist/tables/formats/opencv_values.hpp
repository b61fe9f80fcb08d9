#pragma once

#include <bowhist/io/byte_source.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// A named map of cv::FileStorage, as far as it looks like a matrix.
struct OpenCvMatrix {
    std::string name;
    std::string type; ///< its "dt"; "f" is one float32 an element
    std::string rows; ///< as the file tells them
    std::string columns;
    bool has_values = false; ///< a "data" that is no map
    std::vector<float> values;
    std::string no_number; ///< the first of the values that is none

    void take_field(std::string_view key, std::string_view text);
    void take_value(std::string_view text);
};

/// Returns whether it wants the next one, too.
using TakeMatrix = std::function<bool(OpenCvMatrix &&)>;

/// Gives each map at the top of the file to `take`, in order.
/// @throws Error of the file's fault when it is no YAML (no XML)
void each_yaml_matrix(const ByteSource &file, std::string_view text, const TakeMatrix &take);
void each_xml_matrix(const ByteSource &file, std::string_view text, const TakeMatrix &take);

} // namespace bowhist
