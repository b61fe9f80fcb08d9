#include <bowhist/bench/device_output.hpp>

#include <cmath>
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
DeviceOutput<T>::DeviceOutput(std::shared_ptr<Device> device, DeviceImages<T> out,
                              std::shared_ptr<const std::vector<T>> expected, Tolerance tolerance)
    : device_(std::move(device)), out_(std::move(out)), expected_(std::move(expected)),
      tolerance_(tolerance) {}

template <typename T>
std::vector<T> DeviceOutput<T>::download() const {
    std::vector<T> values(out_.elements());
    device_->download(std::span(values), out_.pixels);
    return values;
}

template <typename T>
void DeviceOutput<T>::poison(const Area &area) {
    std::vector<T> values = download();
    for (std::size_t row = area.first_row; row < area.first_row + area.rows; ++row)
        for (std::size_t x = area.first_column; x < area.first_column + area.columns; ++x)
            values[row * out_.pitch + x] = wrong_for((*expected_)[row * out_.width + x]);
    device_->upload<T>(out_.pixels, values);
}

template <typename T>
bool DeviceOutput<T>::fits(T found, T right) const {
    const auto reference = static_cast<double>(right);
    return std::abs(static_cast<double>(found) - reference) <= // false for NaN
           tolerance_.absolute + tolerance_.relative * std::abs(reference);
}

template <typename T>
std::uint64_t DeviceOutput<T>::mismatches() {
    const std::vector<T> values = download();
    std::uint64_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (std::size_t row = 0; row < out_.rows(); ++row)
        for (std::size_t x = 0; x < out_.width; ++x)
            if (!fits(values[row * out_.pitch + x], (*expected_)[row * out_.width + x])) ++wrong;
    return wrong;
}

template class DeviceOutput<float>;
template class DeviceOutput<std::uint8_t>;
template class DeviceOutput<std::uint32_t>;

} // namespace bowhist
