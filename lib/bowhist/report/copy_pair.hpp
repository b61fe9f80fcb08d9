#pragma once

#include <bowhist/duplicates/duplicates.hpp>

#include <string>

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
};

/// The pair as HTML: side by side, and laid over each other.
std::string pair_element(const CopyPair &pair);

} // namespace bowhist
