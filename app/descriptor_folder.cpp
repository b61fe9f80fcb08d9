#include "app/descriptor_folder.hpp"
#include "app/command/places.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/io/temporary_file.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <fmt/format.h>
#include <sys/stat.h>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace bowhist::app {
namespace {

namespace fs = std::filesystem;

/// The size and time of an image's file, known before it is read. Nothing for descriptors, which
/// take no decoding.
std::optional<DescriptorOrigin> origin_of(const Input &input) {
    constexpr std::int64_t nanoseconds = 1'000'000'000;
    struct stat file {};
    if (is_descriptor_file(input.path) || ::stat(input.path.c_str(), &file) != 0)
        return std::nullopt;
    const std::int64_t modified = file.st_mtim.tv_sec * nanoseconds + file.st_mtim.tv_nsec;
    return DescriptorOrigin{static_cast<std::uint64_t>(file.st_size),
                            static_cast<std::uint64_t>(std::max<std::int64_t>(0, modified)), 0,
                            std::string(version())};
}

/// How many descriptors a file holds, if they are those that its sidecar names, and what
/// extracting would give.
std::optional<std::size_t> current_descriptors(const fs::path &file, const Input &input,
                                               DescriptorOrigin origin, const Recipe &recipe) {
    try {
        const auto recorded = read_descriptor_sidecar(file);
        if (!recorded || !recorded->origin) return std::nullopt;
        origin.fingerprint = recorded->origin->fingerprint;
        if (recorded->image != input.path.native() || recorded->recipe != recipe ||
            recorded->origin != origin)
            return std::nullopt;
        const Descriptors descriptors = read_descriptors(file);
        if (row_fingerprint(descriptors.values) != origin.fingerprint) return std::nullopt;
        return descriptors.size();
    } catch (const Error &) {
        return std::nullopt; // a new one takes its place, or says why not
    }
}

void make_folder(const fs::path &folder) {
    std::error_code reason;
    fs::create_directories(folder, reason);
    if (!reason) return;
    const std::string name = printable(folder);
    if (is_fault_of_name(reason.value()))
        throw UnusableName(output_failure(name, "created", reason.value()));
    throw Error(Fault::output, fmt::format("{}: {}; choose another -o", name, reason.message()));
}

} // namespace

void make_folder_of(const fs::path &file) {
    if (file.has_parent_path()) make_folder(file.parent_path());
}

void require_writable(const fs::path &file) {
    make_folder_of(file);
    const bool has_sidecar = ending_of(file) != ".npz";
    for (const fs::path &path : {file, has_sidecar ? sidecar_path(file) : file}) {
        std::error_code unknown;
        if (fs::is_other(path, unknown)) continue;
        const TemporaryFile writable(path);
    }
}

DescriptorFolder::DescriptorFolder(fs::path folder, const InputList &list, const ShardRange &range)
    : folder_(std::move(folder)) {
    Places places(folder_);
    for (std::size_t i = 0; i < range.last; ++i) {
        fs::path place = places.place_for(list.inputs[i]);
        if (i >= range.first) places_.push_back({std::move(place), origin_of(list.inputs[i])});
    }
}

void DescriptorFolder::keep_current(InputList &list, const Recipe &recipe,
                                    const Observer &observer) {
    std::vector<std::optional<std::size_t>> current(places_.size());
    tbb::parallel_for(std::size_t{0}, places_.size(), [&](std::size_t i) {
        observer.stop_if_interrupted();
        const auto &[file, origin] = places_[i];
        if (origin) current[i] = current_descriptors(file, list.inputs[i], *origin, recipe);
    });
    std::vector<Input> inputs;
    std::vector<Place> places;
    for (std::size_t i = 0; i < current.size(); ++i) {
        if (current[i].value_or(0) > 0) { // one without any is made again, to say why
            kept_.push_back({list.inputs[i].path.native(), *current[i]});
        } else {
            inputs.push_back(std::move(list.inputs[i]));
            places.push_back(std::move(places_[i]));
        }
    }
    list.inputs = std::move(inputs);
    places_ = std::move(places);
}

void DescriptorFolder::count_kept(std::size_t few, StreamCounts &counts, Observer &observer) const {
    counts.read += kept_.size();
    for (const auto &[image, descriptors] : kept_)
        count_few(image, ImageContent::usual, descriptors, few, counts, observer);
    if (!kept_.empty())
        observer.note(fmt::format("{} had current descriptors already, which are kept",
                                  counted(kept_.size(), "picture")));
}

std::vector<fs::path> DescriptorFolder::outputs() const {
    std::vector<fs::path> paths;
    for (const Place &place : places_) {
        paths.push_back(place.file);
        paths.push_back(sidecar_path(place.file));
    }
    return paths;
}

void DescriptorFolder::write(const Described &described, const Recipe &recipe) const {
    const Place &place = places_.at(described.number);
    DescriptorSidecar recorded{described.image, recipe, place.origin};
    if (recorded.origin)
        recorded.origin->fingerprint = row_fingerprint(described.descriptors.values);
    try {
        make_folder(folder_);
    } catch (const UnusableName &error) {
        throw Error(error); // not of one image
    }
    make_folder_of(place.file);
    write_descriptors(place.file, described.descriptors, recorded);
}

} // namespace bowhist::app
