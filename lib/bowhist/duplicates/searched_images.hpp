#pragma once

#include <bowhist/duplicates/companions.hpp>
#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/duplicates/folder_of_images.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/duplicates/proposals.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace bowhist {

/// Images of the same bytes: the one that stands for them first.
struct Content {
    static constexpr std::size_t not_kept = std::numeric_limits<std::size_t>::max();

    std::vector<LibraryImage> images = {};
    std::size_t kept = 0;         ///< images at the front that are never to be removed
    std::size_t of_reference = 0; ///< of these, until all are there: those that come first
    std::size_t rank = not_kept;  ///< of the first kept folder that holds one; 0 of a reference
    bool is_ours = false;         ///< of the library that is searched
    bool is_reference = false;

    std::size_t keep_rank() const { return rank; } ///< lower ones are better
};

/// The contents of a library, or of two, that are searched for copies. They are ordered by their
/// hashes, so that nothing depends on paths or on what came first.
class SearchedImages {
  public:
    /// @param preferences  of images of the same bytes
    /// @throws as find_duplicates
    SearchedImages(const DuplicatesRequest &request, Preferences preferences);
    SearchedImages(const SearchedImages &) = delete; ///< images() names its libraries
    SearchedImages &operator=(const SearchedImages &) = delete;

    std::size_t size() const { return contents_.size(); }
    const Content &operator[](std::uint32_t content) const { return contents_[content]; }
    /// The front of each content.
    const NumberedImages &images() const { return images_; }
    const Recipe &words_recipe() const { return recipe_; }
    std::string words_fingerprint() const { return library_.models().at("words").fingerprint; }
    const Preferences &preferences() const { return preferences_; }
    /// Whether the order of preferences is the usual one: then a doubt keeps both images.
    bool preferences_are_usual() const { return request_.prefer.order.empty(); }
    /// Whether an image has sidecars, a raw file or a video beside it.
    bool has_companions(std::uint32_t image) const;
    /// Whether an image of the library lies below the folder that is kept.
    bool has_kept() const { return has_kept_; }
    bool has_reference() const { return reference_.has_value(); }

    /// Searches for some images among those of the reference.
    /// @return the proposals of each query; nothing where there are no queries or none can be found
    std::vector<Proposals> propose(std::span<const std::uint32_t> queries,
                                   std::span<const std::uint32_t> findable,
                                   const ProposalLimits &limits, Observer &observer) const;
    /// Compares images of the library with others of it. @param queries, findable  rising
    void compare(std::span<const std::uint32_t> queries, std::span<const std::uint32_t> findable,
                 PairedProposals &proposals, Observer &observer) const;
    bool has_codes() const;

  private:
    void require_words() const;
    void require_same_models() const;
    bool lacks_mirrored_words() const;
    void read_images();
    std::size_t rank_of(const LibraryImage &image) const;
    void add(const LibraryImage &image, std::size_t rank, bool of_reference,
             Content &content) const;
    void number(Content &&content);
    IndexPart part(std::span<const std::uint32_t> images, const WordMeasure &measure,
                   Observer &observer) const;

    const DuplicatesRequest &request_;
    Preferences preferences_;
    Library library_;
    std::optional<Library> reference_;
    Recipe recipe_;
    std::vector<Content> contents_;
    NumberedImages images_;
    std::vector<FolderOfImages> keep_;
    mutable CompanionFiles companions_; ///< reads folders once
    bool has_kept_ = false;
};

} // namespace bowhist
