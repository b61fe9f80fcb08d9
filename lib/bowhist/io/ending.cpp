#include <bowhist/io/ending.hpp>

namespace bowhist {

std::string ending_of(const std::filesystem::path &path) {
    std::string ending = path.extension().native();
    for (char &letter : ending) {
        // not tolower(): an ending must not depend on the locale
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return ending;
}

} // namespace bowhist
