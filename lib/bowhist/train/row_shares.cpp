#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/leave.hpp>
#include <bowhist/train/row_shares.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

bool are_equal(const LevelChoice &one, const LevelChoice &other) {
    return one.level == other.level && one.device()->info().name == other.device()->info().name;
}

} // namespace

std::vector<double> paces_of(const std::vector<LevelChoice> &choices, const DescriptorRows &rows,
                             const Vocabulary &vocabulary) {
    const std::vector<double> equal(choices.size(), 1.0);
    if (std::ranges::all_of(
            choices, [&](const LevelChoice &one) { return are_equal(one, choices.front()); }))
        return equal;
    const std::size_t count = std::min<std::size_t>(rows.size(), std::size_t{1} << 14);
    std::vector<float> some;
    rows.range(0, count)->read([&](std::size_t, std::span<const float> values) {
        some.insert(some.end(), values.begin(), values.end());
    });
    std::vector<double> paces;
    for (const LevelChoice &choice : choices) try {
            const auto assigner = choice.prepare(vocabulary);
            assigner->run({some, {}, 1});
            const auto start = std::chrono::steady_clock::now();
            assigner->run({some, {}, 1});
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            paces.push_back(static_cast<double>(count) / std::max(1e-6, taken.count()));
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            paces.push_back(0);
            leave(*choice.device(), error, *choice.options.observer);
        }
    return std::ranges::max(paces) == 0 ? equal : paces;
}

std::vector<std::size_t> shares_by(const std::vector<double> &paces, std::size_t rows) {
    const std::size_t block = std::clamp<std::size_t>(rows / (64 * paces.size()), 1, 4096);
    const double all = std::accumulate(paces.begin(), paces.end(), 0.0);
    std::vector<std::size_t> shares;
    double pace = 0;
    std::size_t before = 0;
    for (std::size_t i = 0; i < paces.size(); ++i) {
        pace += paces[i];
        const auto blocks = static_cast<double>(rows) * pace / all / static_cast<double>(block);
        std::size_t end = std::min(rows, static_cast<std::size_t>(std::llround(blocks)) * block);
        if (i + 1 == paces.size()) end = rows;
        shares.push_back(end - before);
        before = end;
    }
    return shares;
}

} // namespace bowhist
