#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// The place where a row runs. Its roofs are the peaks of that place.
enum class Place { host, device };

/// The limits of a machine that an operation can run into.
enum class Roof {
    fma,   ///< float32 fused multiply-adds in vector units
    copy,  ///< bytes read and written
    matrix ///< fp16 products summed in float32 by matrix units
};

/// "fma", "copy", "matrix".
std::string name_of(Roof roof);

/// The columns that name a row: what was run.
struct Subject {
    std::string operation = {}; ///< "assign", "transpose"; "peak" for the roofs themselves
    std::string level = {};     ///< one way of doing it: "gpu4", "tiled"; a peak's roof
    Place place = Place::device;
    std::string device = {};         ///< its name; the host's says its threads
    std::size_t n = 0;               ///< descriptors, or the rows of images
    std::size_t k = 0;               ///< words; 0 for operations without words
    std::size_t d = 0;               ///< floats in each of n
    std::size_t local_size = 0;      ///< work-items a group; 0: the level's own choice
    std::size_t resident_groups = 0; ///< of local_size, as resident_groups() computes it
};

/// The work of an operation, counted from its definition and not from any kernel, so that all ways
/// of doing it compare. The definitions are in docs/bench.md.
struct Work {
    double bytes_read = 0;    ///< each input once
    double bytes_written = 0; ///< each output once
    double operations = 0;    ///< floating-point; a fused multiply-add is two
    /// Bytes that the kernels' loops ask of global and constant memory, whether or not a cache
    /// answers; empty where they are not counted.
    std::optional<double> kernel_bytes = {};
    /// The textbook's prediction for each byte that the way loads from (the Gaussian: moves to and
    /// from) global memory; empty for ways that are not in the textbook.
    std::optional<double> predicted_operations_per_byte = {};
    /// Pixels, if all kernel_bytes pass through memory, so that the copy peak predicts the time;
    /// else 0.
    double pixels = 0;

    double bytes() const { return bytes_read + bytes_written; }
    /// Effective bandwidth in 10^9 bytes a second, and 10^12 operations a second.
    double gigabytes_per_second(double seconds) const { return bytes() / seconds / 1e9; }
    double teraflops(double seconds) const { return operations / seconds / 1e12; }
    double operations_per_byte() const { return operations / bytes(); }
};

/// The rounds of one row, summed up.
struct Spread {
    double least = 0;
    double median = 0;
    double most = 0;
};

/// The spread of one value or more; the median of an even number is the mean of the middle two.
Spread spread_of(std::vector<double> values);

/// The share that a time reaches of the roof that binds: the one under which the work takes
/// longest.
struct RoofShare {
    Roof roof = Roof::fma;
    double fraction = 0;    ///< time at the roof / time taken, both by their medians
    Spread per_second = {}; ///< the roof's own rounds: operations, or bytes
    std::string above = {}; ///< why the fraction is above 1, where it is
};

/// The figures of a row, from all its rounds.
struct Figures {
    std::size_t rounds = 0;
    Spread seconds; ///< on a device by its events, from the first kernel's start to the last one's
                    ///< end, the data being there; on the host by the clock
    Spread wall_seconds;                ///< by the clock, transfers included
    std::optional<RoofShare> roof = {}; ///< empty for a peak, and where no peak was measured
    std::optional<double> predicted_pixels_per_second = {}; ///< see predicted_pixels()
    std::optional<std::uint64_t> unproven = {};   ///< rows of n that a screen left to the rule
    std::optional<std::uint64_t> mismatches = {}; ///< results that differ from the reference's;
                                                  ///< empty for a peak
};

/// One row: figures, or the reason why they are missing.
struct Measurement {
    Subject subject;
    Work work;
    std::optional<Figures> figures;
    std::string obstacle = {}; ///< why it cannot run here; else empty
    std::string error = {};    ///< why it failed; else empty

    bool is_peak() const { return subject.operation == "peak"; }
};

/// Operations a second of a peak, bytes a second of the copy peak.
Spread rate_of(const Measurement &peak);

/// The measured peaks of a place, in operations a second; copy in bytes a second.
using Peaks = std::map<Roof, Spread>;

/// The peaks among measurements (operation "peak") of one place.
Peaks peaks_of(const std::vector<Measurement> &measurements, Place place);

/// The binding roof of some work; empty if no roof that could bind was measured.
/// @param matrix_units  the work computes on matrix units, if their peak is known
std::optional<RoofShare> share_of_roof(const Work &work, double seconds, const Peaks &peaks,
                                       bool matrix_units);

/// Pixels a second if the kernels' bytes were copied at the place's peak; empty if the work has no
/// pixels, or no copy peak was measured.
std::optional<double> predicted_pixels(const Work &work, const Peaks &peaks);

/// Groups of `local_size` work-items, each with `local_bytes` of local memory, that a compute unit
/// holds at once. Assumes that it holds as many work-items as the largest group has, and as much
/// local memory as one group may take. Registers are not counted.
std::size_t resident_groups(std::size_t local_size, std::size_t local_bytes,
                            std::size_t most_work_items, std::size_t most_local_bytes);

/// Why a share is above 1.
/// @param own  the way's own reason; may be empty
/// @param cache_bytes  of the caches of its place
std::string why_above(const RoofShare &share, const Work &work, std::string_view own,
                      std::uint64_t cache_bytes);

} // namespace bowhist
