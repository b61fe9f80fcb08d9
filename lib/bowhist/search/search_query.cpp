#include <bowhist/search/search_query.hpp>

#include <bowhist/compare/word_counts.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/stored_words.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <new>

namespace bowhist {

bool QueryView::has_descriptors(bool by_words, bool by_code) const {
    return (by_words && !words.words.empty()) ||
           (by_code && std::ranges::any_of(code, [](std::int8_t value) { return value != 0; }));
}

ImageQuery QueryView::image() const {
    return {counts_of(words.words), code};
}

AffineMap QueryView::of_original(const AffineMap &map) const {
    AffineMap result = map;
    if (mirrored) { // x here is width - 1 - (x there - left)
        result.a11 = -map.a11;
        result.a21 = -map.a21;
        result.tx += map.a11 * (width - 1);
        result.ty += map.a21 * (width - 1);
    }
    result.tx -= result.a11 * left + result.a12 * top;
    result.ty -= result.a21 * left + result.a22 * top;
    return result;
}

FoundPlace QueryView::of_original(FoundPlace place) const {
    place.map = of_original(place.map);
    for (AgreeingPair &pair : place.pairs) {
        if (mirrored) pair.x = width - 1 - pair.x;
        pair.x += left;
        pair.y += top;
    }
    return place;
}

QueryDescriber::QueryDescriber(const Library &library, const DescribeOptions &options,
                               const QueryViews &views, Observer &observer)
    : library_(library), options_(options), views_(views), observer_(observer) {
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
        if (query.views.empty()) files.push_back(&query);
    if (files.empty()) return;
    open();
    std::vector<std::vector<ExtractedImage>> extracted(files.size());
    tbb::parallel_for(std::size_t{0}, files.size(), [&](std::size_t i) {
        observer_.stop_if_interrupted();
        extracted[i] = extract(*files[i]);
    });
    std::vector<ExtractedImage> images;
    std::vector<SearchQuery *> described; // of each of these
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!extracted[i].empty() && !extracted[i].front().damage.empty())
            observer_.warning(fmt::format("{}: damaged ({}), taken as it is",
                                          std::filesystem::path(files[i]->path),
                                          extracted[i].front().damage));
        described.insert(described.end(), extracted[i].size(), files[i]);
        std::ranges::move(extracted[i], std::back_inserter(images));
    }
    if (images.empty()) return;
    const std::vector<ContentRow> rows = describer_->describe(images);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QueryView &view = described[i]->views.emplace_back(view_of(rows[i]));
        view.mirrored = described[i]->views.size() > 1;
    }
}

std::vector<ExtractedImage> QueryDescriber::extract(SearchQuery &query) const {
    try {
        return extract_views(query);
    } catch (const std::bad_alloc &) {
        query.problem =
            fmt::format("{}: its descriptors need more memory than there is; lower --max-pixels",
                        std::filesystem::path(query.path));
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
        query.problem = error.what();
    }
    return {};
}

/// The image, or its part; with `mirror` its mirrored view behind it.
std::vector<ExtractedImage> QueryDescriber::extract_views(const SearchQuery &query) const {
    const ImageLimits &limits = options_.stream.image;
    ImageBytes bytes = query.bytes ? ImageBytes(*query.bytes, query.path, limits)
                                   : ImageBytes(query.opened(), limits);
    ImageFile file = bytes.take(limits);
    // isolated: as Describer::extract
    ImageViews views = tbb::this_task_arena::isolate([&] {
        return views_.region
                   ? decode_region(file, query.path, limits, describer_->views(), *views_.region)
                   : decode_views(file, query.path, limits, describer_->views());
    });
    std::vector<ExtractedImage> images;
    if (views_.mirror) {
        ImageViews others = views;
        for (Image &view : others.grey) view = mirrored(view);
        images.push_back(describer_->extract(std::move(others)));
    }
    images.insert(images.begin(), describer_->extract(std::move(views)));
    return images;
}

QueryView QueryDescriber::view_of(const ContentRow &row) const {
    QueryView view{.width = row.width, .height = row.height};
    if (views_.region) {
        view.left = views_.region->x;
        view.top = views_.region->y;
    }
    if (row.words) {
        view.words.words = read_words(*row.words, models_.words->vocabulary.size()).value();
        view.words.places = read_places(row.places.value_or("")).value();
    }
    if (row.code) view.code.assign(row.code->begin(), row.code->end());
    return view;
}

} // namespace bowhist
