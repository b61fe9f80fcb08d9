#pragma once

#include <bowhist/duplicates/duplicates.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist {

/// An image of a pair, as a page shows it.
struct PairImage {
    const LibraryImage *image = nullptr;
    bool kept = false;     ///< Duplicate::kept
    bool spare = false;    ///< is_spare()
    std::string id = {};   ///< of its element, on the page
    std::string url = {};  ///< of its pixels; empty: they cannot be shown, or stand on the page
    std::string link = {}; ///< a URL of the whole image
    bool is_there = false; ///< can be shown
};

/// A copy and the image that it is held against.
struct CopyPair {
    const Duplicate *row = nullptr; ///< of the copy
    std::size_t number = 0;         ///< on the page
    PairImage with = {};
    PairImage copy = {};
    std::string tools = {}; ///< further elements, as HTML
};

/// An image that is in no group, and images that it resembles.
struct ApartPicture {
    const ApartImage *row = nullptr;
    PairImage picture = {};
    std::vector<PairImage> with = {}; ///< the first of ApartImage::with: most_shown_with of them
};

constexpr std::size_t most_shown_with = 4;

/// The pair as HTML: side by side, and laid over each other.
std::string pair_element(const CopyPair &pair);

/// The picture beside what it resembles as HTML, with its kind in a person's words. It has no
/// checkbox: nothing of it is to be dropped.
std::string apart_element(const ApartPicture &apart);

/// The heading above such pictures. @param pictures  how many there are
std::string apart_heading(std::size_t pictures);

/// The list of copies that are marked, at the end of a page of pairs.
/// @param scope  what the button for copies that are not kept marks, as text: "this page: 2 of 5";
///               empty: there is one page
/// @param spare  a URL that answers with all copies that are not kept (GET /api/spare); empty: the
///               button marks those of the page
std::string drop_list(const std::string &scope, const std::string &spare = {});

} // namespace bowhist
