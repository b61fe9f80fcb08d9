#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Where something runs. Its roofs are the peaks of that place.
enum class Place { host, device };

/// The limits of a machine that an operation can run into.
enum class Roof {
    fma,   ///< float32 fused multiply-adds in vector units
    copy,  ///< bytes read and written
    matrix ///< fp16 products summed in float32 by matrix units
};

/// "fma", "copy", "matrix".
std::string name_of(Roof roof);

/// What was run: the columns that name a row.
struct Subject {
    std::string operation; ///< "assign", "transpose"; "peak" for the roofs themselves
    std::string level;     ///< one way of doing it: "gpu4", "tiled"; a peak's roof
    Place place = Place::device;
    std::string device = {};    ///< its name; the host's says its threads
    std::size_t n = 0;          ///< descriptors, or whatever the operation has many of
    std::size_t k = 0;          ///< words; 0 where there are none
    std::size_t d = 0;          ///< floats in each of n
    std::size_t local_size = 0; ///< work-items a group, when asked for; 0: the level's own
    std::size_t resident_groups =
        0; ///< of that size on a compute unit, as resident_groups() has it
};

/// What an operation has to do, counted from its definition and not from any kernel: so that all
/// ways of doing it compare. The definitions are in docs/bench.md.
struct Work {
    double bytes_read = 0;    ///< each input once
    double bytes_written = 0; ///< each output once
    double operations = 0;    ///< floating-point; a fused multiply-add is two
    /// What the kernels' loops ask of global and constant memory, whether or not a cache answers;
    /// nothing where nobody has counted.
    std::optional<double> kernel_bytes = {};
    /// What the textbook counts for this way, for each byte that it loads from (the Gaussian: moves
    /// to and from) global memory; nothing where the textbook has no such way or no count.
    std::optional<double> predicted_operations_per_byte = {};
    /// Where kernel_bytes all pass through memory, so that the copy peak predicts the time.
    double pixels = 0;
};

/// The rounds of one row, summed up.
struct Spread {
    double least = 0;
    double median = 0;
    double most = 0;
};

/// Of at least one value; the median of an even number is the mean of the middle two.
Spread spread_of(std::vector<double> values);

/// How near a time comes to the roof that binds: the one under which the work would take longest.
struct RoofShare {
    Roof roof = Roof::fma;
    double fraction = 0;    ///< time at the roof / time taken, both by their medians
    Spread per_second = {}; ///< the roof's own rounds: operations, or bytes
    std::string above = {}; ///< why the fraction is above 1, where it is
};

/// What a row's rounds showed.
struct Figures {
    std::size_t rounds = 0;
    Spread seconds; ///< on a device by its events, from the first kernel's start to the last one's
                    ///< end, the data being there; on the host by the clock
    Spread wall_seconds;                ///< by the clock, transfers included
    std::optional<RoofShare> roof = {}; ///< nothing for a peak, and where none was measured
    std::optional<double> predicted_pixels_per_second = {}; ///< as predicted_pixels() has it
    std::optional<std::uint64_t> unproven = {};   ///< rows of n that a screen left to the rule
    std::optional<std::uint64_t> mismatches = {}; ///< of all results, those that differ from the
                                                  ///< reference's; nothing for a peak
};

/// One row: figures, or why there are none.
struct Measurement {
    Subject subject;
    Work work;
    std::optional<Figures> figures;
    std::string obstacle = {}; ///< why it does not run here; empty where it does
    std::string error = {};    ///< what went wrong where it should have run; empty where nothing
};

/// Effective bandwidth, (bytes read + bytes written) / time, in 10^9 bytes a second.
double gigabytes_per_second(const Work &work, double seconds);

/// 10^12 operations a second.
double teraflops(const Work &work, double seconds);

/// Operations for each byte that the problem reads or writes.
double operations_per_byte(const Work &work);

/// What a second brings: at least in the slowest round, at most in the fastest.
Spread rate_of(double amount, const Spread &seconds);

/// A place's peaks, as far as they were measured.
struct Peaks {
    std::optional<Spread> fma_operations_per_second;
    std::optional<Spread> copy_bytes_per_second;
    std::optional<Spread> matrix_operations_per_second;
};

/// The peaks among measurements (operation "peak") of one place.
Peaks peaks_of(const std::vector<Measurement> &measurements, Place place);

/// The binding roof of some work; `matrix_units`: its arithmetic is done there, where there are
/// any. Nothing where no roof that could bind was measured.
std::optional<RoofShare> share_of_roof(const Work &work, double seconds, const Peaks &peaks,
                                       bool matrix_units);

/// Pixels a second, were the kernels' bytes copied at the place's peak; nothing where Work has no
/// pixels, or no peak was measured.
std::optional<double> predicted_pixels(const Work &work, const Peaks &peaks);

/// How many groups of `local_size` work-items, each with `local_bytes` of local memory, a compute
/// unit holds at once, if it holds as many work-items as the largest group has, and as much local
/// memory as one group may take. Registers are not counted.
std::size_t resident_groups(std::size_t local_size, std::size_t local_bytes,
                            std::size_t most_work_items, std::size_t most_local_bytes);

/// Why a share is above 1; `own`: what the way itself has to say to that, `cache_bytes`: of its
/// place's caches.
std::string why_above(const RoofShare &share, const Work &work, std::string_view own,
                      std::uint64_t cache_bytes);

} // namespace bowhist
