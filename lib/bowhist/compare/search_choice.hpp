#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/choose/choice_cache.hpp>
#include <bowhist/compare/image_search.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// One way to search: a row of the table in search_levels().
struct SearchLevel {
    std::string_view id;   ///< of the ladder (assign/level.hpp)
    std::string_view idea; ///< in a sentence
    bool on_device = false;
    HostWay way = {}; ///< on the host
};

/// Every way, in the order of the ladder. All give the same answers.
const std::vector<SearchLevel> &search_levels();

/// The level of that name, else the next lower one of its kind, on the host or on a device.
/// @throws Error{Fault::usage} for a name that is not in the ladder
const SearchLevel &find_search_level(std::string_view id);

/// The choice of `auto`: the host, or a GPU if its start, the upload of the images and the search
/// take less time. Both paces are those of earlier searches of as many words, which are remembered
/// beside the choices of assignment; each search of some length renews its own. A GPU that was
/// never tried is tried where the host would take long.
class SearchChoice {
  public:
    /// @param words  of the vocabulary; 0: codes are searched alone
    SearchChoice(const LevelRequest &request, std::size_t words);

    /// The devices of the request, at least one. One that cannot be opened takes no part, with a
    /// warning. @throws Error{Fault::device} where none can
    std::vector<std::shared_ptr<Device>> open_devices(Observer &observer) const;
    /// @param images, queries  in all
    const SearchLevel &choose(std::size_t images, std::size_t queries) const;
    /// Remembers what a search by the level took, unless it was short.
    /// @param seconds  of `pairs` of an image and a query; of images sent up, for `is_upload`
    void remember(const SearchLevel &level, double pairs, double seconds,
                  bool is_upload = false) const;

  private:
    ChoiceKey key(const SearchLevel &level, bool is_upload) const;
    std::optional<double> pace(const SearchLevel &level, bool is_upload = false) const;

    LevelRequest request_;
    std::size_t words_;
};

} // namespace bowhist
