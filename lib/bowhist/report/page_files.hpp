#pragma once

#include <bowhist/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace bowhist {

class UnfinishedFolder;

/// A page, and where it is large a folder beside it, with further pages and with thumbnails as
/// files, which a browser loads when they come into view.
///
/// The folder of `sheet.html` is `sheet.bowhist-0123456789abcdef`; the page of a folder `DIR/` is
/// `DIR/index.html`. The number is a hash of what the folder holds. So a former page keeps its
/// folder until the new one has taken its place, and only then is the former folder removed.
///
/// Protocol: use_folder (optional), then add_* and finish_folder; the page is written to page() at
/// any time; then close, then commit. Without commit nothing appears and nothing is removed.
/// @throws Error{Fault::output}, from every function
class PageFiles {
  public:
    /// @param place  a file, or a folder, which ends in a slash or is there
    explicit PageFiles(const std::filesystem::path &place);
    ~PageFiles();
    PageFiles(const PageFiles &) = delete;
    PageFiles &operator=(const PageFiles &) = delete;

    AtomicFile &page() { return *page_; }
    std::string page_name() const { return page_->destination().filename().native(); }

    /// Makes the folder, which is there already if the place is a folder.
    void use_folder();
    bool has_folder() const { return folder_ != nullptr; }
    /// A file as it would lie in the folder, from which links lead elsewhere.
    std::filesystem::path further_page() const;

    /// Adds a page to the folder.
    void add_page(const std::string &name, std::string_view text);
    /// Adds a thumbnail, a JPEG. @return its URL from a page of the folder
    std::string add_thumbnail(std::string_view jpeg);
    /// @return what leads from the page to the folder, a URL that ends in a slash
    std::string finish_folder();

    void close() { page_->close(); }
    void commit();

  private:
    void add(const std::string &name, std::string_view bytes);
    void remove_former() const;

    std::filesystem::path folder_of_page_, stem_;
    std::unique_ptr<UnfinishedFolder> folder_;
    std::unique_ptr<AtomicFile> page_;
    std::shared_ptr<void> hash_; ///< of what the folder holds
    std::string finished_ = {};  ///< the folder's name
    std::size_t thumbnails_ = 0;
};

/// The path of a place's page: the file, or a folder's index.html.
std::filesystem::path page_of(const std::filesystem::path &place);

} // namespace bowhist
