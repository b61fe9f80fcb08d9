#include "bench/device_output.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace bowhist {
namespace {

template <typename T>
T wrong_for(T right) {
    if constexpr (std::is_floating_point_v<T>)
        return std::numeric_limits<T>::quiet_NaN();
    else
        return static_cast<T>(~right);
}

} // namespace

template <typename T>
void ExpectedOutput<T>::poison(const Area &area) {
    std::vector<T> values = read();
    for (std::size_t row = area.first_row; row < area.first_row + area.rows; ++row)
        for (std::size_t x = area.first_column; x < area.first_column + area.columns; ++x)
            values[row * pitch_ + x] = wrong_for((*expected_)[row * shape_.width + x]);
    write(values);
}

template <typename T>
bool ExpectedOutput<T>::fits(T found, T right) const {
    if (tolerance_.absolute == 0 && tolerance_.relative == 0)
        return std::memcmp(&found, &right, sizeof(T)) == 0; // 0 is not -0
    const auto reference = static_cast<double>(right);
    return std::abs(static_cast<double>(found) - reference) <= // false for NaN
           tolerance_.absolute + tolerance_.relative * std::abs(reference);
}

template <typename T>
std::uint64_t ExpectedOutput<T>::mismatches() {
    const std::vector<T> values = read();
    if (values.size() != shape_.rows * pitch_) return shape_.rows * shape_.width; // all
    std::uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (std::size_t row = 0; row < shape_.rows; ++row)
        for (std::size_t x = 0; x < shape_.width; ++x)
            if (!fits(values[row * pitch_ + x], (*expected_)[row * shape_.width + x])) ++wrong;
    return wrong;
}

template class ExpectedOutput<float>;
template class ExpectedOutput<std::uint8_t>;
template class ExpectedOutput<std::uint32_t>;

} // namespace bowhist
