#include <bowhist/search/shared_search.hpp>

#include <bowhist/compare/search_choice.hpp>
#include <bowhist/compare/word_counts.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/library/describer.hpp>
#include <bowhist/library/stored_words.hpp>
#include <bowhist/pictures/image_views.hpp>
#include <bowhist/search/indexed_images.hpp>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>

namespace bowhist {

struct DescribedQuery {
    ImageQuery image;
};

namespace {

constexpr std::size_t most_at_once = 64;
constexpr std::uint64_t bytes_an_image = 1700; ///< of the index in memory, of some 480 words

bool has_descriptors(const ImageQuery &query) {
    return !query.words.empty() ||
           std::ranges::any_of(query.code, [](std::int8_t value) { return value != 0; });
}

/// @param name  of the query
[[noreturn]] void fail_without_descriptors(const std::filesystem::path &name) {
    throw Error(Fault::input, fmt::format("{}: has no descriptors to search by", name));
}

DescribeOptions options_for_queries(const StreamOptions &stream, const LevelRequest &level,
                                    Observer &observer) {
    DescribeOptions options{.stream = stream, .level = level};
    options.positions = false;
    options.thumbnail_side = 0;
    options.stream.image.observer = &observer;
    return options;
}

} // namespace

class SharedSearch::Impl {
  public:
    Impl(const std::filesystem::path &path, const StreamOptions &stream, const LevelRequest &level,
         Observer &observer)
        : library_(path), has_words_(library_.models().contains("words")),
          has_code_(library_.models().contains("code")),
          images_(library_, {.words = has_words_, .codes = has_code_}, observer),
          models_(library_.describing_models()),
          options_(options_for_queries(stream, level, observer)),
          describer_(models_, options_, observer) {
        use_level(level, observer);
        comparer_ = std::thread([this] { compare_all(); });
    }

    ~Impl() {
        {
            const std::lock_guard lock(mutex_);
            is_ending_ = true;
        }
        asked_.notify_one();
        comparer_.join();
    }

    std::size_t size() const { return images_.contents(); }

    std::vector<SharedImage> find(const LibraryImage *stored, const ImageQuery *query,
                                  std::size_t top) {
        Question question{.stored = stored, .query = query, .top = top};
        auto answer = question.answer.get_future();
        {
            const std::lock_guard lock(mutex_);
            waiting_.push_back(&question);
        }
        asked_.notify_one();
        return answer.get();
    }

    /// @param open  makes the ImageBytes
    template <typename Open>
    std::shared_ptr<const DescribedQuery> describe(const Open &open,
                                                   const std::filesystem::path &name,
                                                   const std::optional<ImageRegion> &part) const {
        const ImageLimits &limits = options_.stream.image;
        ImageBytes bytes = open(limits);
        ImageFile file = bytes.take(limits);
        // isolated: as Describer::extract
        ImageViews views = tbb::this_task_arena::isolate([&] {
            return part ? decode_region(file, name, limits, describer_.views(), *part)
                        : decode_views(file, name, limits, describer_.views());
        });
        const ExtractedImage image = describer_.extract(std::move(views));
        DescribedQuery query{query_of(row_of(image))};
        if (!has_descriptors(query.image)) fail_without_descriptors(name);
        return std::make_shared<const DescribedQuery>(std::move(query));
    }

  private:
    struct Question {
        const LibraryImage *stored; ///< or
        const ImageQuery *query;
        std::size_t top;
        std::promise<std::vector<SharedImage>> answer = {};
    };

    void use_level(const LevelRequest &wished, Observer &observer) {
        const SearchChoice choice(wished, has_words_ ? library_.models().at("words").size : 0);
        const SearchLevel &level = choice.choose(size(), 1);
        if (level.on_device) {
            images_.use(choice.open_devices(observer), observer);
            return;
        }
        images_.use(level.way);
        const bool keeps = has_words_ && size() * bytes_an_image < free_memory() / 2;
        if (keeps) images_.keep_all_words();
        observer.note(fmt::format("searching by {} on the host, words {}", level.id,
                                  keeps ? "in memory" : "read for each search"));
    }

    ContentRow row_of(const ExtractedImage &image) const {
        if (describer_.describes_alone()) return describer_.describe_alone(image);
        const std::lock_guard lock(describing_);
        return describer_.describe({&image, 1}).front();
    }

    ImageQuery query_of(const ContentRow &row) const {
        ImageQuery query;
        if (row.words)
            query.words =
                counts_of(read_words(*row.words, models_.words->vocabulary.size()).value());
        if (row.code) query.code.assign(row.code->begin(), row.code->end());
        return query;
    }

