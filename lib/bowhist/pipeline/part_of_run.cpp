#include <bowhist/pipeline/part_of_run.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/io/byte_hash.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/tables/formats/sidecar_json.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <span>

namespace bowhist {
namespace {

void refuse(const PartOfOneRun &part, const PartOfOneRun &first, const std::string &difference) {
    throw Error(Fault::input, fmt::format("{} and {} {}", first.path, part.path, difference));
}

/// @throws Error{Fault::input} where the parts are not of one run
void require_alike(const PartOfOneRun &part, const PartOfOneRun &first) {
    const PartHead &a = first.head;
    const PartHead &b = part.head;
    if (a.version != b.version)
        refuse(part, first,
               fmt::format("are of bowhist {} and {}; make all parts with one", excerpt(a.version),
                           excerpt(b.version)));
    if (a.shard.of != b.shard.of)
        refuse(part, first,
               fmt::format("are shards {}/{} and {}/{}; make all parts with one number of shards",
                           a.shard.number, a.shard.of, b.shard.number, b.shard.of));
    if (a.content.index() != b.content.index())
        refuse(part, first, "hold different things; give the parts of one run");
    if (a.vocabulary != b.vocabulary)
        refuse(part, first,
               "were made with different --centroids or --descend; make all parts with the same");
    if (a.settings != b.settings || a.file != b.file)
        refuse(part, first, "were made with different options; make all parts with the same");
    if (a.inputs != b.inputs || a.list != b.list)
        refuse(part, first,
               fmt::format("are of different inputs ({} and {}); give all shards the same INPUTs",
                           a.inputs, b.inputs));
}

/// @throws Error{Fault::input} unless each part is there once
void require_each_once(const std::vector<PartOfOneRun> &parts) {
    const std::size_t of = parts.front().head.shard.of;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t number = parts[i].head.shard.number;
        if (i > 0 && number == parts[i - 1].head.shard.number)
            throw Error(Fault::input, fmt::format("{} and {} are both shard {}/{}; give each once",
                                                  parts[i - 1].path, parts[i].path, number, of));
        if (number != i + 1)
            throw Error(Fault::input,
                        fmt::format("shard {}/{} is missing; give its part, too", i + 1, of));
    }
    if (parts.size() != of)
        throw Error(Fault::input, fmt::format("shard {}/{} is missing; give its part, too",
                                              parts.size() + 1, of));
}

} // namespace

void require_one_run(std::vector<PartOfOneRun> &parts) {
    if (parts.empty())
        throw Error(Fault::usage, "there is no PART; give the files that --shard made");
    for (const PartOfOneRun &part : parts) require_alike(part, parts.front());
    std::ranges::stable_sort(parts, {},
                             [](const PartOfOneRun &part) { return part.head.shard.number; });
    require_each_once(parts);
}

namespace {

/// Path bytes, an end that no path holds, and numbers.
template <std::size_t n>
void add(ByteHash &hash, const std::filesystem::path &path,
         const std::array<std::uint64_t, n> &numbers) {
    hash.add(path.native());
    hash.add({"\0", 1});
    hash.add(bytes_of(numbers));
}

/// The hash of paths, sizes and times: files that were changed since have another one.
std::string hash_of_files(std::span<const Input> inputs) {
    ByteHash hash;
    const std::filesystem::path *last = nullptr;
    struct stat file {};
    for (const Input &input : inputs) {
        const bool is_again = last != nullptr && *last == input.path; // more of a collection
        if (!is_again && ::stat(input.path.c_str(), &file) != 0) file = {};
        last = &input.path;
        add(hash, input.path,
            std::array{std::uint64_t{input.place}, static_cast<std::uint64_t>(file.st_size),
                       static_cast<std::uint64_t>(file.st_mtim.tv_sec),
                       static_cast<std::uint64_t>(file.st_mtim.tv_nsec)});
    }
    return hash.digits();
}

/// The recipe of a descriptor file, without its descriptors where they lie apart.
std::optional<Recipe> recipe_of(const Input &input) {
    if (input.collection) return input.collection->recipe;
    if (ending_of(input.path) != ".npz") {
        const auto sidecar = read_descriptor_sidecar(input.path);
        return sidecar ? std::optional(sidecar->recipe) : std::nullopt;
    }
    const SavedDescriptors saved = load_descriptors(input);
    return saved.sidecar ? std::optional(saved.sidecar->recipe) : std::nullopt;
}

std::string settings_of(const Recipe &recipe, const StreamOptions &options) {
    nlohmann::ordered_json values{{"recipe", as_json(recipe)},
                                  {"max_side", options.image.max_side},
                                  {"max_pixels", options.image.max_pixels},
                                  {"keep_damaged", options.image.keep_damaged}};
    if (options.image.max_bytes) values["max_bytes"] = *options.image.max_bytes;
    if (options.made_by) values["made_by"] = as_json(*options.made_by);
    return text_of(values, -1);
}

} // namespace

