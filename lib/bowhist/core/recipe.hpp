#pragma once

#include <bowhist/core/preprocessing.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

namespace bowhist {

/// How images become descriptors: what the command line asks for and a sidecar records.
struct Recipe {
    std::string extractor = "dense"; ///< one of extractor_names(), or "imported": see imported()
    bool upright = false; ///< true: not rotated to the dominant gradient; faster, and better when
                          ///< images are level
    double threshold = 0; ///< of a keypoint's response, or a patch's contrast; 0:
                          ///< default_threshold(extractor)
    std::string patches = "16,32,64"; ///< of dense: their sizes in pixels
    int step = 0;                     ///< of dense: pixels from patch to patch; 0: dense_step()
    int octaves = 2;                  ///< of surf: each samples half as often as the one before
    int layers = 4;                   ///< of surf: sizes of filters per octave
    int first_size = 9;               ///< of surf: pixels a side of its smallest filter
    bool plain_cells = false;         ///< of surf: true: cells that do not overlap, as Bay's
    std::size_t max_descriptors = 0;  ///< keep the strongest, in detection order; 0: all
    int spread = 0;                   ///< half of max_descriptors are taken by the cells of a grid,
                                      ///< `spread` a side (extract/spread.hpp); 0: no grid
    int max_side = -1;                ///< pixels; a larger image is shrunk; 0 keeps the size;
                                      ///< -1: the extractor's own
    bool enlarge = false;             ///< a smaller image is enlarged to max_side
    Preprocessing preprocessing = {};

    /// The recipe of descriptors from files that do not record it.
    static Recipe imported() { return {.extractor = "imported", .max_side = 0}; }
    bool is_known() const { return extractor != "imported"; }
    /// max_side, or the extractor's own: 384 pixels of dense, whose patches have fixed sizes
    /// (docs/adr/0018), else 1024.
    int largest_side() const;

    bool operator==(const Recipe &) const = default;
    /// True when descriptors made either way can be compared: every decisive option is the same,
    /// and so is the preprocessing.
    bool comparable(const Recipe &other) const;
};

/// One option of a recipe, with all that the command line, sidecars and messages need to know.
/// A new option is a member of Recipe, a row of recipe_options, and what an extractor makes of it.
struct RecipeOption {
    const char *flag;      ///< "--max-side"
    const char *key;       ///< in a sidecar: "max_side"
    const char *type_name; ///< of its value, in a help text
    const char *help;      ///< {extractors}, {thresholds} and {sides} are filled in
    bool decisive;         ///< says what descriptors mean; the others say how many there are
    const char *only;      ///< the extractor that has it; "": all, or all but `lacking`
    std::variant<std::string Recipe::*, bool Recipe::*, double Recipe::*, std::size_t Recipe::*,
                 int Recipe::*>
        member;
    std::uint64_t least = 0; ///< of a whole number
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const char *lacking = ""; ///< the extractor that does not have it
    bool optional = false;    ///< not in a sidecar where it has its default

    bool applies_to(const Recipe &recipe) const {
        return lacking != recipe.extractor && (*only == '\0' || only == recipe.extractor);
    }
    bool is(const RecipeOption &other) const { return std::string_view(flag) == other.flag; }
    bool same(const Recipe &a, const Recipe &b) const {
        return std::visit([&](auto value) { return a.*value == b.*value; }, member);
    }
    void copy(const Recipe &from, Recipe &to) const {
        std::visit([&](auto value) { to.*value = from.*value; }, member);
    }
};

inline constexpr RecipeOption extractor_option{
    "--extractor", "name", "NAME", "{extractors} (default: dense)", true, "", &Recipe::extractor};
inline constexpr RecipeOption max_side_option{
    "--max-side",
    "max_side",
    "N",
    "Shrink larger pictures to N pixels a side, long strips less; 0 keeps the size{sides}",
    false,
    "",
    &Recipe::max_side};
inline constexpr RecipeOption spread_option{
    .flag = "--spread",
    .key = "spread",
    .type_name = "N",
    .help = "Take half of --max-descriptors from the cells of N x N alike, the strongest of each; "
            "0: only the strongest of all (not for dense)",
    .decisive = false,
    .only = "",
    .member = &Recipe::spread,
    .most = 16,
    .lacking = "dense",
    .optional = true};
inline constexpr RecipeOption enlarge_option{.flag = "--enlarge",
                                             .key = "enlarge",
                                             .type_name = "",
                                             .help = "Enlarge smaller pictures to --max-side, too",
                                             .decisive = false,
                                             .only = "",
                                             .member = &Recipe::enlarge,
                                             .optional = true};

inline constexpr std::array recipe_options{
    extractor_option,
    RecipeOption{"--upright", "upright", "",
                 "Do not rotate descriptors to the dominant gradient (not for dense and sift)",
                 true, "", &Recipe::upright},
    RecipeOption{"--threshold", "threshold", "T",
                 "Weakest response of a keypoint, or contrast of a patch (default: {thresholds})",
                 false, "", &Recipe::threshold},
    RecipeOption{"--patches", "patches", "SIZES",
                 "Sides of dense patches in pixels: multiples of 4 from 8 to 64, rising, with "
                 "commas (default: 16,32,64)",
                 true, "dense", &Recipe::patches},
    RecipeOption{"--step", "step", "N",
                 "Pixels from one dense patch to the next; 0: 4 in pictures of fewer than "
                 "150000 pixels, else 8",
                 false, "dense", &Recipe::step},
    RecipeOption{"--octaves", "octaves", "N", "Octaves that surf searches, 1 to 8", false, "surf",
                 &Recipe::octaves, 1, 8},
    RecipeOption{"--layers", "layers", "N", "Sizes of surf's filters per octave, 3 to 8", false,
                 "surf", &Recipe::layers, 3, 8},
    RecipeOption{"--first-size", "first_size", "N",
                 "Pixels a side of surf's smallest filter: 9, 15, 21, 27 or 33", false, "surf",
                 &Recipe::first_size, 9, 33},
    RecipeOption{"--plain-cells", "plain_cells", "",
                 "Describe by surf's own cells, which do not overlap", true, "surf",
                 &Recipe::plain_cells},
    RecipeOption{"--max-descriptors", "max_descriptors", "N",
                 "Keep a picture's N strongest descriptors; 0 keeps all", false, "",
                 &Recipe::max_descriptors},
    spread_option,
    max_side_option,
    enlarge_option};

/// " --max-side 1024", the blank in front; empty where it is the default, which is 0 or false,
/// unless `always`.
std::string as_option(const RecipeOption &option, const Recipe &recipe, bool always);

/// "akaze --upright --max-side 1024": the recipe as on the command line.
std::string as_options(const Recipe &recipe);
/// " --equalize --blur 2 --filter sobel-x", the blank in front; empty without steps.
std::string as_options(const Preprocessing &steps);

} // namespace bowhist
