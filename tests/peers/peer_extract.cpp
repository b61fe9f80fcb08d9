// As `bowhist extract`, for one image and with the peers' extractors too:
//
//     peer_extract OUT IMAGE EXTRACTOR [OPTIONS]
#include "tests/peers/extractors.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <cstdio>

using namespace bowhist;

int main(int count, char **words) try {
    if (count < 4) return 2;
    std::string recipe_words;
    for (int i = 3; i < count; ++i) recipe_words += std::string(words[i]) + ' ';
    const Recipe recipe = completed(peers::parse_recipe(recipe_words));
    const Image image = read_image(words[2], {.max_side = recipe.max_side});
    write_descriptors(words[1], peers::make_any_extractor(recipe)->extract(image));
} catch (const std::exception &error) {
    std::fprintf(stderr, "peer_extract: %s\n", error.what());
    return 1;
}
