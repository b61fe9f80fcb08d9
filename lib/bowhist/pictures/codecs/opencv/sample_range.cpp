#include <bowhist/pictures/codecs/opencv/samples.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace bowhist {
namespace {

/// The extremes of all finite samples.
struct Extremes {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();
    double largest_alpha = 0;

    bool found() const { return smallest <= largest; }
};

template <typename Sample>
bool is_finite(Sample sample) {
    if constexpr (std::is_floating_point_v<Sample>) return std::isfinite(sample);
    return true;
}

/// Takes the colors of a row, and then its alpha. Loops of one kind of sample become vectors.
template <typename Sample>
void widen(Extremes &extremes, const cv::Mat &row) {
    using Limits = std::numeric_limits<Sample>;
    const int channels = row.channels();
    const bool has_alpha = channels % 2 == 0;
    const auto *samples = row.ptr<Sample>(0);
    const int count = row.cols * channels;
    Sample smallest = Limits::max();
    Sample largest = Limits::lowest();
    const auto take = [&](Sample sample) {
        if (!is_finite(sample)) return;
        smallest = std::min(smallest, sample);
        largest = std::max(largest, sample);
    };
    if (has_alpha) {
        for (int i = 0; i < count; ++i)
            if (i % channels != channels - 1) take(samples[i]);
    } else {
        for (int i = 0; i < count; ++i) take(samples[i]);
    }
    if (smallest <= largest) {
        extremes.smallest = std::min(extremes.smallest, static_cast<double>(smallest));
        extremes.largest = std::max(extremes.largest, static_cast<double>(largest));
    }
    for (int i = channels - 1; has_alpha && i < count; i += channels)
        if (is_finite(samples[i]))
            extremes.largest_alpha =
                std::max(extremes.largest_alpha, static_cast<double>(samples[i]));
}

Extremes extremes_of(const Samples &samples) {
    Extremes extremes;
    for (int y = 0; y < samples.pixels.rows; ++y)
        with_sample_type(
            samples.pixels.row(y), samples.is_unsigned,
            [&](const cv::Mat &row, auto zero) { widen<decltype(zero)>(extremes, row); });
    return extremes;
}

bool holds_floats(const Samples &samples) {
    const int depth = samples.pixels.depth();
    return depth == CV_32F || depth == CV_64F || depth == CV_16F;
}

bool is_signed(const Samples &samples) {
    const int depth = samples.pixels.depth();
    return depth == CV_8S || depth == CV_16S || (depth == CV_32S && !samples.is_unsigned);
}

double largest_of_bits(int bits) {
    return std::ldexp(1.0, bits) - 1;
}

SampleRange floats_found(const Extremes &found) {
    if (!found.found() || (found.smallest >= 0 && found.largest <= 1)) return {0, 1, 1};
    const double white = found.largest > found.smallest ? found.largest : found.smallest + 1;
    return {found.smallest, white, 1,
            fmt::format("floats from {:.6g} to {:.6g}, taken as black and white", found.smallest,
                        found.largest)};
}

/// The fewest bits that hold the samples, an even number from 8 on.
int bits_needed(const Extremes &found, int most) {
    const bool has_negative = found.smallest < 0;
    for (int bits = 8; bits < most; bits += 2) {
        const bool fits = has_negative ? found.smallest >= -std::ldexp(1.0, bits - 1) &&
                                             found.largest <= largest_of_bits(bits - 1)
                                       : found.largest <= largest_of_bits(bits);
        if (fits) return bits;
    }
    return most;
}

SampleRange integers_found(const Extremes &found, const Samples &samples) {
    const int stored = samples.rules.bits;
    const bool with_sign = is_signed(samples);
    const double full = largest_of_bits(with_sign ? stored - 1 : stored);
    const int bits = bits_needed(found, stored);
    SampleRange range{0, std::min(largest_of_bits(bits), full), full};
    if (found.smallest < 0) {
        range.black = -std::ldexp(1.0, bits - 1);
        range.white = largest_of_bits(bits - 1);
    }
    if (bits < stored || with_sign)
        range.guess = fmt::format("{} samples of {} bits from {:.0f} to {:.0f}, taken as black at "
                                  "{:.0f} and white at {:.0f}",
                                  with_sign ? "signed" : "unsigned", stored, found.smallest,
                                  found.largest, range.black, range.white);
    return range;
}

/// The range of a file that does not say where its samples end.
SampleRange guessed(const Samples &samples, const Extremes &found) {
    if (holds_floats(samples)) return floats_found(found);
    const int bits = samples.rules.bits;
    const bool is_container = bits == 16 || bits >= 32; // that might hold fewer
    if (found.found() && (is_container || is_signed(samples)))
        return integers_found(found, samples);
    return {0, largest_of_bits(bits), largest_of_bits(bits)};
}

bool is_plain(const SampleRules &rules) {
    return rules.bits == 8 && !rules.white && rules.significant_bits == 0;
}

} // namespace

SampleRange range_of(const Samples &samples) {
    const SampleRules &rules = samples.rules;
    if (samples.pixels.depth() == CV_8U && is_plain(rules))
        return rules.white_is_zero ? SampleRange{255, 0, 255} : SampleRange{};
    const Extremes found = extremes_of(samples);
    SampleRange range = guessed(samples, found);
    const double right_justified = largest_of_bits(rules.significant_bits);
    const bool is_false = rules.is_white_doubtful && rules.white < found.largest;
    if (rules.white && !is_false) {
        range = {rules.black.value_or(0), *rules.white, range.opaque};
    } else if (rules.significant_bits > 0 && found.largest <= right_justified) {
        range = {0, right_justified, range.opaque};
    } else if (rules.significant_bits > 0) {
        range = {0, range.opaque, range.opaque};
    }
    const double least = holds_floats(samples) ? 1 : 0;
    if (found.largest_alpha > least && found.largest_alpha <= range.white)
        range.opaque = range.white;
    if (rules.white_is_zero) std::swap(range.black, range.white);
    return range;
}

} // namespace bowhist
