// Decodes images in this process and in one of their own, in turn:
//
//     isolation MAX_SIDE ROUNDS IMAGE...
//
// One thread. Prints the milliseconds an image, medians of the rounds with their range, and what
// the process of its own adds.

#include "print_median.hpp"

#include <bowhist/pictures/picture.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

double milliseconds(const char *path, int side, bowhist::Isolation isolation) {
    const auto start = std::chrono::steady_clock::now();
    bowhist::read_image(path, {.max_side = side, .isolation = isolation});
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    const int side = std::atoi(argv[1]);
    const int rounds = std::atoi(argv[2]);
    const std::vector<const char *> paths(argv + 3, argv + argc);
    std::vector<double> here, apart, added;
    for (int round = -1; round < rounds; ++round) { // the first one starts what is to be started
        double a = 0;
        double b = 0;
        for (const char *path : paths) { // image by image: the machine is shared
            a += milliseconds(path, side, bowhist::Isolation::never);
            b += milliseconds(path, side, bowhist::Isolation::always);
        }
        if (round < 0) continue;
        here.push_back(a / static_cast<double>(paths.size()));
        apart.push_back(b / static_cast<double>(paths.size()));
        added.push_back(100 * (b / a - 1));
    }
    std::printf("%zu pictures at most %d a side, %d rounds\n", paths.size(), side, rounds);
    print("in this process, ms", here);
    print("in one of its own, ms", apart);
    print("added, %", added);
}
