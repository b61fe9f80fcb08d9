// One option is one row of recipe_options: everything else walks it.
#include "tests/files/sidecars.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/recipe.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

#include <type_traits>

using namespace bowhist;

namespace {

const RecipeOption &first_size =
    *std::ranges::find(recipe_options, std::string_view("--first-size"), &RecipeOption::flag);

/// One that has the option.
Recipe usual(const RecipeOption &option) {
    return completed({.extractor = *option.only != '\0' ? option.only : "akaze",
                      .max_descriptors = 100}); // which --spread needs
}

/// The same with another value of the option.
Recipe changed(const RecipeOption &option) {
    Recipe recipe = usual(option);
    std::visit(
        [&](auto member) {
            auto &value = recipe.*member;
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>)
                value = option.is(extractor_option) ? "kaze" : "16,20";
            else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, bool>)
                value = !value;
            else
                value += option.is(first_size) ? 6 : 3; // an odd multiple of 3
        },
        option.member);
    return recipe;
}

/// A vocabulary of 64 dimensions whose sidecar holds the recipe.
VocabularyPair trained_with(const Recipe &recipe) {
    VocabularyPair pair{"c.bin", {64, std::vector<float>(64)}, "0123abcd", {}};
    pair.recorded.sidecar = VocabularySidecar{.recipe = recipe};
    return pair;
}

} // namespace

TEST_CASE("recipe: each option is printed, compared, recorded and read back") {
    const TemporaryFolder folder;
    for (const RecipeOption &option : recipe_options) {
        INFO(option.flag);
        const Recipe recipe = changed(option);
        CHECK(recipe != usual(option));
        CHECK(as_options(recipe) != as_options(usual(option)));
        CHECK(recipe.comparable(usual(option)) == !option.decisive);
        checks::write_sidecar(folder / "x.npy", DescriptorSidecar{"p.jpg", recipe});
        CHECK(read_descriptor_sidecar(folder / "x.npy")->recipe == recipe);
    }
}

TEST_CASE("recipe: what is given counts, unless it changes what the descriptors mean") {
    for (const RecipeOption &option : recipe_options) {
        INFO(option.flag);
        const Recipe recipe = changed(option);
        const VocabularyPair pair = trained_with(usual(option));
        CHECK(PreparedRecipe({recipe, {}}, pair).recipe() == completed(usual(option))); // not given
        const RecipeRequest given{recipe, {option.flag}};
        CHECK(PreparedRecipe(given).recipe() == completed(recipe));
        if (option.decisive)
            CHECK_THROWS_WITH(
                PreparedRecipe(given, pair),
                Catch::Contains(as_options(usual(option))) &&
                    Catch::Contains(as_option(option, recipe, true) + " was asked for"));
        else
            CHECK(PreparedRecipe(given, pair).recipe() == completed(recipe));
        const VocabularyPair same = trained_with(recipe);
        CHECK(PreparedRecipe({}, same).recipe() == completed(recipe));
    }
}

TEST_CASE("recipe: pictures shrink to the extractor's side, where no other is asked for") {
    Observer observer;
    const auto side = [&](const Recipe &recipe) {
        return PreparedRecipe(RecipeRequest{recipe, {}})
            .options_for({}, {}, {}, observer)
            .image.max_side;
    };
    CHECK(side({}) == 384);
    CHECK(side({.extractor = "surf"}) == 1024);
    CHECK(side({.max_side = 0}) == 0);
    CHECK(side({.max_side = 1024}) == 1024);
    const auto enlarges = [&](bool enlarge) {
        return PreparedRecipe(RecipeRequest{{.enlarge = enlarge}, {}})
            .options_for({}, {}, {}, observer)
            .image.enlarge;
    };
    CHECK_FALSE(enlarges(false));
    CHECK(enlarges(true));
}

TEST_CASE("recipe: an option of another extractor is refused") {
    CHECK_THROWS_WITH(PreparedRecipe({{.extractor = "akaze", .step = 4}, {"--step"}}),
                      Catch::Contains("--step") && Catch::Contains("dense"));
    CHECK_NOTHROW(PreparedRecipe({{.extractor = "dense", .step = 4}, {"--step"}}));
}

