#include <bowhist/index/learning.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/index/upkeep.hpp>
#include <bowhist/io/own_folders.hpp>
#include <bowhist/learn/learn_model.hpp>
#include <bowhist/learn/second_reading.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/schema.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/library/segments/segment_update.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>
#include <bowhist/tables/vocabulary/tree_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace bowhist {
namespace {

/// The recipe of a library's words, unless another one is asked for. It stands here alone.
inline Recipe words_recipe() {
    return {.extractor = "surf",
            .threshold = 10,
            .octaves = 3,
            .max_descriptors = 600,
            .spread = 8,
            .max_side = 512,
            .enlarge = true};
}

inline constexpr std::size_t most_library_words = 10'000;
inline constexpr std::size_t keypoints_per_word = 10; ///< fewer words are learned from few

/// The recipe of codes is that of ModelRequest (learn/learn_model.hpp).

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

/// Learns models of the images in a source.
class Learning {
  public:
    Learning(const IndexRequest &request, const InputSource &source, Observer &observer)
        : request_(request), source_(source), observer_(observer) {}

    StoredModel words() {
        const ScratchFolder folder(ScratchFolder::temporary());
        LearnRequest learn = learn_request(with_words_defaults(request_.words_recipe));
        learn.output = folder.path() / "c.bin";
        learn.training.k = request_.words_k > 0 ? request_.words_k : most_library_words;
        if (request_.words_k == 0) learn.descriptors_per_word = keypoints_per_word;
        learn_quietly([&](Observer &quiet) { bowhist::learn(learn, quiet); });
        return stored(read_vocabulary_pair(learn.output));
    }

    StoredModel code() {
        const ScratchFolder folder(ScratchFolder::temporary());
        ModelRequest model{.learn = learn_request(request_.code_recipe), .fewer_words = true};
        model.learn.output = folder.path() / "code.npz";
        model.learn.sample = ModelRequest::usual_sample;
        model.learn.training.k = request_.code_k > 0 ? request_.code_k : ModelRequest::usual_words;
        learn_quietly([&](Observer &quiet) { learn_model(model, quiet); });
        return stored(read_model(model.learn.output));
    }

  private:
    /// Indexing reports what is wrong with images, unless nothing can be learned.
    template <typename Learn>
    void learn_quietly(Learn learn) {
        SkippedLater quiet(observer_);
        try {
            learn(quiet);
        } catch (const Error &error) {
            if (error.fault == Fault::input) quiet.report_skipped();
            throw;
        }
    }

    LearnRequest learn_request(const RecipeRequest &recipe) {
        if (!drawn_)
            drawn_ = drawn(source_, request_.describe.stream.strict, request_.seed, observer_);
        LearnRequest learn;
        learn.inputs = *drawn_;
        learn.recipe = recipe;
        learn.stream = request_.describe.stream;
        learn.training.seed = request_.seed;
        learn.memory = request_.memory;
        learn.level = request_.describe.level;
        return learn;
    }

