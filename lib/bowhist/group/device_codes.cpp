#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/group/device_codes.hpp>
#include <bowhist/group/group_launch.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace bowhist {
namespace {

/// In an order without any: neighbors do not depend on it.
std::vector<std::uint32_t> mixed_rows(std::span<const std::int32_t> squared_norms) {
    std::vector<std::uint32_t> rows;
    rows.reserve(squared_norms.size());
    for (std::size_t row = 0; row < squared_norms.size(); ++row)
        if (squared_norms[row] != 0) rows.push_back(static_cast<std::uint32_t>(row));
    std::mt19937_64 draw(1); // NOLINT(cert-msc51-cpp): the same on every machine, and meant to be
    for (std::size_t left = rows.size(); left > 1; --left)
        std::swap(rows[left - 1], rows[draw() % left]);
    return rows;
}

} // namespace

std::size_t code_bytes(std::size_t dimensions) {
    return round_up(dimensions, std::size_t{CODE_SLICE});
}

DeviceCodes upload_codes(Device &device, const IntegerRows &rows,
                         std::span<const std::int32_t> squared_norms) {
    DeviceCodes codes;
    codes.rows = mixed_rows(squared_norms);
    const std::size_t bytes = code_bytes(rows.dimensions);
    const std::size_t places = round_up(codes.size(), std::size_t{MATRIX_CODE_GROUP});
    std::vector<std::int8_t> values(places * bytes, 0);
    std::vector<float> inverse_norms(places, 0);
    std::vector<cl_int> norms(places, 0);
    tbb::parallel_for(std::size_t{0}, codes.size(), [&](std::size_t place) {
        const DefaultFloats floats;
        const auto row = rows.row(codes.rows[place]);
        std::ranges::transform(row, values.data() + place * bytes,
                               [](std::int16_t value) { return static_cast<std::int8_t>(value); });
        norms[place] = squared_norms[codes.rows[place]];
        inverse_norms[place] = static_cast<float>(1 / std::sqrt(double(norms[place])));
    });
    codes.values = uploaded(device, values);
    codes.inverse_norms = uploaded(device, inverse_norms);
    codes.squared_norms = uploaded(device, norms);
    codes.numbers = uploaded<cl_uint>(device, codes.rows);
    return codes;
}

} // namespace bowhist
