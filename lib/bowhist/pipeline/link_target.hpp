#pragma once

#include <filesystem>

namespace bowhist {

/// The folder that a link leads to.
class LinkTarget {
  public:
    explicit LinkTarget(std::filesystem::path link);

    /// Whether it leads to a folder above it, by where it lies or by the links that led to it.
    /// @param below its path below the folder that was named
    bool leads_back(std::filesystem::path below) const;

    /// Into a folder that is ignored where it lies (is_clutter()). Folders above both the link and
    /// its target do not count.
    bool leads_into_clutter() const;

  private:
    std::filesystem::path link_;
    std::filesystem::path target_; ///< without links; empty where it leads nowhere
    std::filesystem::path parent_; ///< of the link, without links
};

} // namespace bowhist
