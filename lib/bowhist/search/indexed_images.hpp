#pragma once

#include <bowhist/compare/device_image_search.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/index_part.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace bowhist {

/// Images in parts, searched on one device, or on several that share them: each has some windows of
/// images, and the best of all are joined in the order of BestImages, so that shares change
/// nothing.
///
/// Shares are cut anew, by the devices' paces, where a search would gain a half by it, twice in a
/// row. A device that fails leaves (leave.hpp); its images go to the others, and the search starts
/// again. One thread at a time.
class SharedImageSearch {
  public:
    /// @param devices   at least one @param observer  outlives it
    SharedImageSearch(const std::vector<std::shared_ptr<Device>> &devices, Observer &observer);
    ~SharedImageSearch();

    /// Sends the images up, in place of those before. @param parts  outlive the searches
    /// @throws as DeviceImageSearch, where no device is left
    void send(std::vector<SearchableImages> parts);

    /// As search(), of all parts; images have numbers in their order.
    std::vector<std::vector<ScoredImage>> search(std::span<const ImageQuery> queries,
                                                 const ScoreWeights &weights, std::size_t most);

  private:
    struct Member;
    using Answers = std::vector<std::vector<ScoredImage>>;

    void share_out();
    void send(Member &member, std::size_t first, std::size_t end);
    /// Calls `act` with all members, on a thread each. Members that fail leave.
    /// @return whether none did @throws the error of the last device
    template <typename Act>
    bool all_can(const Act &act);
    void consider_new_shares();

    Observer &observer_;
    std::vector<SearchableImages> parts_;
    std::vector<std::unique_ptr<Member>> members_;
    int slow_searches_ = 0; ///< one after the other, that other shares would shorten
    int slow_enough_ = 2;   ///< of these, until shares are cut anew
};

/// The images of a library, searched by its index. An image has a number from when it is first met.
/// One thread at a time.
class IndexedImages {
  public:
    /// The parts that images are compared by.
    struct Parts {
        bool words = false;
        bool codes = false;
        std::optional<WordMeasure> measure = {}; ///< of the words, if not that of the index
    };

    /// Reads codes, and of words what holds for whole images; all words and their rows where they
    /// are compared by another measure than the index has. @throws as Library
    IndexedImages(const Library &library, const Parts &parts, Observer &observer);

    /// Contents that are compared; some may belong to no image any more.
    std::size_t contents() const { return contents_; }
    const WordMeasure &measure() const { return measure_; }
    /// All images, in the order of path bytes, by their numbers.
    std::vector<std::size_t> all();
    const LibraryImage &image(std::size_t number) const { return images_[number]; }
    std::optional<std::size_t> find(const std::string &path);

    /// Reads all words at once, in the place of those that queries have.
    void keep_all_words();
    /// Searches there from now on, with all words; several devices share the images.
    /// @param observer  outlives the images
    void use(const std::vector<std::shared_ptr<Device>> &devices, Observer &observer);
    /// How the host adds up from now on.
    void use(const HostWay &way) { way_ = way; }

    /// The most similar images of each query: the highest score first, then by path bytes. They are
    /// as many as asked for, more if the last ones are equal, fewer if there are no more.
    std::vector<std::vector<ScoredImage>> search(std::span<const ImageQuery> queries,
                                                 const ScoreWeights &weights, std::size_t most);
    /// The time of comparing in all searches so far, without reading words.
    double compared_seconds() const { return compared_seconds_; }
    /// The highest score first, then by path bytes.
    void sort(std::vector<ScoredImage> &found) const;

  private:
    void open_index(bool words, bool codes, Observer &observer);
    void read_rows(Observer &observer);
    std::size_t number(const LibraryImage &image);
    const std::vector<std::size_t> &numbers_of(std::int64_t content);
    std::int64_t content(std::size_t place) const;
    void read_words(std::span<const ImageQuery> queries);
    void read_words_of_all(std::span<const std::uint32_t> words, bool by_word);
    std::vector<std::vector<ScoredImage>> search_contents(std::span<const ImageQuery> queries,
                                                          const ScoreWeights &weights,
                                                          std::size_t most);
    std::vector<std::vector<ScoredImage>> search_on_host(std::span<const ImageQuery> queries,
                                                         const ScoreWeights &weights,
                                                         std::size_t most) const;
    std::vector<ScoredImage> images_in(const std::vector<ScoredImage> &contents);

    const Library &library_;
    WordMeasure measure_{Normalization::hellinger, {}};
    ComparedBy by_;
    std::vector<std::unique_ptr<IndexPart>> parts_;
    std::unique_ptr<SharedImageSearch> on_devices_; ///< null where the host searches
    HostWay way_;
    double compared_seconds_ = 0;
    std::size_t contents_ = 0;
    bool has_all_words_ = false;

    std::vector<LibraryImage> images_;                      ///< that were met
    std::unordered_map<std::int64_t, std::size_t> numbers_; ///< by id
    std::unordered_map<std::int64_t, std::vector<std::size_t>> of_content_;
    bool has_met_all_ = false;
};

} // namespace bowhist
