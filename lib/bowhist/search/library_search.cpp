#include <bowhist/search/library_search.hpp>

#include <bowhist/compare/search_choice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/search/geometric_check.hpp>
#include <bowhist/search/search_query.hpp>
#include <bowhist/search/searched_libraries.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

std::string read_standard_input(const Observer &observer) {
    require_standard_input(Fault::input);
    std::string bytes;
    std::string piece(std::size_t{1} << 16U, '\0');
    while (std::cin.good()) {
        observer.stop_if_interrupted();
        std::cin.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        bytes.append(piece, 0, static_cast<std::size_t>(std::cin.gcount()));
    }
    return bytes;
}

/// Whether an argument is standard input. A "-" in a list is a file of this name.
bool takes_standard_input(const InputSource &source) {
    const auto times = std::ranges::count(source.arguments, "-");
    if (times > 1 || (times == 1 && source.list == "-"))
        throw Error(Fault::usage,
                    "standard input is one picture or one list of them; name it once");
    return times == 1;
}

/// The queries that are named, in order, without their places in the library. The argument "-" is
/// an image on standard input, which is read here.
/// @param skip  gets a line for each input that is no image
/// @param skipped  counts what list_given_inputs() skips
/// @throws as list_given_inputs; Error{Fault::usage} where standard input is named twice
std::vector<SearchQuery> list_queries(const InputSource &source, bool strict, Observer &observer,
                                      const std::function<void(const std::string &)> &skip,
                                      std::size_t &skipped) {
    bool standard_input = takes_standard_input(source);
    const InputList list = list_given_inputs(source, strict, observer);
    skipped += list.skipped;
    std::vector<SearchQuery> queries;
    for (const Input &input : list.inputs) {
        if (input.collection || is_descriptor_file(input.path)) {
            if (input.place == 0)
                skip(fmt::format("{}: holds numbers, and a search takes pictures", input.path));
            continue;
        }
        SearchQuery &query = queries.emplace_back(SearchQuery{.path = input.path.native()});
        if (!standard_input || query.path != "-") continue;
        query.bytes = read_standard_input(observer);
        standard_input = false; // arguments come before the list
    }
    return queries;
}

/// Queries whose images are read before they are searched for.
constexpr std::size_t read_at_once = 128;
/// Queries that read the words they have; all words are read for more.
constexpr std::size_t most_queries_apart = 16;

double now() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
}

bool is_there(const std::filesystem::path &file) {
    std::error_code unknown;
    return std::filesystem::exists(file, unknown);
}

std::vector<std::filesystem::path> all_libraries(const std::filesystem::path &first,
                                                 const SearchOptions &options) {
    std::vector<std::filesystem::path> all{first};
    all.insert(all.end(), options.also.begin(), options.also.end());
    return all;
}

} // namespace

class Search::Impl {
  public:
    Impl(const std::filesystem::path &path, const SearchOptions &options, Observer &observer)
        : options_(options), observer_(observer),
          images_(all_libraries(path, options), options, observer),
          choice_(options.level, images_.words()), views_{options.region, options.mirror},
          describer_(images_.first(), {.stream = options.stream, .level = options.level}, views_,
                     observer) {
        if (!options_.check) return;
        words_recipe_ = images_.first().describing_models().words->recorded.recipe().value();
    }

    std::size_t size() const { return images_.contents(); }
    std::vector<std::size_t> all() { return images_.all(); }
    std::vector<std::string> paths() {
        std::vector<std::string> paths;
        for (const std::size_t image : all()) paths.push_back(images_.image(image).path);
        return paths;
    }

    /// Gets why a query cannot be searched for.
    using Refuse = std::function<void(const std::string &problem)>;

    /// @param expected      queries in all
    /// @param among_others  a query's own image is no result
    void run(std::vector<SearchQuery> &&queries, bool among_others, std::size_t expected,
             const Use &use, const Refuse &refuse) {
        choose_level(expected);
        for (SearchQuery &query : queries) read_stored(query);
        describer_.describe(queries);
        std::vector<SearchQuery> usable;
        for (SearchQuery &query : queries) {
            if (query.problem.empty()) query.problem = problem_of(query);
            if (query.problem.empty())
                usable.push_back(std::move(query));
            else
                refuse(query.problem);
        }
        if (usable.empty()) return;
        const auto answers = compare_enough(usable, among_others);
        for (std::size_t q = 0; q < usable.size(); ++q) {
            observer_.stop_if_interrupted();
            use(usable[q].path, results_of(usable[q], answers[q], among_others));
        }
    }

