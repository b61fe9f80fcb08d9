#pragma once

#include <cstdint>

namespace bowhist {

/// A sample over the ground (0 or 255). `premultiplied`: it is multiplied by its alpha already, and
/// no larger than that, whatever the file says.
inline std::uint8_t over(int ground, int sample, int alpha, bool premultiplied) {
    const int opaque = premultiplied ? 255 * (sample < alpha ? sample : alpha) : sample * alpha;
    return static_cast<std::uint8_t>((opaque + ground * (255 - alpha) + 127) / 255);
}

/// Chooses what lies behind an image with transparency: white, unless next to nothing of the
/// image would show on it, and far more on black (a white drawing on a clear ground).
///
/// The contrast is what shows: the standard deviation of the image's grey on that ground. Black is
/// chosen where white leaves less than a quarter of it. The sums are whole numbers of the image at
/// full size, so the choice depends on neither their order nor --max-side.
class Ground {
  public:
    static constexpr std::uint8_t white = 255;
    static constexpr std::uint8_t black = 0;

    /// Takes pixels of a grey, 0 to 255, as it shows on white and on black.
    void add(std::uint8_t on_white, std::uint8_t on_black, std::uint64_t pixels = 1) {
        pixels_ += pixels;
        on_white_.add(on_white, pixels);
        on_black_.add(on_black, pixels);
    }
    /// Takes pixels of a grey with alpha, as over() lays them.
    void add_transparent(int grey, int alpha, bool premultiplied, std::uint64_t pixels = 1) {
        add(over(white, grey, alpha, premultiplied), over(black, grey, alpha, premultiplied),
            pixels);
    }

    std::uint8_t choice() const {
        constexpr double share = 1.0 / 16; // of the variance
        return on_white_.variance(pixels_) < share * on_black_.variance(pixels_) ? black : white;
    }

  private:
    struct Sums {
        std::uint64_t sum = 0;
        std::uint64_t squares = 0;

        void add(std::uint64_t grey, std::uint64_t pixels) {
            sum += grey * pixels;
            squares += grey * grey * pixels;
        }
        double variance(std::uint64_t pixels) const {
            const auto n = static_cast<double>(pixels);
            const double mean = static_cast<double>(sum) / n;
            return pixels == 0 ? 0 : static_cast<double>(squares) / n - mean * mean;
        }
    };

    std::uint64_t pixels_ = 0;
    Sums on_white_;
    Sums on_black_;
};

} // namespace bowhist
