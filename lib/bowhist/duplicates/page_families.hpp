#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace bowhist {

/// Images known to show the same page, and families known to show different ones. A result for two
/// images holds for their families, so few of many pairs need a close look.
class PageFamilies {
  public:
    /// The lowest image of its family.
    std::uint32_t family_of(std::uint32_t image) const;

    bool differ(std::uint32_t one, std::uint32_t other) const;

    /// Joins two families, unless they differ.
    void add_same(std::uint32_t one, std::uint32_t other);

    /// Does nothing for two images of one family.
    void add_different(std::uint32_t one, std::uint32_t other);

  private:
    std::map<std::uint32_t, std::uint32_t> lower_;               ///< a lower image of the family
    std::map<std::uint32_t, std::set<std::uint32_t>> different_; ///< families, each way
};

} // namespace bowhist