    ImageQuery query_of(const LibraryImage &image) const {
        ImageQuery query;
        if (has_words_) query.words = counts_of(library_.words(image).words);
        if (has_code_) query.code = library_.code(image).values;
        if (!has_descriptors(query)) fail_without_descriptors(image.path);
        return query;
    }

    void compare_all() {
        for (;;) {
            std::vector<Question *> some;
            {
                std::unique_lock lock(mutex_);
                asked_.wait(lock, [&] { return is_ending_ || !waiting_.empty(); });
                if (waiting_.empty()) return;
                const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(
                                                        std::min(waiting_.size(), most_at_once));
                some.assign(waiting_.begin(), end);
                waiting_.erase(waiting_.begin(), end);
            }
            compare(some);
        }
    }

    /// Answers each, with its results or what went wrong.
    void compare(const std::vector<Question *> &some) {
        std::vector<Question *> usable;
        std::vector<ImageQuery> queries;
        std::size_t most = 0;
        for (Question *question : some) {
            try {
                queries.push_back(question->stored != nullptr ? query_of(*question->stored)
                                                              : *question->query);
                if (has_words_) images_.measure().squared_norm(queries.back().words);
                usable.push_back(question);
                most = std::max(most, question->top);
            } catch (...) {
                queries.resize(usable.size());
                question->answer.set_exception(std::current_exception());
            }
        }
        if (usable.empty()) return;
        std::size_t answered = 0;
        try {
            const auto answers = images_.search(queries, weights(), most);
            std::vector<std::vector<SharedImage>> results;
            for (std::size_t q = 0; q < usable.size(); ++q)
                results.push_back(results_of(answers[q], usable[q]->top));
            // what asked is gone with its answer
            for (; answered < usable.size(); ++answered)
                usable[answered]->answer.set_value(std::move(results[answered]));
        } catch (...) {
            for (; answered < usable.size(); ++answered)
                usable[answered]->answer.set_exception(std::current_exception());
        }
    }

    ScoreWeights weights() const {
        const ScoreWeights both;
        return {has_words_ ? both.words : 0, has_code_ ? both.codes : 0};
    }

    std::vector<SharedImage> results_of(const std::vector<ScoredImage> &scored,
                                        std::size_t top) const {
        const auto full = static_cast<double>(weights().full());
        std::vector<SharedImage> found;
        for (std::size_t i = 0; i < std::min(top, scored.size()); ++i)
            found.push_back(
                {images_.image(scored[i].image),
                 static_cast<double>(std::max<std::int64_t>(scored[i].score, 0)) / full});
        return found;
    }

    Library library_; ///< of the comparer, once it runs
    bool has_words_, has_code_;
    IndexedImages images_;
    LibraryModels models_;
    DescribeOptions options_;
    mutable std::mutex describing_;
    mutable Describer describer_;

    std::mutex mutex_; ///< of those below
    std::condition_variable asked_;
    std::vector<Question *> waiting_;
    bool is_ending_ = false;
    std::thread comparer_;
};

SharedSearch::SharedSearch(const std::filesystem::path &library, const StreamOptions &stream,
                           const LevelRequest &level, Observer &observer)
    : impl_(std::make_unique<Impl>(library, stream, level, observer)) {}

SharedSearch::~SharedSearch() = default;

std::size_t SharedSearch::size() const {
    return impl_->size();
}

std::vector<SharedImage> SharedSearch::find(const LibraryImage &image, std::size_t top) {
    return impl_->find(&image, nullptr, top);
}

std::vector<SharedImage> SharedSearch::find(const DescribedQuery &query, std::size_t top) {
    return impl_->find(nullptr, &query.image, top);
}

std::shared_ptr<const DescribedQuery>
SharedSearch::describe(std::string_view bytes, const std::filesystem::path &name,
                       const std::optional<ImageRegion> &part) const {
    const auto open = [&](const ImageLimits &limits) { return ImageBytes(bytes, name, limits); };
    return impl_->describe(open, name, part);
}

std::shared_ptr<const DescribedQuery>
SharedSearch::describe(const LibraryImage &image, const std::optional<ImageRegion> &part) const {
    std::error_code unknown;
    const bool is_at_path = std::filesystem::exists(image.path, unknown);
    const auto open = [&](const ImageLimits &limits) {
        return ImageBytes(is_at_path ? image.path : image.file(), limits);
    };
    return impl_->describe(open, image.path, part);
}

} // namespace bowhist
