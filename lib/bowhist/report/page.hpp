#pragma once

#include <bowhist/core/observer.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace bowhist {

/// How every page begins: its title, and the one style of all pages.
std::string page_head(std::string_view title);

/// How every page ends.
constexpr std::string_view page_end = "</body>\n</html>\n";

/// The thumbnails of one page. Each links to its image, by the way from the page's folder to it. An
/// image without a thumbnail is named on the page; the observer is warned of the first one, with
/// its reason, and of their number at the end.
///
/// Protocol: make*, then report_missing.
class Thumbnails {
  public:
    /// @param page  where the page will be
    /// @param observer  must outlive the object
    Thumbnails(const std::filesystem::path &page, Observer &observer);

    /// The element that shows the image at that path, which is decoded for it.
    std::string make(const std::string &image);

    /// The same of a thumbnail that there is, a JPEG.
    std::string show(const std::string &image, std::string_view jpeg) const;

    void report_missing(std::size_t images);

  private:
    std::filesystem::path folder_; ///< of the page
    Observer &observer_;
    std::size_t missing_ = 0;
};

} // namespace bowhist
