// The library as another project sees it: the copies in a folder.
#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/index/update.hpp>

#include <iostream>

int main(int, char **arguments) {
    bowhist::Observer silent;
    bowhist::IndexRequest index{.library = "copies.bow"};
    index.inputs.arguments = {arguments[1]};
    bowhist::index_library(index, silent);
    const bowhist::Duplicates found = bowhist::find_duplicates({.library = index.library}, silent);
    for (std::size_t i = 0; i < found.groups.size(); ++i)
        for (const bowhist::Duplicate &image : found.groups[i].images) {
            std::cout << i + 1 << ": " << image.image.path;
            if (bowhist::is_spare(image)) std::cout << ", " << image.kinds.text() << ", spare";
            std::cout << '\n';
        }
}
