#include <bowhist/serve/groups.hpp>

namespace bowhist {
namespace {

constexpr int patch_side = 48; // pixels

} // namespace

Groups::Groups(const ServeRequest &request, LiveLibrary &live, const Observer &observer)
    : live_(live),
      groups_([&request](
                  Observer &progress) { return kept_groups(Library(request.library), progress); },
              observer),
      patches_(
          [&request](Observer &progress) {
              return patches_of_groups(Library(request.library), patch_side, progress);
          },
          observer) {}

std::string Groups::stamp() const {
    const auto snapshot = live_.now();
    return snapshot->stamp() + " " + snapshot->stamp_of_groups();
}

} // namespace bowhist
