// bowhist filter: an image in; out come an image, its histogram, its integral image.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"
#include <bowhist/pipeline/output_check.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/ops/named_filter.hpp>
#include <bowhist/pictures/picture_writer.hpp>
#include <bowhist/pipeline/grey_sums.hpp>
#include <bowhist/tables/formats/npy.hpp>

#include <optional>

namespace bowhist::app {
namespace {

struct FilterCall {
    std::string input;
    std::filesystem::path output;
    std::filesystem::path histogram;
    std::filesystem::path integral;
    Preprocessing steps;
    std::set<std::string_view> given;
    PreprocessorOptions options;
    ImageLimits image{.max_side = 0};
    ConsoleOptions console;
};

/// -o and the steps go together: an image that is only read would be written as it is.
void check_image(const FilterCall &call) {
    if (call.given.empty())
        throw Error(Fault::usage,
                    "there is nothing to do; give --equalize, --blur SIGMA or --filter NAME");
    if (call.output == "-")
        throw Error(Fault::usage, "filter cannot write to standard output, because a file's ending "
                                  "is its format; name a file");
    if (!is_writable_image(call.output))
        throw Error(Fault::usage, fmt::format("{} does not end like a picture; end it in one of {}",
                                              call.output, writable_image_endings()));
}

void check(const FilterCall &call, const std::vector<std::string> &inputs) {
    if (inputs.size() != 1)
        throw Error(Fault::usage,
                    fmt::format("there are {} pictures to filter; name one", inputs.size()));
    if (call.output.empty() && call.histogram.empty() && call.integral.empty())
        throw Error(Fault::usage, "there is nothing to write; give -o OUT, --histogram FILE.npy "
                                  "or --integral FILE.npy");
    if (!call.output.empty()) check_image(call);
    check_outputs({call.output, call.histogram, call.integral}, {inputs.front()});
}

FilterCall read_call(const Arguments &arguments) {
    FilterCall call;
    Command command(
        "filter", "Filters a picture, and adds it up, to look at what the options do.", "IN",
        "  bowhist filter rose.jpg -o edges.png --blur 2 --filter sobel-x\n"
        "  bowhist filter dark.png -o clear.png --equalize --histogram grays.npy\n"
        "  bowhist filter rose.jpg --integral sums.npy\n"
        "\n"
        "OUT is gray, its format by its ending. The order is always the same: equalize,\n"
        "blur, filter.\n" +
            wrapped("Filters: " + filter_names() + ".") +
            "\n"
            "Of a filter whose weights sum to zero (a gradient) the absolute value is shown.\n"
            "A file holds a filter's rows of numbers, an odd number of each; it is not\n"
            "flipped.\n"
            "--histogram and --integral are of the picture after all steps; without a\n"
            "step, of the picture as it is read.");
    add_file(command, "-o,--output", call.output, "The picture to write")->type_name("OUT");
    add_file(command, "--histogram", call.histogram, "The 256 grays counted (uint32)")
        ->check(ends_in({".npy"}));
    add_file(command, "--integral", call.integral,
             "The integral image: sums of all pixels to the left and above (uint64)")
        ->check(ends_in({".npy"}));
    add_preprocessing_options(command, call.steps, call.given);
    add_choice<Border>(
        command, "--border", call.options.border,
        {{"zero", Border::zero}, {"replicate", Border::replicate}, {"reflect", Border::reflect}},
        "What --filter sees around the picture: zero, replicate or reflect (default: reflect)")
        ->type_name("HOW");
    add_device_options(command, call.options.device, call.options.kernel_dir);
    add_image_options(command, call.image);
    add_console_options(command, call.console);
    const std::vector<std::string> inputs = command.parse(arguments);
    check(call, inputs);
    call.input = inputs.front();
    return call;
}

/// A file for numbers; none where none was asked for.
std::optional<AtomicFile> opened(const std::filesystem::path &path) {
    return path.empty() ? std::nullopt : std::optional<AtomicFile>(path);
}

template <typename T>
void write_numbers(AtomicFile &file, const char *type, const std::vector<std::uint64_t> &shape,
                   const std::vector<T> &values) {
    file.write(npy_header(type, shape));
    file.write(bytes_of(values));
    file.close();
}

} // namespace

int filter_verb(const Arguments &arguments) {
    const FilterCall call = read_call(arguments);
    Console console(call.console);
    auto histogram = opened(call.histogram); // what cannot be written shows before anything is read
    auto integral = opened(call.integral);
    ImageRemarks remarks;
    const Image image = read_image(call.input, call.image, &remarks);
    if (!remarks.damage.empty()) console.warning(remarks.damage);
    if (!remarks.note.empty()) console.note(remarks.note);
    const auto preprocessor = make_preprocessor(call.steps, call.options);
    console.note(fmt::format("{} x {} pixels on {}", image.width, image.height,
                             preprocessor ? preprocessor->device() : "no device: no step is left"));
    if (!preprocessor && !histogram && !integral)
        warn_of_unused({.device = call.options.device, .kernel_dir = call.options.kernel_dir},
                       "no step is left", console);
    const Image filtered = preprocessor ? preprocessor->run(image) : image;
    if (histogram) write_numbers(*histogram, "<u4", {256}, grey_histogram(filtered, call.options));
    if (integral)
        write_numbers(*integral, "<u8",
                      {image.height + std::uint64_t{1}, image.width + std::uint64_t{1}},
                      integral_image(filtered, call.options));
    if (!call.output.empty()) write_image(call.output, filtered);
    if (histogram) histogram->commit();
    if (integral) integral->commit();
    return 0;
}

} // namespace bowhist::app