    /// As run(), of many queries, with what is skipped reported.
    /// @param query_at  of a number below `count`
    SearchRun run_all(std::size_t count, const std::function<SearchQuery(std::size_t)> &query_at,
                      bool among_others, const Use &use) {
        SearchRun run;
        const auto count_and_use = [&](const std::string &query,
                                       const std::vector<FoundImage> &found) {
            use(query, found);
            observer_.progress("queries", ++run.queries + run.skipped, count);
        };
        const auto skip_and_count = [&](const std::string &problem) { skip(problem, run); };
        auto [first, end] = range_of(options_.share, count);
        for (count = end - first; first < end; first += read_at_once) {
            std::vector<SearchQuery> some;
            for (std::size_t i = first; i < std::min(first + read_at_once, end); ++i)
                some.push_back(query_at(i));
            this->run(std::move(some), among_others, count, count_and_use, skip_and_count);
        }
        return run;
    }

    void skip(const std::string &problem, SearchRun &run) const {
        if (options_.stream.strict) throw Error(Fault::input, problem);
        observer_.skipped(problem);
        ++run.skipped;
    }

    bool is_strict() const { return options_.stream.strict; }
    Observer &observer() const { return observer_; }
    /// One share alone counts what cannot be listed.
    bool reports_listing() const { return options_.share.number == 1; }

    SearchQuery placed(SearchQuery query) {
        if (!query.bytes) query.place = images_.find(query.path);
        if (!query.place) return query;
        const LibraryImage &image = images_.image(*query.place);
        if (!is_there(query.path)) query.file = image.place;
        if (!is_replaced(image, query.opened())) return query;
        query.place.reset();
        observer_.warning(fmt::format("{}: its file is not the one that the library read; the "
                                      "search is for the new one",
                                      fs::path(query.path)));
        return query;
    }
    SearchQuery query_of(std::size_t place) const {
        const LibraryImage &image = images_.image(place);
        return {
            .path = image.path, .place = place, .file = is_there(image.place) ? image.place : ""};
    }

  private:
    void choose_level(std::size_t queries) {
        if (level_ != nullptr) return;
        level_ = &choice_.choose(size(), queries);
        if (!level_->on_device) {
            images_.use(level_->way);
            if (queries > most_queries_apart) images_.keep_all_words();
            observer_.note(fmt::format("searching by {} on the host", level_->id));
            return;
        }
        const auto devices = choice_.open_devices(observer_);
        const double start = now();
        images_.use(devices, observer_);
        choice_.remember(*level_, static_cast<double>(size()), now() - start, true);
        std::string names;
        for (const auto &device : devices)
            names += (names.empty() ? "" : " and ") + device->info().name;
        observer_.note(fmt::format("searching by {} on {}", level_->id, names));
    }

    void read_stored(SearchQuery &query) const {
        if (!query.place || views_.need_file()) return;
        const LibraryImage &image = images_.image(*query.place);
        QueryView &view =
            query.views.emplace_back(QueryView{.width = image.width, .height = image.height});
        if (images_.parts().words || options_.check) view.words = images_.words(*query.place);
        if (images_.parts().code) view.code = images_.code(*query.place);
    }

    /// Why a query that could be described cannot be searched for; empty where it can.
    std::string problem_of(const SearchQuery &query) const {
        const std::filesystem::path path(query.path);
        const SearchedParts &parts = images_.parts();
        if (std::ranges::none_of(query.views, [&](const QueryView &view) {
                return view.has_descriptors(parts.words, parts.code);
            }))
            return fmt::format("{}: has no descriptors to search by", path);
        try {
            for (const QueryView &view : query.views)
                if (parts.words) images_.measure().squared_norm(view.image().words);
        } catch (const Error &error) {
            return fmt::format("{}: {}", path, error.what());
        }
        return {};
    }

    /// The content that stands for the image's copies.
    const std::string &group_of(std::size_t image) const {
        const std::string &hash = images_.image(image).hash;
        const auto found = options_.copies->find(hash);
        return found == options_.copies->end() ? hash : found->second;
    }

    /// Whether there are that many groups of copies and one more, which may be the query's.
    bool holds_groups(const std::vector<ScoredImage> &scored, std::size_t count) const {
        std::set<std::string_view> groups;
        for (const ScoredImage &image : scored) groups.insert(group_of(image.image));
        return groups.size() > count;
    }

    /// The best images of each query, the best first: more where copies hide others.
    std::vector<std::vector<ScoredImage>> compare_enough(const std::vector<SearchQuery> &queries,
                                                         bool among_others) {
        const std::size_t wanted =
            options_.check ? std::max(options_.top, checked_images) : options_.top;
        auto answers = compare(queries, among_others, wanted);
        if (!options_.copies) return answers;
        constexpr std::size_t more = 4;
        const std::size_t all = images_.all().size();
        for (std::size_t most = wanted; most < all;) {
            if (std::ranges::all_of(answers, [&](const std::vector<ScoredImage> &scored) {
                    return holds_groups(scored, wanted);
                }))
                break;
            most = std::min(more * most, all);
            answers = compare(queries, among_others, most);
        }
        return answers;
    }

