#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Descriptors of many images, end to end. Borrowed: valid while run() runs.
struct Batch {
    std::span<const float> values; ///< n×D, row-major. A row with NaN or infinity gets word 0, on
                                   ///< every level; no other row changes by it
    std::span<const std::uint32_t>
        image; ///< each row's image in [0, images); empty: all of image 0
    std::size_t images = 1;
};

/// What a batch became.
struct Assignment {
    std::vector<std::int32_t> words;       ///< n words in [0, k), by the rule in docs/words.md
    std::vector<std::uint32_t> histograms; ///< images×k counts
};

/// One kernel's share of the work, by OpenCL's events.
struct KernelTime {
    std::size_t launches = 0;
    double seconds = 0;
};

/// What an assigner has done so far.
struct AssignmentReport {
    std::string source; ///< the file of cl/ that was built to search with; empty on the host
    std::uint64_t rows = 0;
    std::uint64_t unproven = 0; ///< rows that the rule decided; of gpu7, all that its first screen
                                ///< could not prove (docs/bench.md)
    double wall_seconds = 0;    ///< everything, transfers included
    double device_seconds = 0;  ///< from each batch's first kernel's start to its last one's end:
                                ///< with the descriptors on the device, and with what the rule
                                ///< takes where it runs on the host instead; 0 for host levels
    std::map<std::string, KernelTime>
        kernels; ///< "transpose", "assign", "decide"; empty on the host
};

/// A level, prepared for one vocabulary. Not thread-safe.
class Assigner {
  public:
    virtual ~Assigner() = default;

    /// The same words in any floating-point state of the caller's thread; the state stays.
    /// @throws Error{Fault::device} when the device fails; Error{Fault::interrupted}
    virtual Assignment run(const Batch &batch) = 0;

    /// Goes on with another vocabulary of the same k and D. @throws Error{Fault::device}
    virtual void replace(const Vocabulary &vocabulary) = 0;

    const AssignmentReport &report() const { return report_; }

  protected:
    AssignmentReport report_;
};

} // namespace bowhist
