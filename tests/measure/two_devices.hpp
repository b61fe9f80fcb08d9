#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/observer.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// What the programs share that compare one device with two.

/// Devices, the level, and a folder that is theirs.
struct TwoDevices {
    std::vector<std::size_t> numbers;
    std::string level;
    bool quick = false;
    std::filesystem::path folder;
};

/// By the options [--quick] [--level LEVEL] [--devices 0,1] [--folder DIR]. Without --devices the
/// first two of one name, GPUs first. Prints what was chosen; removes the folder at the end.
/// @param k  words, for which the level is the best without --level
/// @return the exit status: 77 where there are no two devices
int with_two_devices(int count, char **arguments, std::size_t k,
                     const std::function<void(const TwoDevices &)> &measure);

struct Printer : bowhist::Observer {
    void note(const std::string &line) override { fmt::print("   note: {}\n", line); }
    void warning(const std::string &line) override { fmt::print("   warning: {}\n", line); }
};

double seconds(const std::function<void()> &work);
double median(std::vector<double> values);
/// Of seconds that were measured in turn: both in milliseconds, and their ratio.
void print_ratio(const std::vector<double> &one, const std::vector<double> &two);

/// Nearly normal, the same everywhere: sums of the four bytes of a mixed number.
bowhist::Descriptors made_rows(std::size_t rows, std::size_t dimensions);

std::string sha256(const std::filesystem::path &path);
