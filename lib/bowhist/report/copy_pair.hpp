#pragma once

#include <bowhist/duplicates/duplicates.hpp>

#include <string>
#include <string_view>

namespace bowhist {

/// An image of a pair, as a page shows it.
struct PairImage {
    const Duplicate *image = nullptr;
    std::string id = {};   ///< of its element, on the page
    std::string url = {};  ///< of its pixels; empty: they cannot be shown, or another pair has them
    std::string link = {}; ///< a URL of the whole image
    bool is_there = false; ///< can be shown
};

/// A copy and the image that it is held against.
struct CopyPair {
    std::size_t number = 0; ///< on the page
    PairImage with = {};
    PairImage copy = {};
    std::string tools = {}; ///< further elements, as HTML
};

/// The list of copies that are marked, at the end of a page of pairs.
constexpr std::string_view drop_list = R"(<div class="tray" data-needs-script>
<output data-drop-count>0 to drop</output>
<button type="button" data-drop-spare>Mark copies that are not kept</button>
<button type="button" data-drop-none>Clear</button>
<button type="button" data-drop-list="lines">Download list</button>
<button type="button" data-drop-list="nul">Download list with NULs</button>
</div>
)";

/// The pair as HTML: side by side, and laid over each other.
std::string pair_element(const CopyPair &pair);

} // namespace bowhist
