#include <bowhist/search/search_query.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/stored_words.hpp>
#include <bowhist/pictures/picture_file.hpp>
#include <bowhist/search/word_counts.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <new>

namespace bowhist {

bool SearchQuery::has_descriptors(bool by_words, bool by_code) const {
    return (by_words && !words.words.empty()) ||
           (by_code && std::ranges::any_of(code, [](std::int8_t value) { return value != 0; }));
}

ImageQuery SearchQuery::image() const {
    return {counts_of(words.words), code};
}

QueryDescriber::QueryDescriber(const Library &library, const DescribeOptions &options,
                               Observer &observer)
    : library_(library), options_(options), observer_(observer) {
    options_.positions = library.has_positions();
    options_.mirrored = false;
    options_.thumbnail_side = 0;
    options_.stream.image.observer = &observer;
}

void QueryDescriber::open() {
    if (describer_) return;
    models_ = library_.describing_models();
    describer_ = std::make_unique<Describer>(models_, options_, observer_);
    observer_.note(describer_->text());
}

void QueryDescriber::describe(std::span<SearchQuery> queries) {
    std::vector<SearchQuery *> files;
    for (SearchQuery &query : queries)
        if (!query.place) files.push_back(&query);
    if (files.empty()) return;
    open();
    std::vector<std::optional<ExtractedImage>> extracted(files.size());
    tbb::parallel_for(std::size_t{0}, files.size(), [&](std::size_t i) {
        observer_.stop_if_interrupted();
        extracted[i] = extract(*files[i]);
    });
    std::vector<ExtractedImage> images;
    std::vector<SearchQuery *> described;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!extracted[i]) continue;
        if (!extracted[i]->damage.empty())
            observer_.warning(fmt::format("{}: damaged ({}), taken as it is",
                                          std::filesystem::path(files[i]->path),
                                          extracted[i]->damage));
        images.push_back(*std::move(extracted[i]));
        described.push_back(files[i]);
    }
    if (images.empty()) return;
    const std::vector<ContentRow> rows = describer_->describe(images);
    for (std::size_t i = 0; i < rows.size(); ++i) take(rows[i], *described[i]);
}

std::optional<ExtractedImage> QueryDescriber::extract(SearchQuery &query) const {
    try {
        ImageBytes bytes(query.path, options_.stream.image);
        ImageFile file = bytes.take(options_.stream.image);
        return describer_->extract(file, query.path);
    } catch (const std::bad_alloc &) {
        query.problem =
            fmt::format("{}: its descriptors need more memory than there is; lower --max-pixels",
                        std::filesystem::path(query.path));
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        query.problem = error.what();
    }
    return std::nullopt;
}

void QueryDescriber::take(const ContentRow &row, SearchQuery &query) const {
    query.width = row.width;
    query.height = row.height;
    if (row.words) {
        query.words.words = read_words(*row.words, models_.words->vocabulary.size()).value();
        query.words.places = read_places(row.places.value_or("")).value();
    }
    if (row.code) query.code.assign(row.code->begin(), row.code->end());
}

} // namespace bowhist
