#pragma once

#include <bowhist/duplicates/alignment.hpp>

namespace bowhist {

/// The most that a few windows beside each other leave (window_fit.hpp), and what is usual in this
/// very pair. Encoding and another size leave much everywhere; another text or thing leaves much in
/// one place.
struct LocalChange {
    double most = 0;  ///< in a few windows, each with those around it
    double usual = 0; ///< in half of the windows with ink

    /// Whether one of the images shows something there that the other does not.
    bool is_clear() const {
        constexpr double least = 0.5; // true copies leave 0.43 in JPEG of quality 10
        constexpr double certain = 0.85, beyond_usual = 2;
        return most >= least && (most >= certain || most >= beyond_usual * usual);
    }
};

/// Both numbers are exact from 0.25 on: less is never clear.
LocalChange local_change(const Overlay &overlay);

} // namespace bowhist
