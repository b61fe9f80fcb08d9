#include <bowhist/assign/host/host_search.hpp>
#include <bowhist/assign/rule.hpp>

namespace bowhist {
namespace {

constexpr std::size_t comparisons_a_slice = std::size_t{1} << 24;

class SerialSearch : public HostSearch {
  public:
    explicit SerialSearch(const Vocabulary &vocabulary) : vocabulary_(vocabulary) {}

    std::uint64_t search(std::span<const float> values,
                         std::span<std::int32_t> words) const override {
        const std::size_t dimensions = vocabulary_.dimensions;
        for (std::size_t row = 0; row < words.size(); ++row)
            words[row] = nearest(values.subspan(row * dimensions, dimensions), vocabulary_);
        return 0;
    }

    std::size_t rows_a_slice() const override {
        return rows_for(comparisons_a_slice, 1, vocabulary_.size(), 1);
    }

  private:
    const Vocabulary &vocabulary_;
};

} // namespace

std::unique_ptr<HostSearch> make_serial_search(const Vocabulary &vocabulary, int /*threads*/,
                                               double /*bound_scale*/) {
    return std::make_unique<SerialSearch>(vocabulary);
}

} // namespace bowhist
