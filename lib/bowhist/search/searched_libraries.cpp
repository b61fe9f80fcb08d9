#include <bowhist/search/searched_libraries.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/search/measure_of_library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace bowhist {
namespace {

using Paths = std::vector<std::filesystem::path>;

SearchedParts parts_of(const Library &library, const std::filesystem::path &path,
                       const SearchOptions &options) {
    const auto models = library.models();
    const SearchedParts there{models.contains("words"), models.contains("code")};
    const bool all = options.by == SearchBy::whatever_there_is;
    const bool both = options.by == SearchBy::both;
    const SearchedParts wanted{all ? there.words : both || options.by == SearchBy::words,
                               all ? there.code : both || options.by == SearchBy::code};
    if (wanted.words && !there.words)
        throw Error(Fault::usage, fmt::format("{} has no words; search --by code", path));
    if (wanted.code && !there.code)
        throw Error(Fault::usage, fmt::format("{} has no codes; search --by words", path));
    if (!wanted.words && options.normalization != Normalization::hellinger)
        throw Error(Fault::usage, fmt::format("{} is searched by codes, and --normalize is about "
                                              "words; leave it out",
                                              path));
    return wanted;
}

void require_positions(const Library &library, const std::filesystem::path &path) {
    if (!library.models().contains("words") || !library.has_positions())
        throw Error(Fault::usage,
                    fmt::format("{} does not hold where words lie, which --check needs; leave "
                                "--check out",
                                path));
}

void require_each_once(const Paths &paths) {
    for (std::size_t i = 0; i < paths.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            std::error_code not_there;
            if (std::filesystem::equivalent(paths[i], paths[j], not_there))
                throw Error(Fault::usage, fmt::format("{} and {} are the same library; name it "
                                                      "once",
                                                      paths[j], paths[i]));
        }
}

/// @param kind  of the models, "words" or "code"
void require_same_model(const char *kind, const Paths &paths, std::size_t other,
                        const std::vector<std::unique_ptr<Library>> &libraries) {
    const auto models = libraries[other]->models();
    const auto found = models.find(kind);
    const std::string_view name = kind == std::string_view("code") ? "codes" : "words";
    if (found == models.end())
        throw Error(Fault::vocabulary,
                    fmt::format("{} has no {}, by which {} is searched; give --by, or make it with "
                                "bowhist index --centroids {}",
                                paths[other], name, paths.front(), paths.front()));
    const LibraryModel own = libraries.front()->models().at(kind);
    if (found->second.fingerprint != own.fingerprint || found->second.size != own.size)
        throw Error(Fault::vocabulary,
                    fmt::format("{} has {} of another model than {}, so their scores do not "
                                "compare; make it with bowhist index --centroids {}",
                                paths[other], name, paths.front(), paths.front()));
}

/// Images are ordered by their paths. (Those of one path in two libraries, by their contents.)
std::pair<std::string_view, std::string_view> order_of(const LibraryImage &image) {
    return {image.path, image.hash};
}

/// The measure of words, where it is not that of the index.
std::optional<WordMeasure> measure_of(const std::vector<std::unique_ptr<Library>> &libraries,
                                      const SearchedParts &parts, const SearchOptions &options,
                                      Observer &observer) {
    if (!parts.words || options.normalization == Normalization::hellinger) return std::nullopt;
    return measure_of(libraries, options.normalization, observer);
}

} // namespace

ScoreWeights SearchedParts::weights() const {
    const ScoreWeights both;
    return {words ? both.words : 0, code ? both.codes : 0};
}

SearchedLibraries::SearchedLibraries(const Paths &paths, const SearchOptions &options,
                                     Observer &observer) {
    require_each_once(paths);
    for (const auto &path : paths) libraries_.push_back(std::make_unique<Library>(path));
    parts_ = parts_of(first(), paths.front(), options);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (options.check) require_positions(*libraries_[i], paths[i]);
        if (parts_.words || options.check) require_same_model("words", paths, i, libraries_);
        if (parts_.code) require_same_model("code", paths, i, libraries_);
    }
    if (std::ranges::none_of(libraries_, [](const auto &one) { return one->has_images(); }))
        throw Error(Fault::input,
                    fmt::format("{} holds no picture to search; index some first", paths.front()));
    const auto measure = measure_of(libraries_, parts_, options, observer);
    for (const auto &library : libraries_)
        images_.push_back(std::make_unique<IndexedImages>(
            *library, IndexedImages::Parts{parts_.words, parts_.code, measure}, observer));
}

