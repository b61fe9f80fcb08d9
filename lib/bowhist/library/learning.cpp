#include <bowhist/library/learning.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/own_folders.hpp>
#include <bowhist/learn/learn_model.hpp>
#include <bowhist/learn/second_reading.hpp>
#include <bowhist/library/library_file.hpp>
#include <bowhist/library/recipes.hpp>
#include <bowhist/library/schema.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist {
namespace {

constexpr std::size_t most_learned_images = 4000;

RecipeRequest with_words_defaults(const RecipeRequest &asked) {
    RecipeRequest request = asked;
    request.recipe = words_recipe();
    if (asked.given.contains("--extractor") && asked.recipe.extractor != request.recipe.extractor)
        request.recipe = {.extractor = asked.recipe.extractor};
    for (const RecipeOption &option : recipe_options)
        if (asked.given.contains(option.flag)) option.copy(asked.recipe, request.recipe);
    request.recipe.preprocessing = asked.recipe.preprocessing;
    return request;
}

/// Images to learn from, drawn by the seed from all, whatever the order in which they were named.
InputSource drawn(const InputSource &source, bool strict, std::uint64_t seed, Observer &observer) {
    InputList list = list_given_inputs(source, strict, observer);
    std::ranges::sort(list.inputs, {}, [](const Input &input) { return input.path.native(); });
    InputSource result;
    for (const Input &input : draw_inputs(list.inputs, most_learned_images, seed))
        result.arguments.push_back(input.path.native());
    return result;
}

class Learning {
  public:
    Learning(Catalogue &catalogue, const IndexRequest &request, const InputSource &source,
             Observer &observer)
        : catalogue_(catalogue), request_(request), source_(source), observer_(observer) {}

    LibraryModels run() {
        const std::filesystem::path &library = catalogue_.database().path();
        for (const StoredModel &model : catalogue_.models()) {
            if (model.kind == "words") models_.words = words_model_of(model, library);
            if (model.kind == "code") models_.code = code_model_of(model, library);
        }
        for (const auto &path : request_.models) take(path);
        if (request_.words && !models_.words) learn_words();
        if (request_.code && !models_.code) learn_code();
        return std::move(models_);
    }

  private:
    /// A vocabulary, a model of codes, or both of another library.
    void take(const std::filesystem::path &path) {
        if (holds_library(path)) {
            const auto database = open_to_read(path);
            for (const StoredModel &model : Catalogue(*database).models()) take(model, path);
        } else if (holds_model(path)) {
            take(stored(read_model(path)), path);
        } else {
            take(stored(with_recipe(read_vocabulary_pair(path))), path);
        }
    }

    void take(const StoredModel &model, const std::filesystem::path &from) {
        const bool is_words = model.kind == "words";
        if (is_words ? !request_.words : !request_.code) return;
        const std::string own =
            is_words ? fingerprint_of(models_.words) : fingerprint_of(models_.code);
        if (own.empty()) return keep(model);
        if (own == model.fingerprint) return;
        throw Error(Fault::usage,
                    fmt::format("{} was made with another model of {} than {}; leave --centroids "
                                "out, or make a new library",
                                library(), model.kind, from));
    }

    /// A vocabulary without a record gets the recipe that was asked for.
    VocabularyPair with_recipe(VocabularyPair &&pair) const {
        if (pair.recorded.recipe()) return std::move(pair);
        const RecipeRequest asked = with_words_defaults(request_.words_recipe);
        pair.recorded.sidecar =
            VocabularySidecar{.recipe = completed(asked.recipe), .fingerprint = pair.fingerprint};
        return std::move(pair);
    }

    template <typename Model>
    static std::string fingerprint_of(const std::optional<Model> &model) {
        return model ? model->fingerprint : std::string();
    }

    /// In the file first: what is described later is described by this model.
    void keep(const StoredModel &model) {
        Database &database = catalogue_.database();
        database.run("BEGIN IMMEDIATE");
        catalogue_.put(model);
        database.run("COMMIT");
        if (model.kind == "words")
            models_.words = words_model_of(model, library());
        else
            models_.code = code_model_of(model, library());
    }

    LearnRequest learn_request(const RecipeRequest &recipe) {
        if (!drawn_)
            drawn_ = drawn(source_, request_.describe.stream.strict, request_.seed, observer_);
        return {.output = {},
                .inputs = *drawn_,
                .recipe = recipe,
                .stream = request_.describe.stream,
                .memory = request_.memory,
                .level = request_.describe.level,
                .further_outputs = {}};
    }

    void learn_words() {
        const ScratchFolder folder(ScratchFolder::temporary("bowhist-learn-"));
        LearnRequest learn = learn_request(with_words_defaults(request_.words_recipe));
        learn.output = folder.path() / "c.bin";
        learn.training.k = request_.words_k > 0 ? request_.words_k : most_library_words;
        learn.training.seed = request_.seed;
        if (request_.words_k == 0) learn.descriptors_per_word = keypoints_per_word;
        ProgressOnly quiet(observer_); // indexing reports what is wrong with images
        bowhist::learn(learn, quiet);
        keep(stored(read_vocabulary_pair(learn.output)));
    }

    void learn_code() {
        const ScratchFolder folder(ScratchFolder::temporary("bowhist-learn-"));
        ModelRequest model{.learn = learn_request(request_.code_recipe), .fewer_words = true};
        model.learn.output = folder.path() / "code.npz";
        model.learn.sample = ModelRequest::usual_sample;
        model.learn.training.k = request_.code_k > 0 ? request_.code_k : ModelRequest::usual_words;
        model.learn.training.seed = request_.seed;
        ProgressOnly quiet(observer_);
        learn_model(model, quiet);
        keep(stored(read_model(model.learn.output)));
    }

    const std::filesystem::path &library() const { return catalogue_.database().path(); }

    Catalogue &catalogue_;
    const IndexRequest &request_;
    const InputSource &source_;
    Observer &observer_;
    LibraryModels models_;
    std::optional<InputSource> drawn_;
};

} // namespace

LibraryModels models_for(Catalogue &catalogue, const IndexRequest &request,
                         const InputSource &source, Observer &observer) {
    return Learning(catalogue, request, source, observer).run();
}

} // namespace bowhist
