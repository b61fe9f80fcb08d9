#pragma once

#include <bowhist/core/descriptors.hpp>

#include <cstdint>
#include <random>
#include <span>
#include <string>

namespace bowhist {

/// Keeps so many of the descriptors that pass by, each as likely as any other: Algorithm R (Vitter,
/// Random Sampling with a Reservoir, 1985). The seed and the order of the descriptors determine
/// which ones.
class DescriptorSample {
  public:
    /// @param most  rows to keep at most; 0: all
    DescriptorSample(std::size_t most, std::uint64_t seed)
        : most_(most), engine_(~seed) {} // not the draws of the start

    /// As it was when `seen` had passed by, these were kept of them, and draws() was that. Before
    /// the first add(). @return false where `draws` is no state of the generator
    bool resume(Descriptors kept, std::uint64_t seen, const std::string &draws);

    /// Room for so many floats at once, where there is that much memory.
    void reserve(std::size_t floats);

    /// Rows of as many dimensions as all others.
    void add(std::span<const float> values, std::size_t dimensions);

    std::uint64_t seen() const { return seen_; }
    /// The state of the generator, as text.
    std::string draws() const;
    std::size_t size() const { return kept_.size(); }
    /// Those that passed by, or so many of them.
    Descriptors take() && { return std::move(kept_); }

  private:
    std::size_t most_;
    std::mt19937_64 engine_;
    std::uint64_t seen_ = 0;
    Descriptors kept_;
};

} // namespace bowhist
