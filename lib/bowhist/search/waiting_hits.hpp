#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// An image that may reach a limit, the query's or its own, by the most that its excess can add.
struct Hit {
    std::uint32_t query = 0;
    std::uint32_t image = 0;
    std::uint32_t by_bitmaps = 0; ///< of the product of their words
    std::int32_t by_code = 0;     ///< the product of their codes
};

/// Hits that are found for some queries block by block, and looked at query by query later. One
/// thread's.
class WaitingHits {
  public:
    /// @param queries  how many
    explicit WaitingHits(std::size_t queries = 0) : of_queries_(queries) {}

    void add(const Hit &hit) {
        of_queries_[hit.query].push_back(hit);
        ++count_;
    }
    std::size_t count() const { return count_; } ///< that were added since take()
    /// All that were added since the last time, by rising query, and in the order of adding. The
    /// span holds until the next call.
    std::span<const Hit> take() {
        all_.clear();
        count_ = 0;
        for (std::vector<Hit> &hits : of_queries_) {
            all_.insert(all_.end(), hits.begin(), hits.end());
            hits.clear();
        }
        return all_;
    }

  private:
    std::vector<std::vector<Hit>> of_queries_;
    std::size_t count_ = 0;
    std::vector<Hit> all_;
};

} // namespace bowhist
