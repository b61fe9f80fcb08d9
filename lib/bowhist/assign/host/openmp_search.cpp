#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/host/host_search.hpp>
#include <bowhist/assign/packing/packed_centroids.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>

namespace bowhist {
namespace {

// Of each thread.
constexpr std::size_t comparisons_a_slice = std::size_t{1} << 25;
constexpr std::size_t least_rows_a_slice = 8;

class OpenmpSearch : public HostSearch {
  public:
    OpenmpSearch(const Vocabulary &vocabulary, int threads, double bound_scale)
        : vocabulary_(vocabulary), packed_(vocabulary), threads_(threads),
          bound_(float32_bound(vocabulary.dimensions, bound_scale)) {}

    std::uint64_t search(std::span<const float> values,
                         std::span<std::int32_t> words) const override {
        const std::size_t dimensions = vocabulary_.dimensions;
        std::uint64_t unproven = 0;
        const auto rows = static_cast<std::ptrdiff_t>(words.size());
#pragma omp parallel num_threads(threads_) reduction(+ : unproven)
        {
            const DefaultFloats floats; // of this thread
#pragma omp for schedule(static)
            for (std::ptrdiff_t r = 0; r < rows; ++r) {
                const auto row = static_cast<std::size_t>(r);
                const std::span<const float> x = values.subspan(row * dimensions, dimensions);
                const std::optional<std::int32_t> proven = packed_.screen(x, bound_);
                unproven += proven ? 0 : 1;
                words[row] = proven ? *proven : nearest(x, vocabulary_);
            }
        }
        return unproven;
    }

    std::size_t rows_a_slice() const override {
        return rows_for(comparisons_a_slice, least_rows_a_slice, vocabulary_.size(), threads_);
    }

  private:
    const Vocabulary &vocabulary_;
    PackedCentroids packed_;
    int threads_;
    Bound bound_;
};

} // namespace

std::unique_ptr<HostSearch> make_openmp_search(const Vocabulary &vocabulary, int threads,
                                               double bound_scale) {
    return std::make_unique<OpenmpSearch>(vocabulary, threads, bound_scale);
}

} // namespace bowhist