    /// The best images of each query, the best first.
    std::vector<std::vector<ScoredImage>> compare(const std::vector<SearchQuery> &queries,
                                                  bool among_others, std::size_t wanted) {
        std::vector<ImageQuery> views;
        for (const SearchQuery &query : queries)
            for (const QueryView &view : query.views) views.push_back(view.image());
        constexpr std::size_t most_images = 1U << 31;
        const double before = images_.compared_seconds();
        auto answers = images_.search(views, images_.parts().weights(),
                                      std::min(wanted, most_images) + (among_others ? 1 : 0));
        choice_.remember(*level_, static_cast<double>(size()) * static_cast<double>(views.size()),
                         images_.compared_seconds() - before);
        if (!views_.mirror) return answers;
        std::vector<std::vector<ScoredImage>> joined;
        std::size_t first = 0;
        for (const SearchQuery &query : queries) {
            joined.push_back(best_of(std::span(answers).subspan(first, query.views.size())));
            images_.sort(joined.back());
            first += query.views.size();
        }
        return joined;
    }

    std::vector<FoundImage> results_of(const SearchQuery &query,
                                       const std::vector<ScoredImage> &scored,
                                       bool among_others) const {
        const auto full = static_cast<double>(images_.parts().weights().full());
        std::vector<FoundImage> found;
        std::vector<std::size_t> places;
        std::set<std::string_view> groups;
        for (const ScoredImage &image : scored) {
            if (among_others && image.image == query.place) continue;
            if (options_.copies && !groups.insert(group_of(image.image)).second) continue;
            const auto score = static_cast<double>(std::max<std::int64_t>(image.score, 0));
            places.push_back(image.image);
            found.push_back({.path = images_.image(image.image).path,
                             .score = score / full,
                             .library = images_.library(image.image)});
        }
        if (options_.check) check(query, places, found);
        std::erase_if(found,
                      [&](const FoundImage &image) { return image.score < options_.least_score; });
        if (found.size() > options_.top) found.resize(options_.top);
        return found;
    }

    void check(const SearchQuery &query, const std::vector<std::size_t> &places,
               std::vector<FoundImage> &found) const {
        const std::size_t count = std::min(found.size(), checked_images);
        std::vector<Library::Words> words;
        for (std::size_t i = 0; i < count; ++i) words.push_back(images_.words(places[i]));
        std::vector<PlacedImage> views;
        for (const QueryView &view : query.views)
            views.emplace_back(view.words, view.width, view.height, words_recipe_);
        tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
            const LibraryImage &image = images_.image(places[i]);
            const PlacedImage placed(words[i], image.width, image.height, words_recipe_);
            found[i].place.emplace();
            for (std::size_t v = 0; v < views.size(); ++v) { // the view that more agree with
                FoundPlace place = find_place(views[v], placed);
                if (place.agree > found[i].place->agree)
                    found[i].place = query.views[v].of_original(std::move(place));
            }
        });
        put_agreeing_first(found);
    }

    SearchOptions options_;
    Observer &observer_;
    SearchedLibraries images_;
    SearchChoice choice_;
    const SearchLevel *level_ = nullptr; ///< null until there are queries
    QueryViews views_;
    QueryDescriber describer_;
    Recipe words_recipe_;
};

Search::Search(const std::filesystem::path &library, const SearchOptions &options,
               Observer &observer)
    : impl_(std::make_unique<Impl>(library, options, observer)) {}

Search::~Search() = default;

std::size_t Search::size() const {
    return impl_->size();
}

std::vector<std::string> Search::paths() const {
    return impl_->paths();
}

std::vector<FoundImage> Search::find(const std::string &query) {
    std::vector<FoundImage> results;
    const auto keep = [&](const std::string &, const std::vector<FoundImage> &found) {
        results = found;
    };
    const auto refuse = [](const std::string &problem) { throw Error(Fault::input, problem); };
    impl_->run({impl_->placed({.path = query})}, false, 1, keep, refuse);
    return results;
}

SearchRun Search::find_each(const InputSource &queries, const Use &use) {
    SearchRun refused;
    std::vector<SearchQuery> listed = list_queries(
        queries, impl_->is_strict(), impl_->observer(),
        [&](const std::string &problem) { impl_->skip(problem, refused); }, refused.skipped);
    SearchRun run = impl_->run_all(
        listed.size(), [&](std::size_t i) { return impl_->placed(std::move(listed[i])); }, false,
        use);
    if (impl_->reports_listing()) run.skipped += refused.skipped;
    return run;
}

SearchRun Search::find_all(const Use &use) {
    const std::vector<std::size_t> all = impl_->all();
    return impl_->run_all(
        all.size(), [&](std::size_t i) { return impl_->query_of(all[i]); }, true, use);
}

} // namespace bowhist
