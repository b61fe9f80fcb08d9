#include "tests/support/only_target.hpp"

#include <bowhist/compare/code_index.hpp>

#include <catch2/catch.hpp>

#include <random>

namespace bowhist {
namespace {

using Code = std::vector<std::int8_t>;

/// Codes of extremes, of zeros and of any values.
std::vector<Code> drawn(unsigned seed, std::size_t count, std::size_t dimensions) {
    std::mt19937 random(seed);
    std::vector<Code> codes(count, Code(dimensions));
    for (std::size_t i = 0; i < count; ++i)
        for (auto &value : codes[i])
            value = static_cast<std::int8_t>(i % 7 == 0   ? 127
                                             : i % 7 == 1 ? -127
                                             : i % 7 == 2 ? 0
                                                          : int(random() % 255) - 127);
    return codes;
}

std::int32_t product(const Code &a, const Code &b) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

void check_products() {
    constexpr std::size_t images = 300, queries = 11, multiple = 512;
    for (const std::size_t dimensions : {1, 2, 6, 7, 64, 127, 128, 300}) {
        const auto all = drawn(1, images, dimensions);
        const auto asked = drawn(2, queries, dimensions);
        CodeIndex index(dimensions);
        for (const Code &code : all) index.add(code);
        index.finish(multiple);
        CodeQueries prepared(dimensions);
        for (const Code &code : asked) prepared.add(code);
        REQUIRE(prepared.batches() == 2);
        for (const auto &[first, groups] : {std::pair<std::size_t, std::size_t>{0, 8}, {3, 2}}) {
            const std::size_t stride = groups * CodeIndex::group_images;
            for (std::size_t b = 0; b < prepared.batches(); ++b) {
                std::vector<std::int32_t> products(CodeQueries::at_once * stride, 99);
                multiply_codes()(index, prepared.batch(b), first, groups, products.data());
                for (std::size_t q = 0; q < CodeQueries::at_once; ++q)
                    for (std::size_t i = 0; i < stride; ++i) {
                        const std::size_t query = b * CodeQueries::at_once + q;
                        const std::size_t image = first * CodeIndex::group_images + i;
                        const bool is_one = query < queries && image < images;
                        const auto right = is_one ? product(asked[query], all[image]) : 0;
                        if (products[q * stride + i] != right)
                            FAIL(dimensions << " " << query << " " << image);
                    }
            }
        }
        for (const Code &code : all)
            CHECK(squared_norm(code) == static_cast<std::uint32_t>(product(code, code)));
    }
}

} // namespace

TEST_CASE("codes: each product is the plain sum, by each vector unit") {
    testing::for_each_target([](const std::string &target) {
        INFO(target);
        check_products();
    });
}

} // namespace bowhist
