#include <bowhist/search/index_part.hpp>

#include <bowhist/core/round_up.hpp>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace bowhist {
namespace {

/// Images that decide which words become bitmaps. The choice changes the time of a search, and no
/// answer.
constexpr std::size_t sample_images = 16384;

static_assert(posting_block == WordIndex::block_images &&
              posting_window == WordIndex::window_images && code_group == CodeIndex::group_images);

/// Rows of bitmaps of some words of a segment; the others have none.
WordRows rows_of(const Segment &segment, std::span<const std::uint32_t> words, std::size_t all) {
    WordRows rows;
    rows.first.assign(all + 1, 0);
    for (const std::uint32_t word : words) rows.first[word + 1] = segment.bitmaps(word);
    std::partial_sum(rows.first.begin(), rows.first.end(), rows.first.begin());
    return rows;
}

LibraryImage image_of(std::int64_t content) {
    return {.id = 0, .path = {}, .content = content};
}

} // namespace

IndexPart::IndexPart(Segment &&segment, const ComparedBy &by, SegmentRows &rows)
    : by_(by), is_stored_(true), segment_(std::move(segment)) {
    if (by.dimensions > 0) {
        codes_.emplace(by.dimensions, size(), WordIndex::window_images);
        std::int8_t *groups = codes_->groups();
        for (std::size_t block = 0; block * code_block < size(); ++block) {
            const std::string_view bytes = rows.codes(segment_, block, by.dimensions);
            std::memcpy(groups, bytes.data(), bytes.size());
            groups += bytes.size();
        }
    }
    take_norms();
}

IndexPart::IndexPart(const Library &library, std::vector<std::int64_t> &&contents,
                     const ComparedBy &by, Observer &observer)
    : by_(by), is_stored_(false) {
    number(contents);
    LevelFrequencies frequencies(by.words);
    std::vector<std::vector<WordCount>> sample;
    const auto open = [&] {
        words_.emplace(frequencies.rows());
        for (const auto &counts : sample) words_->add(counts);
        sample.clear();
    };
    if (by.dimensions > 0) codes_.emplace(by.dimensions);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        observer.stop_if_interrupted();
        const LibraryImage image = image_of(contents[i]);
        if (by.measure != nullptr) {
            auto counts = counts_of(library.words(image).words);
            segment_.word_norms.push_back(by.measure->squared_norm(counts));
            if (i == sample_images) open();
            if (words_) {
                words_->add(counts);
            } else {
                frequencies.add(counts);
                sample.push_back(std::move(counts));
            }
        }
        if (by.dimensions > 0) {
            const auto code = library.code(image).values;
            segment_.code_norms.push_back(squared_norm(code));
            codes_->add(code);
        }
        observer.progress("pictures read", i + 1, contents.size());
    }
    if (by.measure != nullptr) {
        if (!words_) open();
        words_->finish();
        searchable_.words = &*words_;
    }
    if (codes_) codes_->finish(WordIndex::window_images);
    take_norms();
}

void IndexPart::number(const std::vector<std::int64_t> &contents) {
    segment_.first = std::ranges::min(contents);
    for (const std::int64_t content : contents)
        segment_.contents.push_back(static_cast<std::uint32_t>(content - segment_.first));
}

void IndexPart::take_norms() {
    if (by_.measure != nullptr) {
        inverse_word_norms_ = InverseNorms(segment_.word_norms);
        if (words_)
            excess_bounds_ = ExcessBounds(*words_, *by_.measure, inverse_word_norms_.values);
        searchable_.measure = by_.measure;
        searchable_.word_norms = segment_.word_norms;
        searchable_.inverse_word_norms = &inverse_word_norms_;
        searchable_.excess_bounds = &excess_bounds_;
    }
    if (codes_) {
        inverse_code_norms_ = InverseNorms(segment_.code_norms);
        searchable_.codes = &*codes_;
        searchable_.code_norms = segment_.code_norms;
        searchable_.inverse_code_norms = &inverse_code_norms_;
    }
}

void IndexPart::read_words(SegmentRows &rows, std::span<const std::uint32_t> words, bool by_word) {
    if (!is_stored_ || by_.measure == nullptr) return;
    WordRows kept = rows_of(segment_, words, by_.words);
    if (by_word) kept.listed_windows = WordRows::all_windows;
    words_.emplace(std::move(kept), size());
    searchable_.words = &*words_;
    std::vector<std::string> lists(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto view = rows.postings(segment_, words[i]);
        if (!view) continue;
        words_->set_bitmaps(words[i], view->bitmaps().data());
        lists[i] = view->lists();
    }
    set_lists(words, lists);
}

void IndexPart::set_lists(std::span<const std::uint32_t> words,
                          std::span<const std::string> lists) {
    std::vector<std::optional<PostingsView>> views;
    for (const std::string &list : lists)
        views.push_back(list.empty() ? std::nullopt : PostingsView::of(list, 0, size()));
    std::vector<ExcessLists> of_window(words_->windows());
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!views[i]) continue;
        for (const std::uint32_t entry : views[i]->long_entries()) {
            const std::uint32_t image = entry >> 8U;
            of_window.at(image / posting_window)
                .long_entries.push_back(
                    {words[i], static_cast<std::uint32_t>(image % posting_window), entry & 255U});
        }
    }
    tbb::parallel_for(std::size_t{0}, words_->windows(), [&](std::size_t window) {
        ExcessLists &window_lists = of_window[window];
        auto &[starts, entries, long_entries] = window_lists;
        starts.reserve(by_.words + 1);
        for (std::size_t i = 0; i < words.size(); ++i) {
            starts.resize(words[i] + 1, static_cast<std::uint32_t>(entries.size()));
            if (views[i]) views[i]->append_short(window, entries);
        }
        starts.resize(by_.words + 1, static_cast<std::uint32_t>(entries.size()));
        words_->set_lists(window, std::move(window_lists));
    });
    excess_bounds_ = ExcessBounds(*words_, *by_.measure, inverse_word_norms_.values);
}

} // namespace bowhist