    const IndexRequest &request_;
    const InputSource &source_;
    Observer &observer_;
    std::optional<InputSource> drawn_;
};

/// A vocabulary without a record gets the recipe that was asked for.
VocabularyPair with_recipe(VocabularyPair &&pair, const RecipeRequest &asked) {
    if (const auto recorded = pair.recorded.recipe())
        require_recorded(asked, *recorded, pair.path, "--words-");
    else
        pair.recorded.sidecar =
            VocabularySidecar{.recipe = completed(with_words_defaults(asked).recipe),
                              .fingerprint = pair.fingerprint};
    return std::move(pair);
}

/// A given model, with the file that it is from.
struct GivenModel {
    StoredModel model;
    std::filesystem::path from;
};

/// Vocabularies, models of codes, and both of other libraries, as far as they are wanted.
std::vector<GivenModel> given_models(const IndexRequest &request, const LibrarySettings &settings) {
    std::vector<GivenModel> all;
    for (const auto &path : request.models) {
        if (holds_library(path)) {
            const auto database = open_to_read(path);
            for (StoredModel &model : Catalogue(*database).models())
                all.push_back({std::move(model), path});
        } else if (holds_model(path)) {
            const VladModel model = read_model(path);
            require_recorded(request.code_recipe, model.recipe, path, "--code-");
            all.push_back({stored(model), path});
        } else {
            all.push_back({stored(with_recipe(read_vocabulary_pair(path, request.descends),
                                              request.words_recipe)),
                           path});
        }
    }
    const auto lacks_tree = [](const GivenModel &given) {
        return given.model.kind == "words" && rule_of(given.model.recipe).empty();
    };
    if (const auto found = std::ranges::find_if(all, lacks_tree);
        request.descends && found != all.end())
        throw Error(Fault::usage, fmt::format("{}: its words have no tree to descend; leave "
                                              "--descend out, or give a vocabulary that has one",
                                              found->from));
    std::erase_if(all, [&](const GivenModel &given) {
        return given.model.kind == "words" ? !settings.words : !settings.code;
    });
    return all;
}

const StoredModel *find(const std::vector<StoredModel> &models, std::string_view kind) {
    const auto found = std::ranges::find(models, kind, &StoredModel::kind);
    return found == models.end() ? nullptr : &*found;
}

/// Adds given models. @throws Error{Fault::usage} where they differ from those that are there
void add_given(std::vector<StoredModel> &models, const IndexRequest &request,
               const LibrarySettings &settings,
               const std::function<void(const StoredModel &)> &keep) {
    for (GivenModel &given : given_models(request, settings)) {
        const StoredModel *own = find(models, given.model.kind);
        if (own == nullptr) {
            keep(given.model);
            models.push_back(std::move(given.model));
        } else if (own->fingerprint != given.model.fingerprint) {
            throw Error(Fault::usage,
                        fmt::format("{} has another model of {} than {}; leave --centroids out, "
                                    "make a new library, or replace it with --relearn",
                                    request.library, own->kind, given.from));
        }
    }
}

void add_learned(std::vector<StoredModel> &models, const IndexRequest &request,
                 const LibrarySettings &settings, const InputSource &source, Observer &observer,
                 const std::function<void(const StoredModel &)> &keep) {
    Learning learning(request, source, observer);
    const auto add = [&](StoredModel &&model) {
        keep(model);
        models.push_back(std::move(model));
    };
    if (settings.words && find(models, "words") == nullptr) add(learning.words());
    if (settings.code && find(models, "code") == nullptr) add(learning.code());
}

} // namespace

std::vector<std::string> given_fingerprints(const IndexRequest &request) {
    const LibrarySettings settings = asked(request);
    const std::vector<GivenModel> models = given_models(request, settings);
    std::vector<std::string> fingerprints;
    for (const char *kind : {"words", "code"}) {
        if (!(std::string_view(kind) == "words" ? settings.words : settings.code)) continue;
        const auto given = std::ranges::find(
            models, kind, [](const GivenModel &one) { return std::string_view(one.model.kind); });
        if (given == models.end())
            throw Error(Fault::usage,
                        fmt::format("--shard needs the model of {} by --centroids, since each "
                                    "shard would learn its own; give a file, or a library, or "
                                    "--describe {}",
                                    kind, settings.words && kind[0] == 'c' ? "words" : "code"));
        fingerprints.push_back(given->model.fingerprint);
    }
    return fingerprints;
}

LibraryModels models_for(Catalogue &catalogue, const IndexRequest &request,
                         const LibrarySettings &settings, const InputSource &source,
                         Observer &observer) {
    std::vector<StoredModel> models = catalogue.models();
    // in the file first: what is described later is described by this model
    const auto keep = [&catalogue](const StoredModel &model) {
        catalogue.database().run("BEGIN IMMEDIATE");
        catalogue.put(model);
        catalogue.database().run("COMMIT");
    };
    add_given(models, request, settings, keep);
    add_learned(models, request, settings, source, observer, keep);
    return read_models(models, catalogue.database().path());
}

