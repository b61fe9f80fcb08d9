#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/search/device_image_search.hpp>

#include <memory>
#include <span>
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

} // namespace bowhist
