#include <bowhist/duplicates/searched_images.hpp>

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/duplicates/best_copy.hpp>
#include <bowhist/duplicates/folder_of_images.hpp>
#include <bowhist/encode/mirrored.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/library/spelling.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace bowhist {
namespace {

/// Maps each word to the one that its mirrored centroid is nearest to. That is about the word of a
/// mirrored descriptor, for libraries that do not hold these.
/// @return nothing where descriptors cannot be mirrored: of other extractors, and prepared ones
std::vector<std::uint32_t> mirrored_vocabulary(const VocabularyPair &words) {
    const Vocabulary &vocabulary = words.vocabulary;
    const auto recipe = words.recorded.recipe();
    if (!recipe || words.recorded.preparation()) return {};
    const Mirroring mirroring = mirroring_of(*recipe);
    if (mirroring == Mirroring::none) return {};
    std::vector<float> rows(vocabulary.values.size());
    for (std::size_t at = 0; at < rows.size(); at += vocabulary.dimensions)
        mirror(std::span(vocabulary.values).subspan(at, vocabulary.dimensions), mirroring,
               std::span(rows).subspan(at, vocabulary.dimensions));
    LevelRequest level;
    level.options.tree = words.tree;
    level.host_seconds = 0; // short work: no GPU is opened for it
    const auto nearest = choose_level(level, vocabulary.dimensions, vocabulary.size())
                             .prepare(vocabulary)
                             ->run({rows, {}, 1})
                             .words;
    return {nearest.begin(), nearest.end()};
}

/// Leaves each file once, by its first image: the others are spellings of its path.
void leave_each_file_once(Content &content) {
    if (content.images.size() < 2) return;
    std::map<std::string, std::vector<FileIdentity>> met; // by their keys
    std::vector<LibraryImage> images;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < content.images.size(); ++i) {
        FileIdentity file(content.images[i]);
        std::vector<FileIdentity> &alike = met[file.key()];
        if (std::ranges::any_of(alike, [&](const auto &other) { return other.is_same(file); }))
            continue;
        alike.push_back(std::move(file));
        images.push_back(std::move(content.images[i]));
        kept += i < content.kept;
    }
    content.images = std::move(images);
    content.kept = kept;
}

} // namespace

SearchedImages::SearchedImages(const DuplicatesRequest &request, Preferences preferences)
    : request_(request), preferences_(std::move(preferences)), library_(request.library),
      keep_(request.keep.begin(), request.keep.end()) {
    require_words();
    recipe_ = library_.describing_models().words->recorded.recipe().value();
    if (!request.against.empty()) {
        reference_.emplace(request.against);
        require_same_models();
    }
    read_images();
    if (lacks_mirrored_words())
        images_.set_mirrored_vocabulary(mirrored_vocabulary(*library_.describing_models().words));
}

/// Numbers images by their hashes, so that nothing depends on paths or on what came first.
void SearchedImages::read_images() {
    std::map<std::string, Content> by_hash;
    if (reference_)
        reference_->for_each_image(
            [&](const LibraryImage &image) { add(image, 0, true, by_hash[image.hash]); });
    std::map<std::string, std::vector<FileIdentity>> of_reference; // by their hashes
    const auto is_file_of_reference = [&](const LibraryImage &image, const Content &content) {
        if (!content.is_reference) return false; // both may hold one file: no copy of itself
        std::vector<FileIdentity> &theirs = of_reference[image.hash];
        if (theirs.empty())
            for (std::size_t i = 0; i < content.of_reference; ++i)
                theirs.emplace_back(content.images[i]);
        const FileIdentity ours(image);
        return std::ranges::any_of(theirs,
                                   [&](const FileIdentity &file) { return file.is_same(ours); });
    };
    const FolderOfImages within(request_.within);
    library_.for_each_image([&](const LibraryImage &image) {
        if (!request_.within.empty() && !within.holds(image)) return;
        const std::size_t rank = rank_of(image);
        has_kept_ |= rank != Content::not_kept;
        if (Content &content = by_hash[image.hash]; !is_file_of_reference(image, content))
            add(image, rank, false, content);
    });
    for (auto &[hash, content] : by_hash) {
        leave_each_file_once(content);
        number(std::move(content));
    }
}

void SearchedImages::require_words() const {
    if (library_.models().contains("words") && library_.has_positions()) return;
    throw Error(Fault::usage,
                fmt::format("{} does not hold where words lie, by which copies are found; make "
                            "another library: bowhist index -o NEW.bow INPUT...",
                            request_.library));
}