std::size_t SearchedLibraries::words() const {
    return parts_.words ? first().models().at("words").size : 0;
}

std::size_t SearchedLibraries::contents() const {
    std::size_t sum = 0;
    for (const auto &images : images_) sum += images->contents();
    return sum;
}

/// The number of an image among all. One library alone keeps its own numbers.
std::size_t SearchedLibraries::number(std::size_t library, std::size_t image) {
    if (images_.size() == 1) return image;
    const auto [found, is_new] =
        numbers_.try_emplace(key_of(images_[library]->image(image)), met_.size());
    if (is_new) met_.push_back({library, image});
    return found->second;
}

SearchedLibraries::Met SearchedLibraries::met(std::size_t number) const {
    return images_.size() == 1 ? Met{0, number} : met_[number];
}

const LibraryImage &SearchedLibraries::image(std::size_t number) const {
    const Met where = met(number);
    return images_[where.library]->image(where.image);
}

std::vector<std::size_t> SearchedLibraries::all() {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < images_.size(); ++i)
        for (const std::size_t image : images_[i]->all()) all.push_back(number(i, image));
    if (images_.size() == 1) return all;
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::ranges::sort(all, {}, [this](std::size_t number) { return order_of(image(number)); });
    return all;
}

Library::Words SearchedLibraries::words(std::size_t number) const {
    return libraries_[library(number)]->words(image(number));
}

std::vector<std::int8_t> SearchedLibraries::code(std::size_t number) const {
    return libraries_[library(number)]->code(image(number)).values;
}

std::optional<std::size_t> SearchedLibraries::find(const std::string &path) {
    for (std::size_t i = 0; i < images_.size(); ++i)
        if (const auto image = images_[i]->find(path)) return number(i, *image);
    return std::nullopt;
}

void SearchedLibraries::keep_all_words() {
    for (const auto &images : images_) images->keep_all_words();
}

void SearchedLibraries::use(const std::vector<std::shared_ptr<Device>> &devices,
                            Observer &observer) {
    for (const auto &images : images_) images->use(devices, observer);
}

void SearchedLibraries::use(const HostWay &way) {
    for (const auto &images : images_) images->use(way);
}

double SearchedLibraries::compared_seconds() const {
    double sum = 0;
    for (const auto &images : images_) sum += images->compared_seconds();
    return sum;
}

void SearchedLibraries::sort(std::vector<ScoredImage> &found) const {
    std::ranges::sort(found, [this](const ScoredImage &a, const ScoredImage &b) {
        return a.score != b.score ? a.score > b.score
                                  : order_of(image(a.image)) < order_of(image(b.image));
    });
}

/// An image that is among the best of all is among the best of each library that holds it.
std::vector<std::vector<ScoredImage>> SearchedLibraries::search(std::span<const ImageQuery> queries,
                                                                const ScoreWeights &weights,
                                                                std::size_t most) {
    if (images_.size() == 1) return images_.front()->search(queries, weights, most);
    std::vector<std::vector<std::vector<ScoredImage>>> of_query(queries.size());
    for (std::size_t i = 0; i < images_.size(); ++i) {
        auto answers = images_[i]->search(queries, weights, most);
        for (std::size_t q = 0; q < queries.size(); ++q) {
            for (ScoredImage &found : answers[q])
                found.image = static_cast<std::uint32_t>(number(i, found.image));
            of_query[q].push_back(std::move(answers[q]));
        }
    }
    std::vector<std::vector<ScoredImage>> results;
    for (const auto &answers : of_query) {
        results.push_back(best_of(answers));
        sort(results.back());
    }
    return results;
}

} // namespace bowhist
