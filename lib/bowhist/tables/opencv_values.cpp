#include <bowhist/tables/opencv_values.hpp>

#include <charconv>
#include <limits>

namespace bowhist {

namespace {

bool parse(std::string_view text, float &value) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (text == ".Inf" || text == "-.Inf") {
        value = text.front() == '-' ? -infinity : infinity;
        return true;
    }
    if (text == ".Nan") {
        value = std::numeric_limits<float>::quiet_NaN();
        return true;
    }
    const char *end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value);
    return parsed.ec == std::errc{} && parsed.ptr == end;
}

} // namespace

void OpenCvMatrix::take_field(std::string_view key, std::string_view text) {
    if (key == "dt") type = text;
    if (key == "rows") rows = text;
    if (key == "cols") columns = text;
}

void OpenCvMatrix::take_value(std::string_view text) {
    float value = 0;
    if (!parse(text, value) && no_number.empty()) no_number = text;
    values.push_back(value);
}

} // namespace bowhist
