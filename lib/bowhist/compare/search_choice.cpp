#include <bowhist/compare/search_choice.hpp>

#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_selection.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace bowhist {

const std::vector<SearchLevel> &search_levels() {
    constexpr HostWay one_by_one{.plain = true, .one_thread = true};
    constexpr HostWay on_all_cores{.plain = true};
    static const std::vector<SearchLevel> table = {
        {"serial", "one sum after another, one thread: the reference", false, one_by_one},
        {"openmp", "the same on all cores", false, on_all_cores},
        {"simd", "bitmaps added up by full adders, codes by products of bytes or of 16 bits, in "
                 "vector registers"},
        {"gpu1", "a group adds up a window's bitmaps, walks its lists and keeps what may be best",
         true},
    };
    return table;
}

const SearchLevel &find_search_level(std::string_view id) {
    const Level &wished = find_level(id);
    const SearchLevel *found = nullptr;
    for (const Level &level : levels()) {
        const auto row = std::ranges::find(search_levels(), level.id, &SearchLevel::id);
        if (row != search_levels().end() && row->on_device == wished.on_device) found = &*row;
        if (level.id == id) break;
    }
    return *found; // the lowest of each kind is there
}

namespace {

constexpr double usual_pace = 1e8;     ///< pairs a second of two cores, until it is measured
constexpr double start_seconds = 0.6;  ///< of a GPU's driver
constexpr double long_seconds = 5;     ///< on the host: then a GPU is tried
constexpr double short_seconds = 0.01; ///< too short to show a pace

} // namespace

SearchChoice::SearchChoice(const LevelRequest &request, std::size_t words)
    : request_(request), words_(words) {}

const SearchLevel &SearchChoice::choose(std::size_t images, std::size_t queries) const {
    if (request_.level != "auto") return find_search_level(request_.level);
    const SearchLevel &host = find_search_level("simd");
    const SearchLevel &device = find_search_level("gpu7");
    if (!request_.device.empty()) return device;
    const double pairs = static_cast<double>(images) * static_cast<double>(queries);
    const double on_host = pairs / pace(host).value_or(usual_pace);
    if (on_host < start_seconds || !any_gpu()) return host;
    const auto sent = pace(device, true);
    const auto compared = pace(device);
    if (!sent || !compared) return on_host < long_seconds ? host : device;
    const double on_device =
        start_seconds + static_cast<double>(images) / *sent + pairs / *compared;
    return on_device < on_host ? device : host;
}

std::vector<std::shared_ptr<Device>> SearchChoice::open_devices(Observer &observer) const {
    const auto open = [this](const std::string &selector) {
        return std::make_shared<Device>(
            DeviceOptions{.selector = selector, .kernel_dir = request_.kernel_dir});
    };
    if (!means_several(request_.device)) return {open(request_.device)};
    std::vector<std::shared_ptr<Device>> opened;
    const std::vector<std::size_t> numbers = device_numbers(request_.device);
    for (const std::size_t number : numbers) try {
            opened.push_back(open(std::to_string(number)));
        } catch (const Error &error) {
            if (error.fault != Fault::device || (opened.empty() && number == numbers.back())) throw;
            observer.warning(fmt::format("device {} takes no part: {}", number, error.what()));
        }
    return opened;
}

/// The key of a kind of search; its first GPU is the one that is taken.
ChoiceKey SearchChoice::key(const SearchLevel &level, bool is_upload) const {
    ChoiceKey key;
    key.version = version();
    key.host = host_of(request_);
    key.candidates = fmt::format("search {}{}", level.id, is_upload ? " upload" : "");
    key.k = words_;
    return key;
}

std::optional<double> SearchChoice::pace(const SearchLevel &level, bool is_upload) const {
    const auto remembered = cache_of(request_).find(key(level, is_upload));
    if (!remembered || !(remembered->gigaflops > 0)) return std::nullopt;
    return 1e9 * remembered->gigaflops;
}

void SearchChoice::remember(const SearchLevel &level, double pairs, double seconds,
                            bool is_upload) const {
    if (request_.level != "auto" || !request_.device.empty() || seconds < short_seconds) return;
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    cache_of(request_).remember(key(level, is_upload),
                                {.level = std::string(level.id),
                                 .gigaflops = 1e-9 * pairs / seconds,
                                 .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(now))});
}

} // namespace bowhist