TEST_CASE("recipe: an option that does nothing is refused") {
    const auto refused = [](const Recipe &recipe, const std::set<std::string_view> &given,
                            const char *words) {
        CHECK_THROWS_WITH(PreparedRecipe({recipe, given}), Catch::Contains(words));
    };
    const auto surf = [](std::size_t most, int cells) {
        return Recipe{.extractor = "surf", .max_descriptors = most, .spread = cells};
    };
    refused(surf(0, 8), {"--spread"}, "--spread 8 takes half of --max-descriptors");
    refused(surf(600, 17), {"--max-descriptors", "--spread"}, "surf: --spread 17");
    refused({.max_descriptors = 600, .spread = 8}, {"--max-descriptors", "--spread"},
            "--spread is no option of dense; leave it out");
    refused({.max_side = 0, .enlarge = true}, {"--max-side", "--enlarge"},
            "--max-side, which is 0");
    CHECK_NOTHROW(PreparedRecipe({surf(0, 0), {"--spread"}}));
    CHECK_NOTHROW(PreparedRecipe({{.enlarge = true}, {"--enlarge"}}));
    // what the vocabulary's sidecar has, and the command line takes the sense from
    const VocabularyPair spread = trained_with(completed(surf(600, 8)));
    CHECK(PreparedRecipe({}, spread).recipe().spread == 8);
    CHECK_THROWS_WITH(PreparedRecipe({surf(0, 0), {"--max-descriptors"}}, spread),
                      Catch::Contains("or --spread 0"));
    CHECK_NOTHROW(PreparedRecipe({surf(0, 0), {"--max-descriptors", "--spread"}}, spread).recipe());
    const VocabularyPair dense = trained_with({});
    CHECK_THROWS_WITH(PreparedRecipe({{.max_descriptors = 9, .spread = 8}, {"--spread"}}, dense),
                      Catch::Equals("--spread is no option of dense; leave it out"));
}

TEST_CASE("recipe: a sidecar has enlarging and spreading only where they are asked for") {
    const TemporaryFolder folder;
    const auto text_of = [&](const Recipe &recipe) {
        checks::write_sidecar(folder / "x.npy", DescriptorSidecar{"p.jpg", recipe});
        CHECK(read_descriptor_sidecar(folder / "x.npy")->recipe == recipe);
        return checks::read_bytes(folder / "x.npy.json");
    };
    using Catch::Contains;
    const Recipe plain = completed({.extractor = "surf"});
    CHECK_THAT(text_of(plain), !Contains("spread") && !Contains("enlarge"));
    Recipe both = completed({.extractor = "surf", .max_descriptors = 600, .spread = 8});
    both.enlarge = true;
    CHECK_THAT(text_of(both), Contains("\"spread\": 8") && Contains("\"enlarge\": true"));
    CHECK_THAT(as_options(both),
               Catch::EndsWith("--max-descriptors 600 --spread 8 --max-side 1024 --enlarge"));
}

TEST_CASE("recipe: descriptor files must be what is asked for, where it is") {
    Observer observer;
    const InputList file{{{"d.npy", "d.npy"}}, 0, {}};
    const auto made_by = [&](const PreparedRecipe &recipe) {
        return recipe.options_for(file, {}, {}, observer).made_by;
    };
    const Recipe surf{.extractor = "surf"};
    VocabularyPair unknown = trained_with({});
    unknown.recorded.sidecar.reset();
    CHECK_FALSE(made_by(PreparedRecipe(RecipeRequest{})));
    CHECK_FALSE(made_by(PreparedRecipe({{.step = 4}, {"--step"}})));
    CHECK_FALSE(made_by(PreparedRecipe({}, unknown)));
    CHECK(made_by(PreparedRecipe({surf, {"--extractor"}})) == completed(surf));
    CHECK(made_by(PreparedRecipe({{.patches = "16"}, {"--patches"}}))->patches == "16");
    CHECK(made_by(PreparedRecipe({surf, {"--extractor"}}, unknown)) == completed(surf));
}

TEST_CASE("recipe: pictures cannot fit a vocabulary of other dimensions, nor another's sidecar") {
    Observer observer;
    VocabularyPair pair = trained_with({});
    const InputList image{{{"p.jpg", "p.jpg"}}, 0, {}};
    const InputList file{{{"d.npy", "d.npy"}}, 0, {}};
    const auto options = [&](const RecipeRequest &asked, const InputList &list) {
        return PreparedRecipe(asked, pair).options_for(list, {}, {}, observer);
    };
    CHECK(options({}, image).made_by == completed({}));
    CHECK(options({}, image).dimensions == 64);
    CHECK(options({}, image).doubt.empty());
    CHECK(options({{.max_descriptors = 7}, {"--max-descriptors"}}, image).few == 7);
    CHECK(options({{.max_side = 99}, {"--max-side"}}, image).image.max_side == 99);
    pair.vocabulary.dimensions = 32;
    CHECK_NOTHROW(options({}, file));
    CHECK_THROWS_WITH(options({}, image), Catch::Contains("c.bin has 32 dimensions"));
    pair.vocabulary.dimensions = 64;
    pair.recorded.sidecar.reset();
    CHECK_THAT(options({}, image).doubt, Catch::Contains("--extractor dense is assumed"));
    CHECK(options({{}, {"--extractor"}}, image).doubt.empty());
    pair.recorded.of_another = true;
    CHECK_THAT(options({}, file).doubt, Catch::Contains("ignored"));
    CHECK_THROWS_WITH(options({}, image), Catch::Contains("belongs to another vocabulary"));
}
