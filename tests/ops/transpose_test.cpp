#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"

#include <bowhist/ops/transpose.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("transpose: any size, both ways of doing it") {
    Device &device = *shared_device();
    for (const TransposeMethod method : {TransposeMethod::naive, TransposeMethod::tiled})
        for (const std::size_t rows : {0, 1, 15, 16, 17, 64, 1000})
            for (const std::size_t columns : {1, 15, 16, 17, 64, 65}) {
                INFO(rows << "×" << columns);
                const Descriptors in = random_descriptors(rows, columns, 1);
                const auto source = device.allocate<float>(in.values.size());
                const auto target = device.allocate<float>(in.values.size());
                device.upload<float>(source, in.values);
                const DimensionMajor out =
                    transpose(device, {source, rows, columns}, target, method);
                std::vector<float> turned(in.values.size());
                device.download(std::span(turned), out.values);
                for (std::size_t row = 0; row < rows; ++row)
                    for (std::size_t column = 0; column < columns; ++column)
                        REQUIRE(turned[column * rows + row] == in.row(row)[column]);
            }
}
