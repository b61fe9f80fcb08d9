#include "app/cluster/cluster_neighbors.hpp"

#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/group/device_neighbors.hpp>

namespace bowhist::app {
namespace {

/// That take the host about as long as a GPU takes to start.
constexpr std::size_t few_rows = 30000;

} // namespace

std::shared_ptr<Device> device_for_neighbors(const ClusterCall &call, const IntegerRows &rows,
                                             Console &console) {
    LevelRequest wanted = call.level();
    wanted.options.observer = &console;
    const bool any = wanted.level == "auto";
    if (!are_codes(rows) || (any && rows.size() < few_rows)) return nullptr;
    if (!any) return find_level(wanted.level).on_device ? open_device(wanted) : nullptr;
    auto device = find_candidates(wanted, rows.dimensions, 1, false).device;
    return device && device->info().kind == DeviceKind::gpu ? device : nullptr;
}

} // namespace bowhist::app
