#include <bowhist/duplicates/frames.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/duplicates/full_images.hpp>
#include <bowhist/duplicates/number_bytes.hpp>
#include <bowhist/duplicates/numbered_images.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/library/file/content_hash.hpp>
#include <bowhist/pictures/picture_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace bowhist {
namespace {

// Pages need their letters; a film of many frames is read smaller.
constexpr double pixels_of_a_file = 1 << 26;
constexpr int least_side = 256;
constexpr int most_side = 2048;
constexpr int side_of_stills = 512;
constexpr double same_ratio = 0.01; ///< of the sides of two images, relative
constexpr double pixels_at_once = 1 << 27;
constexpr std::uint64_t most_pixels_to_hash = 1 << 26; ///< of a file: every thread may hold them

/// Nothing where the file does not say it and its name ends as one of an animation may.
std::optional<std::uint32_t> frames_of_file(const LibraryImage &image) {
    static constexpr std::array<std::string_view, 9> endings = {
        ".gif", ".png", ".webp", ".tif", ".tiff", ".heic", ".heif", ".hif", ".avif"};
    try {
        const auto [traits, stamp] = read_image_traits(image.file());
        if (stamp == image.stamp) return traits.frames;
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
    }
    const bool may_be_several =
        std::ranges::find(endings, ending_of(image.file())) != endings.end();
    return may_be_several ? std::nullopt : std::optional(1U);
}

int side_for(std::uint32_t frames) {
    return std::clamp(static_cast<int>(std::sqrt(pixels_of_a_file / frames)), least_side,
                      most_side);
}

/// All frames, in grey; none where they cannot be read, or not all.
std::vector<Image> all_frames(const LibraryImage &image, std::uint32_t count,
                              const ImageLimits &limits) {
    try {
        std::vector<Image> frames = read_frames(image.file(), limits, count);
        if (frames.size() == count) return frames;
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
    }
    return {};
}

/// The questions that the files of a pair must answer.
struct FrameQuestion {
    std::size_t pair = 0;
    std::array<std::uint32_t, 2> images{};
    std::array<std::uint32_t, 2> frames{}; ///< of each image
    int side = 0;                          ///< pixels to read
    bool asked = false;                    ///< it is not kept
    bool unchanged = false;                ///< both files, before they were read
    FrameComparison answer = {};

    bool is_about_all() const { return frames[0] == frames[1]; }
};

/// Frames that are read once for several pairs.
class ReadFrames {
  public:
    ReadFrames(const NumberedImages &images, std::span<const FrameQuestion> questions,
               Observer &observer) {
        for (const FrameQuestion &question : questions)
            if (question.asked)
                for (std::size_t i = 0; i < 2; ++i)
                    frames_[{question.images[i], question.side}] = {question.frames[i], {}};
        std::vector<decltype(frames_)::value_type *> files;
        for (auto &file : frames_) files.push_back(&file);
        for_each_number(files.size(), observer, [&](std::size_t i) {
            auto &[key, read] = *files[i];
            read.second = all_frames(images[key.first], read.first,
                                     {.max_side = key.second, .observer = &observer});
        });
    }

    FrameComparison answer(const FrameQuestion &question) const {
        const auto &one = frames_.at({question.images[0], question.side}).second;
        const auto &other = frames_.at({question.images[1], question.side}).second;
        if (one.empty() || other.empty()) return {};
        if (question.is_about_all()) return compare_all_frames(one, other);
        return one.size() == 1 ? compare_later_frames(one.front(), other)
                               : compare_later_frames(other.front(), one);
    }

  private:
    std::map<std::pair<std::uint32_t, int>, std::pair<std::uint32_t, std::vector<Image>>> frames_;
};

/// How many questions from the first on are answered together: as much as memory should hold.
std::size_t questions_at_once(std::span<const FrameQuestion> questions) {
    std::set<std::pair<std::uint32_t, int>> files;
    double pixels = 0;
    std::size_t count = 0;
    for (const FrameQuestion &question : questions) {
        for (std::size_t i = 0; i < 2; ++i)
            if (question.asked && files.insert({question.images[i], question.side}).second)
                pixels += 1.0 * question.frames[i] * question.side * question.side;
        if (count > 0 && pixels > pixels_at_once) break;
        ++count;
    }
    return count;
}

void answer_questions(const NumberedImages &images, std::span<const CheckedPair> pairs,
                      std::span<FrameQuestion> questions, KeptPairs &kept, Observer &observer) {
    for (FrameQuestion &question : questions) {
        question.unchanged =
            is_unchanged(images[question.images[0]]) && is_unchanged(images[question.images[1]]);
        const auto before = kept.find(pairs[question.pair].pair);
        question.asked = !(question.unchanged && before && before->frames);
        if (!question.asked) question.answer = *before->frames;
    }
    while (!questions.empty()) {
        const std::span some = questions.first(questions_at_once(questions));
        const ReadFrames frames(images, some, observer);
        for_each_number(some.size(), observer, [&](std::size_t i) {
            FrameQuestion &question = some[i];
            if (!question.asked) return;
            question.answer = frames.answer(question);
            question.unchanged &= is_unchanged(images[question.images[0]]) &&
                                  is_unchanged(images[question.images[1]]);
        });
        for (const FrameQuestion &question : some) {
            const CandidatePair &pair = pairs[question.pair].pair;
            auto check = kept.find(pair);
            if (!question.asked || !question.unchanged || !check || !check->pixels) continue;
            check->frames = question.answer;
            kept.put(pair, *check);
        }
        questions = questions.subspan(some.size());
    }
}

bool have_one_ratio(const LibraryImage &one, const LibraryImage &other) {
    const double first = 1.0 * one.width * other.height;
    const double second = 1.0 * other.width * one.height;
    return std::abs(first - second) <= same_ratio * std::max(first, second);
}

/// The questions that the pixels of first frames leave open.
std::optional<FrameQuestion> question_of(const NumberedImages &images, const CheckedPair &pair,
                                         std::uint32_t first, std::uint32_t second,
                                         const Judgement &judgement) {
    const std::array numbers{pair.pair.first, pair.pair.second};
    const bool has_still = std::min(first, second) <= 1;
    const bool may_be_later = judgement.scene || pair.geometry.one_map_agrees() ||
                              have_one_ratio(images[numbers[0]], images[numbers[1]]);
    if (has_still ? judgement.copy || !may_be_later : !judgement.copy || first != second)
        return std::nullopt;
    return FrameQuestion{.images = numbers,
                         .frames = {first, second},
                         .side = has_still ? side_of_stills : side_for(first)};
}

} // namespace

