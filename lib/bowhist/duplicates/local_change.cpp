#include <bowhist/duplicates/local_change.hpp>

#include <bowhist/duplicates/window_fit.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace bowhist {
namespace {

constexpr int step = 4;           ///< pixels from window to window
constexpr double little = 0.25;   ///< left in a window: less is not measured
constexpr double plain_step = 40; ///< levels between two windows without ink that differ
constexpr std::size_t alone = 3;  ///< windows that noise may change
constexpr std::size_t around = 9; ///< windows: one and those beside it

/// Whether both images are plain in the window, and of other levels: within a thing of one level.
bool is_other_plain(const Overlay &overlay, int left, int top) {
    constexpr double pixels = WindowFit::side * WindowFit::side;
    double sum = 0;
    for (int y = top; y < top + WindowFit::side; ++y)
        for (int x = left; x < left + WindowFit::side; ++x) {
            const std::size_t at = overlay.at(x, y);
            if (overlay.covered[at] == 0) return false;
            sum += double{overlay.lower[at]} - overlay.upper[at];
        }
    return std::abs(sum) >= pixels * plain_step;
}

/// The shares of variance that are left in windows, row after row.
struct Windows {
    int columns = 0, rows = 0;
    std::vector<double> left = {};     ///< 0 without ink, 1 where plain windows differ
    std::vector<double> with_ink = {}; ///< of these alone

    double at(int column, int row) const {
        if (column < 0 || row < 0 || column >= columns || row >= rows) return 0;
        return left[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column)];
    }
    double median_around(int column, int row) const {
        std::array<double, around> some{};
        std::size_t i = 0;
        for (const int y : {row - 1, row, row + 1})
            for (const int x : {column - 1, column, column + 1}) some[i++] = at(x, y);
        std::ranges::nth_element(some, some.begin() + around / 2);
        return some[around / 2];
    }
};

Windows windows_of(const Overlay &overlay) {
    Windows windows;
    if (std::min(overlay.width, overlay.height) < WindowFit::side) return windows;
    windows.columns = (overlay.width - WindowFit::side) / step + 1;
    windows.rows = (overlay.height - WindowFit::side) / step + 1;
    const WindowFit fit(overlay);
    for (int y = 0; y < windows.rows * step; y += step)
        for (int x = 0; x < windows.columns * step; x += step) {
            const double left = fit.left(x, y, little);
            if (left >= 0) windows.with_ink.push_back(left);
            windows.left.push_back(left >= 0 ? left : is_other_plain(overlay, x, y) ? 1 : 0);
        }
    return windows;
}

} // namespace

LocalChange local_change(const Overlay &overlay) {
    Windows windows = windows_of(overlay);
    std::vector<double> medians;
    for (int row = 0; row < windows.rows; ++row)
        for (int column = 0; column < windows.columns; ++column)
            medians.push_back(windows.median_around(column, row));
    LocalChange change;
    if (medians.size() < alone) return change;
    std::ranges::nth_element(medians, medians.begin() + alone - 1, std::greater{});
    change.most = medians[alone - 1];
    if (windows.with_ink.empty()) return change;
    const auto half =
        windows.with_ink.begin() + static_cast<std::ptrdiff_t>(windows.with_ink.size() / 2);
    std::ranges::nth_element(windows.with_ink, half);
    change.usual = *half;
    return change;
}

} // namespace bowhist
