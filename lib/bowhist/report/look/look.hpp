#pragma once

#include <string_view>

namespace bowhist {

/// A file of this folder, which is part of every page.
struct PageFile {
    std::string_view text;
    std::string_view sha256; ///< base64
};

extern const PageFile page_css;
extern const PageFile page_js;
extern const PageFile serve_css;
extern const PageFile serve_js;
extern const PageFile plot_css;
extern const PageFile results_css;
extern const PageFile results_js;
extern const PageFile words_css;

} // namespace bowhist
