#pragma once

#include <algorithm>
#include <cstdio>
#include <vector>

/// The median of the rounds, and their range.
inline void print(const char *name, std::vector<double> values) {
    std::ranges::sort(values);
    std::printf("   %-28s %8.3f (%.3f … %.3f)\n", name, values[values.size() / 2], values.front(),
                values.back());
}
