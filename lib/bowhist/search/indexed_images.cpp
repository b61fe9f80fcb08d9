#include <bowhist/search/indexed_images.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/device/leave.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <thread>
#include <utility>

namespace bowhist {
namespace {

constexpr double worth_new_shares = 1.5; // how much longer a search takes than it could
constexpr double least_gain = 0.01;      // seconds

} // namespace

/// A device and the images that it searches.
struct SharedImageSearch::Member {
    /// Windows of a part.
    struct Piece {
        std::size_t part;
        std::unique_ptr<DeviceImageSearch> search;
    };
    std::shared_ptr<Device> device;
    double pace = 1; ///< windows a second, or 1 for each until it is known
    std::size_t windows = 0;
    std::vector<Piece> pieces = {};
    std::vector<Answers> answers = {}; ///< of each piece
    double seconds = 0;                ///< of its last search
    std::exception_ptr failure = {};
};

SharedImageSearch::SharedImageSearch(const std::vector<std::shared_ptr<Device>> &devices,
                                     Observer &observer)
    : observer_(observer) {
    for (const auto &device : devices)
        members_.push_back(std::make_unique<Member>(Member{.device = device}));
}

SharedImageSearch::~SharedImageSearch() = default;

void SharedImageSearch::send(std::vector<SearchableImages> parts) {
    for (const auto &member : members_) member->pieces.clear(); // before its successor takes room
    parts_ = std::move(parts);
    share_out();
}

/// Sends each its windows, until all devices can take theirs.
void SharedImageSearch::share_out() {
    const auto windows_before = [this](std::size_t part) {
        return std::accumulate(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(part),
                               std::size_t{0}, [](std::size_t sum, const SearchableImages &some) {
                                   return sum + DeviceImageSearch::windows_of(some);
                               });
    };
    const auto all = static_cast<double>(windows_before(parts_.size()));
    std::vector<std::size_t> ends;
    const auto cut = [&] {
        ends.clear();
        double pace = 0;
        double paces = 0;
        for (const auto &member : members_) paces += member->pace;
        for (const auto &member : members_) {
            pace += member->pace;
            ends.push_back(static_cast<std::size_t>(all * (pace / paces) + 0.5));
        }
        ends.back() = static_cast<std::size_t>(all);
    };
    const auto take = [&](Member &member) {
        const auto place = static_cast<std::size_t>(
            std::ranges::find(members_, &member, &std::unique_ptr<Member>::get) - members_.begin());
        send(member, place == 0 ? 0 : ends[place - 1], ends[place]);
    };
    do cut();
    while (!all_can(take));
    slow_searches_ = 0;
}

/// @param first, end  windows, as counted over all parts
void SharedImageSearch::send(Member &member, std::size_t first, std::size_t end) {
    member.pieces.clear();
    member.windows = end - first;
    std::size_t before = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const std::size_t windows = DeviceImageSearch::windows_of(parts_[part]);
        const std::size_t from = std::max(first, before);
        const std::size_t to = std::min(end, before + windows);
        if (from < to)
            member.pieces.push_back(
                {part, std::make_unique<DeviceImageSearch>(
                           member.device, parts_[part],
                           DeviceImageSearch::Windows{from - before, to - from})});
        before += windows;
    }
}

