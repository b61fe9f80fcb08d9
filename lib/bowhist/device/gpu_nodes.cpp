#include <bowhist/device/gpu_nodes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <string_view>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

struct Maker {
    std::uint32_t vendor;
    std::string_view name; ///< as OpenCL's names of devices and vendors have it, in small letters
    std::string_view title;
    std::string_view package; ///< what to install
    std::string_view driver;  ///< in an .icd's name or text
};

constexpr std::array makers = {
    Maker{0x10de, "nvidia", "NVIDIA", "NVIDIA's driver (Debian: nvidia-opencl-icd)", "nvidia"},
    Maker{0x1002, "amd", "AMD", "ROCm's OpenCL or mesa-opencl-icd", "amdocl"},
    Maker{0x8086, "intel", "Intel", "intel-opencl-icd", "igdrcl"},
};

const Maker *maker_of(std::uint32_t vendor) {
    const auto *const found = std::ranges::find(makers, vendor, &Maker::vendor);
    return found == makers.end() ? nullptr : found;
}

bool is_numbered(const std::string &name, std::string_view start) {
    return name.size() > start.size() && name.starts_with(start) &&
           name.find_first_not_of("0123456789", start.size()) == std::string::npos;
}

/// The numbered entries of a folder, in order.
std::vector<std::string> numbered(const fs::path &folder, std::string_view start) {
    std::vector<std::string> names;
    std::error_code error; // a folder that is missing has none
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        if (const std::string name = entry->path().filename(); is_numbered(name, start))
            names.push_back(name);
    std::ranges::sort(names);
    return names;
}

std::uint32_t vendor_in(const fs::path &file) {
    std::uint32_t vendor = 0;
    std::ifstream(file) >> std::hex >> vendor; // "0x8086"
    return vendor;
}

bool is_from(const OpenclGpu &gpu, const Maker &maker) {
    std::string name = gpu.name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool is_radeon = maker.name == "amd" && name.find("advanced micro") != std::string::npos;
    return gpu.vendor == maker.vendor || is_radeon || name.find(maker.name) != std::string::npos;
}

bool is_of(const Driver &driver, const Maker &maker) {
    return driver.name().find(maker.driver) != std::string::npos;
}

/// Nothing where its driver is a bad one.
std::string line_of(const GpuNode &gpu, const Maker &maker, const DriverReport &report) {
    for (const BadDriver &bad : report.bad)
        if (is_of(bad.driver, maker)) return {};
    const std::string here =
        fmt::format("a GPU is here ({}, {}), ", gpu.node.string(), maker.title);
    for (const std::string &line : report.missing)
        if (line.find(maker.driver) != std::string::npos)
            return fmt::format("{}but {}; install {} anew", here, line, maker.package);
    for (const Driver &driver : report.good)
        if (is_of(driver, maker))
            return fmt::format("{}but its OpenCL driver {} shows no device; see who may open the "
                               "first, and whether the kernel's module is of the driver's version",
                               here, driver.name());
    return fmt::format(
        "{}its OpenCL driver is not registered; install {}, or write the path of its "
        "library to /etc/OpenCL/vendors/{}.icd",
        here, maker.package, maker.name);
}

} // namespace

std::vector<GpuNode> gpu_nodes(const fs::path &root) {
    constexpr std::uint32_t nvidia = 0x10de;
    constexpr std::uint32_t amd = 0x1002;
    std::vector<GpuNode> found;
    for (const std::string &name : numbered(root / "dev", "nvidia"))
        found.push_back({fs::path("/dev") / name, nvidia});
    std::error_code error;
    if (fs::exists(root / "dev/kfd", error)) found.push_back({"/dev/kfd", amd});
    for (const std::string &name : numbered(root / "dev/dri", "renderD")) {
        const auto vendor = vendor_in(root / "sys/class/drm" / name / "device/vendor");
        if (maker_of(vendor) != nullptr) found.push_back({fs::path("/dev/dri") / name, vendor});
    }
    return found;
}

bool any_has_driver(const std::vector<GpuNode> &nodes, const std::vector<Driver> &drivers) {
    return std::ranges::any_of(nodes, [&](const GpuNode &gpu) {
        const Maker *maker = maker_of(gpu.vendor);
        return maker != nullptr && std::ranges::any_of(drivers, [&](const Driver &driver) {
                   return is_of(driver, *maker);
               });
    });
}

std::vector<std::string> gpus_without_driver(const std::vector<GpuNode> &nodes,
                                             const std::vector<OpenclGpu> &with_driver,
                                             const DriverReport &report) {
    std::vector<std::string> lines;
    for (const Maker &maker : makers) {
        const auto node = std::ranges::find(nodes, maker.vendor, &GpuNode::vendor);
        const auto has_driver = [&](const OpenclGpu &gpu) { return is_from(gpu, maker); };
        if (node == nodes.end() || std::ranges::any_of(with_driver, has_driver)) continue;
        if (std::string line = line_of(*node, maker, report); !line.empty())
            lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace bowhist
