#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/device/device_list.hpp>
#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/device_turn.hpp>
#include <bowhist/device/drivers/drivers.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace bowhist {
namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// The kind of device that a selector names, if it names one.
std::optional<cl_device_type> kind_meant(const std::string &selector) {
    if (selector == "cpu") return CL_DEVICE_TYPE_CPU;
    if (selector == "gpu") return CL_DEVICE_TYPE_GPU;
    return std::nullopt;
}

bool is_number(const std::string &selector) {
    return selector.find_first_not_of("0123456789") == std::string::npos;
}

bool matches(const cl::Device &device, const std::string &selector) {
    if (is_number(selector)) return false; // and not the 512 of a name
    if (const auto kind = kind_meant(selector))
        return (device.getInfo<CL_DEVICE_TYPE>() & *kind) != 0;
    return lower(device.getInfo<CL_DEVICE_NAME>()).find(selector) != std::string::npos;
}

[[noreturn]] void no_device_here() {
    std::string bad;
    std::string printed;
    for (const BadDriver &driver : tried_drivers().bad) {
        const DriverNews news = news_of(driver);
        bad += (bad.empty() ? "" : "; ") + news.line;
        printed += fmt::format("{}{}", printed.empty() ? "" : "\n", fmt::join(news.printed, "\n"));
    }
    take_driver_news(); // said with the error
    if (!bad.empty()) throw Error(Fault::device, "no OpenCL device is left: " + bad, printed);
    const auto without_driver = gpus_without_driver();
    throw Error(Fault::device,
                "no OpenCL device here; " +
                    (without_driver.empty()
                         ? "install one (the package pocl-opencl-icd runs on any CPU)"
                         : without_driver.front()));
}

[[noreturn]] void nothing_matches(const std::string &selector,
                                  const std::vector<cl::Device> &devices) {
    if (devices.empty()) no_device_here();
    if (selector == "gpu")
        for (const std::string &line : gpus_without_driver()) throw Error(Fault::device, line);
    std::string names;
    for (std::size_t number = 0; number < devices.size(); ++number)
        names += fmt::format("{}{} {}", number == 0 ? "" : ", ", number,
                             devices[number].getInfo<CL_DEVICE_NAME>());
    throw Error(Fault::device, fmt::format("no OpenCL device matches \"{}\"; choose one of: {}",
                                           excerpt(selector), names));
}

constexpr std::string_view all_devices = "all";

/// The parts of a list with commas.
std::vector<std::string> entries_of(const std::string &selector) {
    std::vector<std::string> entries(1);
    for (const char letter : selector)
        if (letter == ',')
            entries.emplace_back();
        else
            entries.back() += letter;
    return entries;
}

std::size_t own_turn = 0;

/// The GPU of this process's turn, where there are any.
std::optional<Selection> gpu_in_turn(const std::vector<cl::Device> &devices) {
    std::vector<Selection> gpus;
    for (std::size_t number = 0; number < devices.size(); ++number)
        if (matches(devices[number], "gpu")) gpus.push_back({devices[number], number});
    if (gpus.empty()) return std::nullopt;
    return gpus[own_turn % gpus.size()];
}

Selection select_among(const std::vector<cl::Device> &devices, const std::string &selector) {
    if (selector.empty())
        if (const auto gpu = gpu_in_turn(devices)) return *gpu;
    const std::string wanted = lower(selector);
    for (std::size_t number = 0; number < devices.size(); ++number)
        if (std::to_string(number) == wanted) return {devices[number], number};
    if (selector.empty() && !devices.empty()) return {devices.front(), 0};
    for (std::size_t number = 0; number < devices.size(); ++number)
        if (matches(devices[number], wanted)) return {devices[number], number};
    nothing_matches(selector, devices);
}

} // namespace

void take_device_turn(std::size_t turn) {
    own_turn = turn;
}

bool means_several(const std::string &selector) {
    return lower(selector) == all_devices || selector.find(',') != std::string::npos;
}

std::vector<std::size_t> device_numbers(const std::string &selector) {
    const std::vector<cl::Device> devices = opencl_devices();
    std::vector<std::size_t> numbers;
    if (lower(selector) == all_devices) {
        if (devices.empty()) no_device_here();
        for (std::size_t number = 0; number < devices.size(); ++number) numbers.push_back(number);
        return numbers;
    }
    for (const std::string &entry : entries_of(selector)) {
        if (entry.empty() && selector != entry)
            throw Error(Fault::usage,
                        fmt::format("--device {}: an entry of the list is empty; give "
                                    "such as 0,2 or all",
                                    printable(selector)));
        const std::size_t number = select_among(devices, entry).number;
        if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    }
    return numbers;
}

Selection select_device(const std::string &selector) {
    const std::vector<cl::Device> devices = opencl_devices();
    if (!means_several(selector)) return select_among(devices, selector);
    const std::size_t first = device_numbers(selector).front();
    return {devices[first], first};
}

} // namespace bowhist
