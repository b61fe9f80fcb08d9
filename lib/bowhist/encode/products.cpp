#include <bowhist/encode/products.hpp>

#include <bowhist/core/cpu_clones.hpp>

namespace bowhist {

BOWHIST_FOR_EACH_CPU
std::int32_t product_of(const std::int16_t *a, const std::int16_t *b, std::size_t size) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{a[i]} * b[i];
    return sum;
}

} // namespace bowhist