std::optional<std::uint32_t> FrameCounts::of(std::uint32_t image) {
    if (images_[image].frames) return images_[image].frames;
    const auto found = read_.find(image);
    if (found != read_.end()) return found->second;
    return read_[image] = frames_of_file(images_[image]);
}

namespace {

/// Settles what the numbers of frames say alone. @return what they leave open
std::vector<FrameQuestion> settle_by_counts(const NumberedImages &images, FrameCounts &counts,
                                            std::span<const CheckedPair> pairs,
                                            std::span<Judgement> judgements,
                                            std::span<std::optional<std::uint32_t>> stills) {
    std::vector<FrameQuestion> questions;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const CandidatePair &pair = pairs[i].pair;
        Judgement &judgement = judgements[i];
        const auto first = counts.of(pair.first), second = counts.of(pair.second);
        if (!first || !second) judgement.copy = false; // in doubt both stay
        if (!first || !second || std::max(*first, *second) <= 1) continue;
        if (judgement.copy && std::min(*first, *second) <= 1) {
            stills[i] = *first <= 1 ? pair.first : pair.second;
        } else if (judgement.copy && *first != *second) {
            judgement.copy = false;
            judgement.different = true;
        } else if (auto question = question_of(images, pairs[i], *first, *second, judgement)) {
            question->pair = i;
            questions.push_back(*question);
        }
    }
    return questions;
}

std::string hash_of_frames(const std::vector<Image> &frames) {
    NumberWriter hashes;
    for (const Image &frame : frames) {
        hashes(static_cast<std::size_t>(frame.width));
        hashes.bytes += content_hash(
            {reinterpret_cast<const char *>(frame.pixels.data()), frame.pixels.size()});
    }
    return content_hash(hashes.bytes);
}

} // namespace

std::vector<std::optional<std::uint32_t>>
settle_frames(const NumberedImages &images, FrameCounts &counts, std::span<CheckedPair> pairs,
              std::span<Judgement> judgements, std::span<char> unproven, KeptPairs &kept,
              Observer &observer) {
    std::vector<std::optional<std::uint32_t>> stills(pairs.size());
    std::vector<FrameQuestion> questions =
        settle_by_counts(images, counts, pairs, judgements, stills);
    answer_questions(images, pairs, questions, kept, observer);
    for (const FrameQuestion &question : questions) {
        Judgement &judgement = judgements[question.pair];
        if (question.is_about_all()) {
            judgement.copy = question.answer.agree;
            judgement.different = !question.answer.agree;
            unproven[question.pair] |= static_cast<char>(question.answer.doubtful);
        } else if (question.answer.agree) {
            judgement = {.copy = true, .scene = true, .score = question.answer.score, .overlap = 1};
            pairs[question.pair].pixels.compared = question.answer.compared;
            stills[question.pair] = question.images[question.frames[0] <= 1 ? 0 : 1];
        }
    }
    return stills;
}

std::map<std::uint32_t, WholePixels> whole_pixels(const NumberedImages &images, FrameCounts &counts,
                                                  const std::vector<std::uint32_t> &numbers,
                                                  KeptPairs &kept, Observer &observer) {
    std::map<std::uint32_t, WholePixels> whole;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> animations; // and their frames
    for (auto &[image, pixels] : whole_images(images, numbers, kept, observer)) {
        const std::optional<std::uint32_t> count = counts.of(image);
        if (!pixels.hash.empty() && count > 1U) animations.emplace_back(image, *count);
        whole[image] = {
            .is_still = count == 1U, .hash = std::move(pixels.hash), .held = pixels.held};
    }
    std::vector<std::string> hashes(animations.size());
    std::vector<char> is_new(animations.size()); // and to be kept
    for_each_number(animations.size(), observer, [&](std::size_t i) {
        const auto [number, count] = animations[i];
        const bool unchanged = is_unchanged(images[number]);
        if (unchanged) hashes[i] = kept.pixels(number).frames;
        if (!hashes[i].empty()) return;
        const std::vector<Image> frames =
            all_frames(images[number], count,
                       {.max_pixels = most_pixels_to_hash, .max_side = 0, .observer = &observer});
        if (frames.empty()) return;
        hashes[i] = hash_of_frames(frames);
        is_new[i] = unchanged && is_unchanged(images[number]);
    });
    for (std::size_t i = 0; i < animations.size(); ++i) {
        const std::uint32_t image = animations[i].first;
        whole[image].frames = hashes[i];
        KeptPairs::Pixels pixels = kept.pixels(image);
        if (is_new[i] == 0 || pixels.hash.empty()) continue;
        pixels.frames = hashes[i];
        kept.put_pixels(image, pixels);
    }
    return whole;
}

} // namespace bowhist
