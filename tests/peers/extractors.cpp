#include "tests/peers/extractors.hpp"

#include <bowhist/core/error.hpp>

#include <CLI/CLI.hpp>

#include <type_traits>
#include <variant>

namespace bowhist::peers {
namespace {

#ifdef BOWHIST_PEER_DLIB
constexpr auto make_dlib = make_dlib_surf;
#else
constexpr std::nullptr_t make_dlib = nullptr;
#endif
#ifdef BOWHIST_PEER_VLFEAT
constexpr auto make_dsift = make_vlfeat_dsift;
#else
constexpr std::nullptr_t make_dsift = nullptr;
#endif

struct Kind {
    std::string_view name;
    std::string_view package;                                     ///< Debian's name for it
    std::unique_ptr<Extractor> (*make)(const Recipe &) = nullptr; ///< null where it is missing
};

constexpr Kind kinds[] = {{"dlib", "libdlib-dev", make_dlib},
                          {"dsift", "libvlfeat-dev", make_dsift}};

} // namespace

Recipe parse_recipe(const std::string &words) {
    Recipe recipe;
    CLI::App parser;
    for (const RecipeOption &option : recipe_options)
        std::visit(
            [&](auto member) {
                if constexpr (std::is_same_v<decltype(member), bool Recipe::*>)
                    parser.add_flag(option.flag, recipe.*member);
                else
                    parser.add_option(option.flag, recipe.*member);
            },
            option.member);
    parser.parse("--extractor " + words);
    return recipe;
}

std::unique_ptr<Extractor> make_any_extractor(const Recipe &recipe) {
    for (const Kind &kind : kinds) {
        if (kind.name != recipe.extractor) continue;
        if (kind.make) return kind.make(recipe);
        throw Error(Fault::usage, recipe.extractor + ": left out; install " +
                                      std::string(kind.package) + " and run cmake again");
    }
    return make_extractor(recipe);
}

} // namespace bowhist::peers