template <typename Act>
bool SharedImageSearch::all_can(const Act &act) {
    const auto work = [&act](Member &member) {
        try {
            act(member);
        } catch (...) {
            member.failure = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t other = 1; other < members_.size(); ++other)
        threads.emplace_back([&, other] { work(*members_[other]); });
    work(*members_.front());
    for (std::thread &thread : threads) thread.join();
    const std::size_t before = members_.size();
    for (std::size_t i = members_.size(); i > 0; --i) try {
            Member &member = *members_[i - 1];
            if (member.failure) std::rethrow_exception(std::exchange(member.failure, {}));
        } catch (const Error &error) {
            if (error.fault != Fault::device || members_.size() == 1) throw;
            leave(*members_[i - 1]->device, error, observer_);
            members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        }
    return members_.size() == before;
}

SharedImageSearch::Answers SharedImageSearch::search(std::span<const ImageQuery> queries,
                                                     const ScoreWeights &weights,
                                                     std::size_t most) {
    const auto look = [&](Member &member) {
        const auto start = std::chrono::steady_clock::now();
        member.answers.clear();
        for (const Member::Piece &piece : member.pieces)
            member.answers.push_back(piece.search->search(queries, weights, most));
        const auto end = std::chrono::steady_clock::now();
        member.seconds = std::max(1e-6, std::chrono::duration<double>(end - start).count());
    };
    while (!all_can(look)) share_out();
    std::vector<std::uint32_t> firsts(1);
    for (const SearchableImages &part : parts_)
        firsts.push_back(firsts.back() + static_cast<std::uint32_t>(part.size()));
    std::vector<BestImages> best(queries.size(), BestImages(most));
    for (const auto &member : members_)
        for (std::size_t i = 0; i < member->pieces.size(); ++i)
            for (std::size_t q = 0; q < queries.size(); ++q)
                for (const ScoredImage &found : member->answers[i][q])
                    best[q].add({firsts[member->pieces[i].part] + found.image, found.score});
    Answers answers;
    for (BestImages &of_query : best) answers.push_back(of_query.sorted());
    consider_new_shares();
    return answers;
}

void SharedImageSearch::consider_new_shares() {
    double all = 0;
    double windows = 0;
    double longest = 0;
    for (const auto &member : members_) {
        all += static_cast<double>(member->windows) / member->seconds;
        windows += static_cast<double>(member->windows);
        longest = std::max(longest, member->seconds);
    }
    const double best = all > 0 ? windows / all : longest;
    const bool is_slow = longest > worth_new_shares * best && longest > best + least_gain;
    slow_searches_ = is_slow ? slow_searches_ + 1 : 0;
    if (slow_searches_ < slow_enough_) return;
    slow_enough_ *= 2; // paces that never settle must not send images again and again
    for (const auto &member : members_)
        if (member->windows > 0)
            member->pace = static_cast<double>(member->windows) / member->seconds;
    share_out();
}

namespace {

/// Contents whose images are looked up one by one; all images are read for more.
constexpr std::size_t most_lookups = 10'000;

/// Queries that are looked up by lists alone: turning lists into rows of images takes as long as
/// rows save of some eight.
constexpr std::size_t most_by_lists = 8;

} // namespace

IndexedImages::IndexedImages(const Library &library, const Parts &parts, Observer &observer)
    : library_(library) {
    const auto models = library.models();
    if (parts.words) by_ = {&measure_, models.at("words").size, 0};
    if (parts.codes) by_.dimensions = models.at("code").size;
    if (parts.measure) {
        measure_ = *parts.measure;
        read_rows(observer);
    } else {
        open_index(parts.words, parts.codes, observer);
    }
    for (const auto &part : parts_) contents_ += part->size();
}

/// Each content once.
void IndexedImages::read_rows(Observer &observer) {
    all();
    std::vector<std::int64_t> contents;
    for (const auto &[content, numbers] : of_content_) contents.push_back(content);
    std::ranges::sort(contents);
    if (!contents.empty())
        parts_.push_back(std::make_unique<IndexPart>(library_, std::move(contents), by_, observer));
}

void IndexedImages::open_index(bool words, bool codes, Observer &observer) {
    SegmentRows &rows = library_.segments();
    rows.read_in_passing(true);
    for (Segment &segment : rows.segments()) {
        if (words && segment.word_norms.size() != segment.size()) rows.fail_damaged("words");
        if (codes && segment.code_norms.size() != segment.size()) rows.fail_damaged("codes");
        parts_.push_back(std::make_unique<IndexPart>(std::move(segment), by_, rows));
    }
    if (auto rest = rows.unindexed(); !rest.empty())
        parts_.push_back(std::make_unique<IndexPart>(library_, std::move(rest), by_, observer));
}

std::size_t IndexedImages::number(const LibraryImage &image) {
    const auto [found, is_new] = numbers_.try_emplace(image.id, images_.size());
    if (is_new) images_.push_back(image);
    return found->second;
}

std::vector<std::size_t> IndexedImages::all() {
    std::vector<std::size_t> all;
    of_content_.clear();
    library_.segments().read_in_passing(false);
    library_.for_each_image([&](const LibraryImage &image) {
        all.push_back(number(image));
        of_content_[image.content].push_back(all.back());
    });
    library_.segments().read_in_passing(true);
    has_met_all_ = true;
    return all;
}

std::optional<std::size_t> IndexedImages::find(const std::string &path) {
    const auto image = library_.find(path);
    if (!image) return std::nullopt;
    return number(*image);
}

const std::vector<std::size_t> &IndexedImages::numbers_of(std::int64_t content) {
    const auto [found, is_new] = of_content_.try_emplace(content);
    if (is_new && !has_met_all_)
        for (const LibraryImage &image : library_.images_of(content))
            found->second.push_back(number(image));
    return found->second;
}

std::int64_t IndexedImages::content(std::size_t place) const {
    auto part = parts_.begin();
    for (; place >= (*part)->size(); ++part) place -= (*part)->size();
    return (*part)->content(place);
}

void IndexedImages::read_words_of_all(std::span<const std::uint32_t> words, bool by_word) {
    if (on_devices_) on_devices_->send({});
    for (const auto &part : parts_) part->read_words(library_.segments(), words, by_word);
    if (!on_devices_) return;
    std::vector<SearchableImages> all;
    for (const auto &part : parts_) all.push_back(part->searchable());
    on_devices_->send(std::move(all));
}

void IndexedImages::keep_all_words() {
    if (has_all_words_) return;
    has_all_words_ = true;
    std::vector<std::uint32_t> words(by_.words);
    std::iota(words.begin(), words.end(), 0U);
    read_words_of_all(words, false);
}

void IndexedImages::use(const std::vector<std::shared_ptr<Device>> &devices, Observer &observer) {
    on_devices_ = std::make_unique<SharedImageSearch>(devices, observer);
    has_all_words_ = false;
    keep_all_words();
}

void IndexedImages::read_words(std::span<const ImageQuery> queries) {
    if (has_all_words_) return;
    std::vector<std::uint32_t> words;
    for (const ImageQuery &query : queries)
        for (const WordCount &word : query.words) words.push_back(word.word);
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    read_words_of_all(words, queries.size() <= most_by_lists);
}

std::vector<std::vector<ScoredImage>>
IndexedImages::search_on_host(std::span<const ImageQuery> queries, const ScoreWeights &weights,
                              std::size_t most) const {
    std::vector<BestImages> best(queries.size(), BestImages(most));
    std::uint32_t first = 0;
    for (const auto &part : parts_) {
        const auto answers = bowhist::search(part->searchable(), queries, weights, most, way_);
        for (std::size_t q = 0; q < queries.size(); ++q)
            for (const ScoredImage &found : answers[q])
                best[q].add({first + found.image, found.score});
        first += static_cast<std::uint32_t>(part->size());
    }
    std::vector<std::vector<ScoredImage>> answers;
    for (BestImages &of_query : best) answers.push_back(of_query.sorted());
    return answers;
}

std::vector<std::vector<ScoredImage>>
IndexedImages::search_contents(std::span<const ImageQuery> queries, const ScoreWeights &weights,
                               std::size_t most) {
    const auto start = std::chrono::steady_clock::now();
    auto answers = on_devices_ ? on_devices_->search(queries, weights, most)
                               : search_on_host(queries, weights, most);
    compared_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answers;
}

std::vector<ScoredImage> IndexedImages::images_in(const std::vector<ScoredImage> &contents) {
    if (contents.size() > most_lookups && !has_met_all_) all();
    std::vector<ScoredImage> found;
    for (const ScoredImage &one : contents)
        for (const std::size_t image : numbers_of(content(one.image)))
            found.push_back({static_cast<std::uint32_t>(image), one.score});
    sort(found);
    return found;
}

void IndexedImages::sort(std::vector<ScoredImage> &found) const {
    std::ranges::sort(found, [&](const ScoredImage &a, const ScoredImage &b) {
        return a.score != b.score ? a.score > b.score
                                  : images_[a.image].path < images_[b.image].path;
    });
}

std::vector<std::vector<ScoredImage>> IndexedImages::search(std::span<const ImageQuery> queries,
                                                            const ScoreWeights &weights,
                                                            std::size_t most) {
    read_words(queries);
    std::vector<std::vector<ScoredImage>> results(queries.size());
    std::vector<std::size_t> open(queries.size()); // that lack results
    std::iota(open.begin(), open.end(), std::size_t{0});
    // contents that belong to no image any more take places: those that lack some ask for more
    for (std::size_t wanted = most; !open.empty(); wanted *= 4) {
        std::vector<ImageQuery> asked;
        for (const std::size_t q : open) asked.push_back(queries[q]);
        const auto contents = search_contents(asked, weights, std::min(wanted, contents_));
        std::vector<std::size_t> lacking;
        for (std::size_t i = 0; i < open.size(); ++i) {
            results[open[i]] = images_in(contents[i]);
            if (results[open[i]].size() < most && contents[i].size() < contents_)
                lacking.push_back(open[i]);
        }
        open = std::move(lacking);
    }
    return results;
}

} // namespace bowhist