std::vector<StoredModel> new_models(const IndexRequest &request, const LibrarySettings &settings,
                                    const InputSource &source, Observer &observer) {
    std::vector<StoredModel> models;
    const auto keep = [](const StoredModel &) {};
    add_given(models, request, settings, keep);
    add_learned(models, request, settings, source, observer, keep);
    return models;
}

namespace {

std::vector<FileJob> present_files(Catalogue &catalogue) {
    const FilePlaces places(catalogue.roots());
    std::vector<FileJob> jobs;
    Statement statement(catalogue.database(),
                        "SELECT id, path FROM paths WHERE gone IS NULL ORDER BY path");
    while (statement.step()) {
        FileRow file = catalogue.file(statement.number(0));
        std::string opened = places.path(catalogue, file);
        jobs.push_back({std::move(file), std::string(statement.bytes(1)), std::move(opened)});
    }
    return jobs;
}

/// Images that cannot be read now would lose their descriptions.
void require_all_roots(Catalogue &catalogue) {
    Statement has_files(catalogue.database(),
                        "SELECT 1 FROM files JOIN folders ON folders.id = folder WHERE root = ?1 "
                        "AND gone IS NULL AND content IS NOT NULL LIMIT 1");
    for (const RootRow &root : catalogue.roots()) {
        const std::filesystem::path folder = opened_front(root);
        std::error_code unknown;
        if (root.path.empty() || !has_files.with(root.id).step()) continue;
        if (std::filesystem::exists(folder, unknown) && !std::filesystem::is_empty(folder, unknown))
            continue;
        throw Error(Fault::input,
                    fmt::format("{}: {} is not there or empty, and --relearn reads every picture; "
                                "bring it back (if it is elsewhere now: --root {}=NEW), or take "
                                "it out: --remove {}",
                                std::filesystem::path(root.path), std::filesystem::path(root.place),
                                std::filesystem::path(root.path),
                                std::filesystem::path(root.path)));
    }
}

void replace_models(Catalogue &catalogue, const std::vector<StoredModel> &models) {
    for (const StoredModel &model : models) catalogue.put(model);
    drop_segments(catalogue);
    forget_gone(catalogue);
    catalogue.database().run("DELETE FROM words; DELETE FROM codes; DELETE FROM thumbnails; DELETE "
                             "FROM contents; DELETE FROM unindexed; DELETE FROM members WHERE "
                             "file NOT IN (SELECT id FROM files);");
}

} // namespace

DescribeOptions describe_options(const IndexRequest &request, const LibrarySettings &settings,
                                 double images) {
    DescribeOptions options = request.describe;
    options.positions = settings.positions;
    options.mirrored = settings.mirrored;
    options.thumbnail_side = settings.thumbnails ? library_thumbnail_side : 0;
    options.images = images;
    return options;
}

IngestCounts relearn(Catalogue &catalogue, const IndexRequest &request,
                     const LibrarySettings &settings, Observer &observer) {
    require_all_roots(catalogue);
    const std::vector<FileJob> jobs = present_files(catalogue);
    InputSource source;
    for (const FileJob &job : jobs) source.arguments.push_back(job.opened);
    const auto models = new_models(request, settings, source, observer);
    catalogue.database().run("BEGIN IMMEDIATE");
    replace_models(catalogue, models);
    const LibraryModels used = read_models(catalogue.models(), catalogue.database().path());
    Describer describer(used, describe_options(request, settings, static_cast<double>(jobs.size())),
                        observer);
    Ingest ingest(catalogue, &describer,
                  {.stream = request.describe.stream,
                   .dry = false,
                   .all_at_once = true,
                   .after_commit = [] {}},
                  observer);
    for (const FileJob &job : jobs) ingest.add(FileJob(job));
    ingest.finish();
    catalogue.database().run("COMMIT");
    return ingest.counts();
}

} // namespace bowhist
