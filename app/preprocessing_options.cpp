#include "app/preprocessing_options.hpp"

#include "app/checks.hpp"
#include "app/choice.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/ops/named_filter.hpp>
#include <bowhist/tables/descriptor_file.hpp>
#include <bowhist/tables/filter_file.hpp>
#include <bowhist/tables/sidecar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace bowhist::app {
namespace {

/// A name means the filter of that name; a file of the same name is reached by ./NAME.
Filter find_filter(const std::string &word) {
    if (const auto filter = named_filter(word)) return *filter;
    std::error_code unknown; // then reading it tells the reason
    if (std::filesystem::status(word, unknown).type() == std::filesystem::file_type::not_found)
        throw Error(Fault::usage,
                    fmt::format("there is no filter and no file \"{}\"; give a file of weights, or "
                                "one of: {}",
                                printable(word), filter_names()));
    return read_filter(word);
}

} // namespace

Preprocessing overlaid(Preprocessing others, const Preprocessing &steps,
                       const PreprocessingGiven &given) {
    if (given.equalize) others.equalize = steps.equalize;
    if (given.blur) others.blur_sigma = steps.blur_sigma;
    if (given.filter) others.filter_name = steps.filter_name;
    if (given.filter) others.filter = steps.filter;
    return others;
}

std::string as_asked(const Preprocessing &steps, const PreprocessingGiven &given) {
    std::string text = as_options(steps);
    if (given.equalize && !steps.equalize) text += " --equalize=false";
    if (given.blur && steps.blur_sigma == 0) text += " --blur 0";
    return text;
}

void add_preprocessing_options(Command &command, Preprocessing &steps, PreprocessingGiven &given) {
    command
        .add_flag("--equalize", steps.equalize,
                  "First spread a picture's grey values over the whole range")
        ->each([&given](const std::string &) { given.equalize = true; });
    command
        .add_option("--blur", steps.blur_sigma,
                    fmt::format("Then blur it by a Gaussian of SIGMA pixels, {} to {}; 0: none",
                                smallest_blur_sigma, largest_blur_sigma))
        ->check(none_or_within(smallest_blur_sigma, largest_blur_sigma))
        ->each([&given](const std::string &) { given.blur = true; })
        ->type_name("SIGMA");
    command
        .add_option_function<std::string>(
            "--filter",
            [&steps, &given](const std::string &word) {
                steps.filter_name = word;
                steps.filter = find_filter(word);
                given.filter = true;
            },
            "Then filter it: sobel-x, sobel-y, box:5 and more (see filter --help), or a file of "
            "weights")
        ->type_name("NAME|FILE");
}

void add_border_option(Command &command, Border &border) {
    add_choice<Border>(
        command, "--border", border,
        {{"zero", Border::zero}, {"replicate", Border::replicate}, {"reflect", Border::reflect}},
        "What --filter sees around the picture: zero, replicate or reflect (default: reflect)")
        ->type_name("HOW");
}

std::shared_ptr<Preprocessor> preprocessor_for(const InputList &list, const Preprocessing &steps,
                                               const PreprocessingGiven &given,
                                               const PreprocessorOptions &options,
                                               Observer &observer) {
    const Preprocessing said = overlaid({}, steps, given);
    const auto file = std::ranges::find_if(
        list.inputs, [](const Input &input) { return is_descriptor_file(input.path); });
    if (said.any() && file != list.inputs.end())
        observer.warning(fmt::format("{} holds descriptors, which stay as they are:{} is for "
                                     "pictures; extract them anew where they lack it",
                                     printable(file->path), as_options(said)));
    return any_picture(list) ? make_preprocessor(steps, options) : nullptr;
}

} // namespace bowhist::app