void require_part_name(const std::filesystem::path &output) {
    if (ending_of(output) == ".part") return;
    throw Error(Fault::usage,
                fmt::format("{}: a shard writes a part, for bowhist merge; end its name in .part",
                            output.empty() ? "standard output" : printable(output)));
}

std::vector<Input> take_shard(const Shard &shard, std::vector<Input> &inputs) {
    const ShardRange range = range_of(shard, inputs.size());
    const auto at = [&](std::size_t place) {
        return inputs.begin() + static_cast<std::ptrdiff_t>(place);
    };
    std::vector<Input> before(at(0), at(range.first));
    inputs = std::vector<Input>(at(range.first), at(range.last));
    return before;
}

void decide_by(std::span<const Input> before, std::size_t dimensions, StreamOptions &options) {
    for (const Input &input : before) {
        if (options.made_by && options.dimensions != 0) return;
        if (!is_descriptor_file(input.path)) {
            if (options.dimensions == 0) options.dimensions = dimensions;
            continue;
        }
        try {
            const auto recipe = recipe_of(input);
            const bool is_known = recipe && recipe->is_known();
            if (!is_known && options.dimensions != 0) continue;
            const Descriptors read = load_descriptors(input).descriptors;
            if (is_known && !options.made_by) options.made_by = recipe;
            const bool fits = !is_known || recipe->comparable(*options.made_by);
            if (fits && read.size() > 0 && options.dimensions == 0)
                options.dimensions = read.dimensions;
        } catch (const Error &error) { // the shard that takes it reports the reason
            if (error.fault != Fault::input) throw;
        }
    }
}

std::string hash_of(const std::vector<Input> &inputs) {
    ByteHash hash;
    for (const Input &input : inputs) add(hash, input.path, std::array{std::uint64_t{input.place}});
    return hash.digits();
}

PartOfRun::PartOfRun(PartRequest &&request, InputSummary &run, StreamOptions &options)
    : output_(std::move(request.output)), strict_(options.strict) {
    require_part_name(output_);
    std::vector<Input> &inputs = run.list.inputs;
    PartHead head{.shard = request.shard,
                  .inputs = inputs.size(),
                  .list = hash_of(inputs),
                  .version = std::string(version()),
                  .vocabulary = std::move(request.vocabulary),
                  .settings = settings_of(run.recipe, options),
                  .content = std::move(request.content)};
    const std::vector<Input> before = take_shard(request.shard, inputs);
    head.range = hash_of_files(inputs);
    head_ = head_text(head);
    decide_by(before, request.dimensions, options);
}

std::optional<InputSummary> PartOfRun::complete() const {
    if (is_missing(output_)) return std::nullopt;
    try {
        PartReader part(output_);
        if (part.head() != head_) return std::nullopt;
        std::string row;
        while (part.next(row)) {
        }
        InputSummary run = end_in(part);
        if (strict_ && run.counts.skipped > 0) return std::nullopt;
        return run;
    } catch (const Error &) { // another takes its place
        return std::nullopt;
    }
}

PartWriter &PartOfRun::writer() {
    if (!writer_) writer_ = std::make_unique<PartWriter>(output_, head_);
    return *writer_;
}

void PartOfRun::finish(const InputSummary &run) {
    writer().finish(end_text(run));
}

} // namespace bowhist