/// Looks at the first image with words of each library.
bool SearchedImages::lacks_mirrored_words() const {
    for (const bool of_reference : {false, true})
        for (std::uint32_t i = 0; i < images_.size(); ++i) {
            if (contents_[i].is_reference != of_reference) continue;
            const Library::Words words = images_.words(i);
            if (words.words.empty()) continue;
            if (words.mirrored.empty()) return true;
            break;
        }
    return false;
}

void SearchedImages::require_same_models() const {
    const auto ours = library_.models(), theirs = reference_->models();
    const auto words = theirs.find("words");
    if (words != theirs.end() && reference_->has_positions() &&
        words->second.fingerprint == ours.at("words").fingerprint)
        return;
    throw Error(Fault::usage,
                fmt::format("{} and {} have other models; make the one with those of the "
                            "other: bowhist index -o NEW.bow --centroids {} INPUT...",
                            request_.library, request_.against, request_.against));
}

std::size_t SearchedImages::rank_of(const LibraryImage &image) const {
    const auto holds = [&](const FolderOfImages &folder) { return folder.holds(image); };
    const auto found = std::ranges::find_if(keep_, holds);
    return found == keep_.end() ? Content::not_kept
                                : 1 + static_cast<std::size_t>(found - keep_.begin());
}

/// Kept ones in front.
void SearchedImages::add(const LibraryImage &image, std::size_t rank, bool of_reference,
                         Content &content) const {
    const bool kept = rank != Content::not_kept;
    content.rank = std::min(content.rank, rank);
    content.images.insert(content.images.begin() + static_cast<std::ptrdiff_t>(
                                                       kept ? content.kept : content.images.size()),
                          image);
    content.kept += kept;
    content.of_reference += of_reference;
    (of_reference ? content.is_reference : content.is_ours) = true;
}

void SearchedImages::number(Content &&content) {
    const auto better = [&](const LibraryImage &a, const LibraryImage &b) {
        if (const auto one = rank_of(a), other = rank_of(b); one != other) return one < other;
        const auto contender = [&](const LibraryImage &image) {
            return Contender{.image = &image,
                             .has_companions = !companions_.of(image.file()).empty()};
        };
        return better_of(contender(a), contender(b), preferences_).first;
    };
    const auto middle = content.images.begin() + static_cast<std::ptrdiff_t>(content.kept);
    std::sort(content.images.begin(), middle, better);
    std::sort(middle, content.images.end(), better);
    images_.add(content.is_reference ? *reference_ : library_, content.images.front());
    contents_.push_back(std::move(content));
}

bool SearchedImages::has_companions(std::uint32_t image) const {
    return !companions_.of(images_[image].file()).empty();
}

bool SearchedImages::has_codes() const {
    return library_.models().contains("code") &&
           (!reference_ || (reference_->models().contains("code") &&
                            reference_->models().at("code").fingerprint ==
                                library_.models().at("code").fingerprint));
}

/// In their order. @param measure  outlives it
IndexPart SearchedImages::part(std::span<const std::uint32_t> images, const WordMeasure &measure,
                               Observer &observer) const {
    std::vector<std::int64_t> contents;
    for (const std::uint32_t image : images) contents.push_back(images_[image].content);
    const Library &library = reference_ ? *reference_ : library_;
    return {library,
            std::move(contents),
            {.measure = &measure,
             .words = library.models().at("words").size,
             .dimensions = has_codes() ? library.models().at("code").size : 0},
            observer};
}

std::vector<Proposals> SearchedImages::propose(std::span<const std::uint32_t> queries,
                                               std::span<const std::uint32_t> findable,
                                               const ProposalLimits &limits,
                                               Observer &observer) const {
    if (queries.empty() || findable.empty()) return {};
    const WordMeasure measure(Normalization::hellinger, {});
    const IndexPart index = part(findable, measure, observer);
    return bowhist::propose(images_, queries, {index, findable}, limits, observer);
}

void SearchedImages::compare(std::span<const std::uint32_t> queries,
                             std::span<const std::uint32_t> findable, PairedProposals &proposals,
                             Observer &observer) const {
    if (queries.empty() || findable.empty()) return;
    const WordMeasure measure(Normalization::hellinger, {});
    const std::vector<std::uint32_t> falling_queries(queries.rbegin(), queries.rend());
    const std::vector<std::uint32_t> falling(findable.rbegin(), findable.rend());
    const IndexPart index = part(falling, measure, observer);
    proposals.compare(images_, falling_queries, {index, falling}, observer);
}

} // namespace bowhist
