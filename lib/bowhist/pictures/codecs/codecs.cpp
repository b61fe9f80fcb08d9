#include <bowhist/pictures/codecs/codecs.hpp>

#include <bowhist/io/installed_helper.hpp>

namespace bowhist {

const Codecs &codecs() {
    static const Codecs &loaded =
        *static_cast<const Codecs *>(symbol_of_module("bowhist-codecs.so", "bowhist_codecs"));
    return loaded;
}

} // namespace bowhist
