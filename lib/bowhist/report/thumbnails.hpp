#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/report/page.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Pixels of a side of a page's thumbnails, as of a library's.
inline constexpr int page_thumbnail_side = 256;

/// A URL from a page to a file, by the way from the page's folder to it.
std::string link_to(const std::filesystem::path &page, const std::string &file);

/// The thumbnails of one page. Each links to its image, by the way from the page's folder to it. An
/// image without a thumbnail is named on the page; the observer is warned of the first one, with
/// its reason, and of their number at the end.
///
/// Protocol: make* and show*, then report_missing.
class Thumbnails {
  public:
    /// Makes a thumbnail's URL of its bytes, a JPEG.
    using Store = std::function<std::string(std::string_view)>;

    /// @param page  where the page will be
    /// @param observer  must outlive the object
    Thumbnails(const std::filesystem::path &page, Observer &observer, Store store = &data_url);

    /// The image at that path, which is decoded. `path` outlives the result.
    PageImage make(const std::string &path);
    /// The same of several, which are decoded on all threads.
    std::vector<PageImage> make(std::span<const std::string *const> paths);

    /// The same of a thumbnail that there is, a JPEG.
    PageImage show(const std::string &path, std::string_view jpeg) const;

    void report_missing(std::size_t images);

  private:
    /// The result of decoding a path: a JPEG, or why it has no JPEG.
    struct Decoded {
        std::string jpeg = {};
        std::string reason = {};
    };
    static Decoded decode(const std::string &path);
    PageImage made(const std::string &path, const Decoded &decoded);

    std::filesystem::path page_;
    Observer &observer_;
    Store store_;
    std::size_t missing_ = 0;
};

} // namespace bowhist
