#pragma once

#include <bowhist/core/descriptors.hpp>

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// An integer in [0, bound). The same seed gives the same numbers everywhere, which the standard's
/// distributions do not promise.
inline std::uint64_t draw_below(std::mt19937_64 &engine, std::uint64_t bound) {
    const std::uint64_t usable = engine.max() - engine.max() % bound;
    std::uint64_t drawn = engine();
    while (drawn >= usable) drawn = engine();
    return drawn % bound;
}

/// Keeps a number of the descriptors that are added, each with the same probability: Algorithm R
/// (Vitter, Random Sampling with a Reservoir, 1985). Seed and order determine which ones.
class DescriptorSample {
  public:
    /// @param most  rows to keep at most; 0: all
    DescriptorSample(std::size_t most, std::uint64_t seed)
        : most_(most), engine_(~seed) {} // not the draws of the start

    /// Restores the state after `seen` descriptors. REQUIRES: before the first add().
    /// @param kept  @param draws  the results of take() and draws() then
    /// @return false where `draws` is not a state of the generator
    bool resume(Descriptors kept, std::uint64_t seen, const std::string &draws);

    /// Lowers the most that it keeps. REQUIRES: before the first add()
    void lower(std::size_t most) { most_ = most; }

    /// Reserves memory for that many floats, if there is enough.
    void reserve(std::size_t floats);

    /// Adds rows. All calls have the same dimensions.
    void add(std::span<const float> values, std::size_t dimensions);

    /// Draws for that many rows, which lie elsewhere: another sample that is drawn alike has them.
    void skip(std::uint64_t count);

    /// Draws for rows as add() does. @return those of them that add() would keep in its turn
    std::vector<float> chosen(std::span<const float> values, std::size_t dimensions);

    /// Adds rows of which only those that chosen() returned are here. @return how many of these
    /// `count` took
    std::size_t add_chosen(std::uint64_t count, std::span<const float> chosen,
                           std::size_t dimensions);

    std::uint64_t seen() const { return seen_; }
    /// The state of the generator, as text.
    std::string draws() const;
    std::size_t size() const { return kept_.size(); }
    /// The kept descriptors.
    Descriptors take() && { return std::move(kept_); }

  private:
    /// The place of the next row; nothing if it is not kept.
    std::optional<std::uint64_t> next_place();
    void put(std::uint64_t place, std::span<const float> row);

    std::size_t most_;
    std::mt19937_64 engine_;
    std::uint64_t seen_ = 0;
    Descriptors kept_;
};

} // namespace bowhist
