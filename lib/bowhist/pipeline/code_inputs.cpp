#include <bowhist/pipeline/code_inputs.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>

#include <fmt/format.h>

#include <sys/stat.h>

#include <map>
#include <optional>

namespace bowhist {
namespace {

constexpr double rows_an_image = 10'000; ///< about, for auto: none was read yet

/// The stored codes, by image.
class Known {
  public:
    explicit Known(const StoredCodes &stored) : stored_(stored) {
        for (std::size_t i = 0; i < stored.images.size(); ++i) places_[stored.images[i]] = i;
    }

    /// The place of an image's code, if its file has the same stamp.
    std::optional<std::size_t> find(const std::string &image, const FileStamp &stamp) const {
        const auto found = places_.find(image);
        if (!stamp.is_known() || found == places_.end() ||
            !(stored_.stamps[found->second] == stamp))
            return {};
        return found->second;
    }

  private:
    const StoredCodes &stored_; ///< outlives it
    std::map<std::string, std::size_t> places_;
};

/// Stamps of all inputs, and the codes that are stored of some; the others are encoded.
struct Plan {
    std::vector<FileStamp> stamps = {};
    std::vector<std::optional<std::size_t>> known = {}; ///< a place among stored codes
    std::vector<Input> others = {};
};

Plan plan_for(const std::vector<Input> &inputs, const StoredCodes &stored) {
    const Known known(stored);
    Plan plan;
    for (const Input &input : inputs) {
        plan.stamps.push_back(stamp_of(input.path));
        const auto place =
            input.collection ? std::nullopt : known.find(input.path.native(), plan.stamps.back());
        plan.known.push_back(place);
        if (!place) plan.others.push_back(input);
    }
    return plan;
}

/// The codes of all, in the order of the inputs. @param made  of plan.others; empty: skipped
StoredCodes collect(const std::vector<Input> &inputs, const Plan &plan, const StoredCodes &stored,
                    const std::vector<std::optional<EncodedImage>> &made, const VladModel &model) {
    StoredCodes all{
        .images = {}, .stamps = {}, .codes = {model.row_size(), {}}, .shown = {model.words.size()}};
    const auto add = [&](const std::string &image, std::size_t input,
                         std::span<const std::int8_t> code, std::span<const std::uint8_t> shown) {
        all.images.push_back(image);
        all.stamps.push_back(plan.stamps[input]);
        all.codes.values.insert(all.codes.values.end(), code.begin(), code.end());
        all.shown.add(shown);
    };
    std::size_t other = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (plan.known[i])
            add(inputs[i].path.native(), i, stored.codes.row(*plan.known[i]),
                stored.shown.row(*plan.known[i]));
        else if (const auto &encoded = made[other++])
            add(encoded->image, i, encoded->code, encoded->shown);
    return all;
}

} // namespace

FileStamp stamp_of(const std::filesystem::path &path) {
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0) return {};
    return {static_cast<std::uint64_t>(file.st_size),
            std::int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec};
}

CodedInputs code_inputs(const CodeRequest &request, const VladModel &model,
                        const StoredCodes &stored, Observer &observer) {
    require_recorded(request.recipe, model.recipe, request.model);
    const VocabularyPair recorded = descriptors_of(model, request.model);
    const PreparedRecipe recipe(request.recipe, recorded);
    CodedInputs coded;
    coded.inputs.list = list_given_inputs(request.inputs, request.stream.strict, observer);
    coded.inputs.recipe = recipe.recipe();
    LevelRequest wished = request.level;
    wished.options.threads = request.stream.threads;
    wished.options.observer = &observer;
    const StreamOptions options = recipe.options_for(coded.inputs.list, request.stream,
                                                     {wished.device, wished.kernel_dir}, observer);
    coded.inputs.few = options.few;

    const std::vector<Input> &inputs = coded.inputs.list.inputs;
    const Plan plan = plan_for(inputs, stored);
    coded.unchanged = inputs.size() - plan.others.size();
    std::vector<std::optional<EncodedImage>> made(plan.others.size());
    if (!plan.others.empty()) {
        const Vocabulary &words = model.words;
        wished.host_seconds = host_seconds(wished, words.dimensions, words.size(),
                                           rows_an_image * static_cast<double>(made.size()));
        const LevelChoice level = choose_level(wished, words.dimensions, words.size());
        warn_of_unused_device(wished, level, options.preprocessor != nullptr, observer);
        const auto assigner = level.prepare(words);
        coded.inputs.counts = stream_encoded(
            plan.others, recipe, model, *assigner, options, observer,
            [&](EncodedImage &&encoded) { made[encoded.number] = std::move(encoded); });
    }
    coded.codes = collect(inputs, plan, stored, made, model);
    coded.inputs.counts.read += coded.unchanged;
    return coded;
}

} // namespace bowhist
