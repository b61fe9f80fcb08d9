#include <bowhist/core/version.hpp>

namespace bowhist {

std::string_view version() {
    return BOWHIST_VERSION;
}

} // namespace bowhist
