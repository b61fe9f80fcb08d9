#pragma once

#include <bowhist/io/byte_source.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// A matrix, as a named map of cv::FileStorage holds it.
struct OpenCvMatrix {
    std::string name;
    std::string type; ///< its "dt"; "f" is one float32 an element
    std::string rows; ///< as written in the file
    std::string columns;
    bool has_values = false; ///< there is a "data" that is not a map
    std::vector<float> values;
    std::string first_invalid; ///< the first value that is not a number; empty: all are

    void take_field(std::string_view key, std::string_view text);
    void take_value(std::string_view text);
};

/// @return whether the next one is wanted, too
using TakeMatrix = std::function<bool(OpenCvMatrix &&)>;

/// Gives each map at the top of the file to `take`, in order.
/// @throws Error of the file's fault when it is no YAML (no XML)
void each_yaml_matrix(const ByteSource &file, std::string_view text, const TakeMatrix &take);
void each_xml_matrix(const ByteSource &file, std::string_view text, const TakeMatrix &take);

} // namespace bowhist
