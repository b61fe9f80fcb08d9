#include <bowhist/device/drivers/driver_news.hpp>

#include <mutex>
#include <utility>

namespace bowhist {
namespace {

std::mutex mutex;
std::vector<DriverNews> waiting;

} // namespace

void add_driver_news(DriverNews news) {
    const std::lock_guard lock(mutex);
    waiting.push_back(std::move(news));
}

std::vector<DriverNews> take_driver_news() {
    const std::lock_guard lock(mutex);
    return std::exchange(waiting, {});
}

std::vector<std::string> lines_about_drivers(const std::string &advice) {
    std::vector<std::string> lines;
    for (DriverNews &news : take_driver_news()) {
        lines.push_back(news.line + advice);
        for (std::string &line : news.printed) lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace bowhist
