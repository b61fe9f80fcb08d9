#include "bench/bench.hpp"
#include "bench/cases/cases.hpp"
#include "bench/device_case.hpp"
#include "bench/peaks.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/device/device.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace bowhist {

const std::vector<Operation> &operations() {
    using enum Operation::Data;
    constexpr bool on_host = true;
    static const std::vector<Operation> table = {
        {"assign", "n descriptors to the nearest of k words, counted", groups, assign_cases,
         on_host},
        {"gpu6-shapes", "assign by gpu6, in each shape of its tiles", words, tile_cases},
        {"transpose", "n rows of d floats turned into d rows of n", other, transpose_cases,
         on_host},
        {"transpose-float", "pictures of up to 2048 x 2048 floats, turned", images,
         transpose_image_cases<float>},
        {"transpose-byte", "pictures of up to 2048 x 2048 bytes, turned", images,
         transpose_image_cases<std::uint8_t>},
        {"gaussian", "pictures of up to 1024 x 1024 floats, blurred", images, gaussian_cases},
        {"gaussian-columns", "pictures of up to 1024 x 1024 floats, blurred along columns", images,
         gaussian_column_cases},
        {"scan-rows", "prefix sums of each row of pictures of floats", images, scan_row_cases},
        {"scan-vector", "prefix sums of one long vector of integers", images, scan_vector_cases,
         on_host},
        {"compact", "half of a vector kept, in order", images, compact_cases},
        {"integral", "integral images of pictures of up to 2048 x 2048 bytes", images,
         integral_cases},
        {"histogram256", "grey values of pictures of up to 2048 x 2048 bytes, counted", images,
         histogram256_cases, on_host},
        {"equalise", "pictures of up to 2048 x 2048 bytes, histograms equalized", images,
         equalize_cases},
        {"convolve-5x5", "pictures of up to 1024 x 1024 floats, 25 weights", tiles,
         [](const Scene &scene) { return convolve_cases(scene, 5); }},
        {"convolve-9x9", "pictures of up to 1024 x 1024 floats, 81 weights", tiles,
         [](const Scene &scene) { return convolve_cases(scene, 9); }},
        {"separable", "pictures of up to 1024 x 1024 floats, 15 by 15 weights", images,
         convolve_separable_cases},
        {"dense", "pictures of up to 1024 x 1024 pixels to dense descriptors", images,
         [](const Scene &scene) { return extract_cases(scene, "dense"); }, on_host},
        {"surf", "pictures of up to 1024 x 1024 pixels to SURF descriptors", images,
         [](const Scene &scene) { return extract_cases(scene, "surf"); }, on_host},
        {"train-start", "k of n descriptors chosen for k-means to start from", words,
         train_start_cases, on_host},
        {"train-iteration", "k-means: n descriptors to k words, and those moved", words,
         train_iteration_cases, on_host},
        {"search-words", "100 queries among n images, by words: the best 50 of each", words,
         search_word_cases, on_host},
        {"search-codes", "100 queries among n images, by codes of 128 bytes", other,
         search_code_cases, on_host},
        {"memory", "n floats read once each, in many orders", other, memory_cases, on_host},
    };
    return table;
}

std::vector<Case> Operation::cases(const Scene &scene) const {
    std::vector<Case> cases;
    if (scene.device || runs_on_host) cases = make(scene);
    const bool lists_levels = runs_on_host && has_words(); // those of the device, too
    if (!scene.device && !lists_levels && std::ranges::none_of(cases, [](const Case &row) {
            return row.subject.place == Place::device;
        }))
        cases.insert(cases.begin(), not_here({.level = "all"}, no_device));
    for (Case &row : cases) {
        row.subject.operation = id;
        row.subject.device = row.subject.place == Place::host ? host_name(scene.request.threads)
                             : scene.device                   ? scene.device->info().name
                                                              : "none";
    }
    return cases;
}

const Operation &find_operation(std::string_view id) {
    const auto &table = operations();
    const auto found = std::ranges::find(table, id, &Operation::id);
    if (found != table.end()) return *found;
    throw Error(Fault::usage,
                fmt::format("there is no operation \"{}\"; choose among: {}", excerpt(id),
                            fmt::join(table | std::views::transform(&Operation::id), ", ")));
}

} // namespace bowhist
