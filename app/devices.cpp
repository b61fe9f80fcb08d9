// bowhist devices: what OpenCL offers here.
#include "app/command/command.hpp"
#include "app/command/standard_streams.hpp"

#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/drivers/driver.hpp>
#include <bowhist/device/drivers/drivers.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace bowhist::app {
namespace {

constexpr double kibibyte = 1024;
constexpr double gibibyte = 1024.0 * 1024 * 1024;

void print_for_people(const DeviceInfo &d) {
    fmt::print("{}: {} ({})\n", d.number, d.name, name_of(d.kind));
    const auto row = [](const char *what, const std::string &value) {
        fmt::print("   {:<22} {}\n", what, value);
    };
    row("platform", fmt::format("{}, driver {}", d.platform, d.driver));
    row("versions", fmt::format("{}; {}", d.opencl_version, d.opencl_c_version));
    row("compute units", fmt::format("{} at {} MHz", d.compute_units, d.clock_megahertz));
    row("global memory", fmt::format("{:.1f} GiB, {:.1f} GiB an allocation",
                                     static_cast<double>(d.global_memory) / gibibyte,
                                     static_cast<double>(d.maximum_allocation) / gibibyte));
    row("local memory",
        fmt::format("{:.0f} KiB, {}", static_cast<double>(d.local_memory) / kibibyte,
                    d.local_memory_type == "local" ? "on chip" : "in global memory"));
    row("constant buffer",
        fmt::format("{:.0f} KiB", static_cast<double>(d.constant_buffer) / kibibyte));
    row("work-group", fmt::format("at most {} ({}), best a multiple of {}", d.work_group_size,
                                  fmt::join(d.work_item_sizes, " x "), d.preferred_multiple));
    row("preferred vector", fmt::format("float{}", d.preferred_float_vector));
    row("fp64, fp16", fmt::format("{}, {}", d.fp64 ? "yes" : "no", d.fp16 ? "yes" : "no"));
    row("64-bit atomics, images",
        fmt::format("{}, {}", d.int64_atomics ? "yes" : "no", d.images ? "yes" : "no"));
}

nlohmann::ordered_json as_json(const DeviceInfo &d) {
    return {{"number", d.number},
            {"kind", name_of(d.kind)},
            {"name", d.name},
            {"platform", d.platform},
            {"vendor", d.vendor},
            {"driver", d.driver},
            {"opencl_version", d.opencl_version},
            {"opencl_c_version", d.opencl_c_version},
            {"compute_units", d.compute_units},
            {"clock_megahertz", d.clock_megahertz},
            {"global_memory_bytes", d.global_memory},
            {"maximum_allocation_bytes", d.maximum_allocation},
            {"local_memory_type", d.local_memory_type},
            {"local_memory_bytes", d.local_memory},
            {"constant_buffer_bytes", d.constant_buffer},
            {"work_group_size", d.work_group_size},
            {"work_item_sizes", d.work_item_sizes},
            {"preferred_work_group_multiple", d.preferred_multiple},
            {"preferred_float_vector", d.preferred_float_vector},
            {"fp64", d.fp64},
            {"fp16", d.fp16},
            {"int64_atomics", d.int64_atomics},
            {"images", d.images},
            {"extensions", d.extensions}};
}

/// Names drivers and GPUs that are here but offer no device.
void say_what_is_missing(bool no_device) {
    std::vector<std::string> lines = lines_about_drivers("; --kernel simd needs no driver");
    for (const std::string &line : tried_drivers().missing)
        lines.push_back(line + "; install it, or name another");
    for (const std::string &line : gpus_without_driver()) lines.push_back(line);
    if (no_device && lines.empty())
        lines.push_back("no OpenCL device here; " + remedy_without_device());
    std::fflush(stdout); // they come after the devices
    for (const std::string &line : lines) print_message(fmt::format("bowhist: {}\n", line));
}

} // namespace

int devices_verb(const Arguments &arguments) {
    bool json = false;
    Command command(
        "devices", "Shows the OpenCL devices, and of each what a kernel author needs.", "",
        "  bowhist devices\n"
        "  bowhist devices --json | python3 -m json.tool\n"
        "\n"
        "Drivers are tried in a process of their own first. One that aborts, crashes or\n"
        "takes longer than 5 s to load is named here, and no command uses it.\n"
        "BOWHIST_DRIVER_SECONDS=60 gives drivers more time.");
    command.add_flag("--json", json, "One JSON array, for scripts");
    command.parse(arguments);
    const std::vector<DeviceInfo> all = devices();
    if (json) {
        nlohmann::ordered_json array = nlohmann::ordered_json::array();
        for (const DeviceInfo &device : all) array.push_back(as_json(device));
        fmt::print("{}\n", array.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        for (const DeviceInfo &device : all) print_for_people(device);
    }
    say_what_is_missing(all.empty());
    return 0;
}

} // namespace bowhist::app
