#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// Descriptors of many bags, end to end. A bag is what gets a histogram of its own: an image, a
/// cell of a spatial pyramid, a region. Borrowed: valid while run() runs.
struct Batch {
    std::span<const float> values; ///< n×D, row-major. A row with NaN or infinity gets word 0, on
                                   ///< every level; no other row changes by it
    std::span<const std::uint32_t> bag; ///< each row's bag in [0, bags); empty: all in bag 0
    std::size_t bags = 1;
};

/// The result of a batch.
struct Assignment {
    std::vector<std::int32_t> words;       ///< n words in [0, k), by the rule in docs/words.md
    std::vector<std::uint32_t> histograms; ///< bags×k counts
};

/// One kernel's share of the work, by OpenCL's events.
struct KernelTime {
    std::size_t launches = 0;
    double seconds = 0;
};

/// The work of an assigner so far.
struct AssignmentReport {
    std::string source; ///< the file of cl/ that was built to search with; empty on the host
    std::uint64_t rows = 0;
    std::uint64_t unproven = 0; ///< rows that the rule decided; of gpu7, all that its first look
                                ///< could not prove (docs/bench.md)
    double wall_seconds = 0;    ///< everything, transfers included
    double device_seconds = 0;  ///< from the start of each batch's first kernel to the end of its
                                ///< last one, and the rule on the host; 0 for host levels
    std::map<std::string, KernelTime>
        kernels; ///< "transpose", "assign", "decide"; empty on the host
};

class DeviceAssigner;
class HostAssigner;
class SharedAssigner;

/// A level, prepared for one vocabulary. One thread at a time, but HostAssigner::count(), words().
class Assigner {
  public:
    virtual ~Assigner() = default;

    /// This assigner where its level runs on the host, or on a device; else null.
    virtual HostAssigner *on_host() { return nullptr; }
    virtual DeviceAssigner *on_device() { return nullptr; }

    /// The same words in any floating-point state of the caller's thread; the state stays.
    /// @throws Error{Fault::device} when the device fails; Error{Fault::interrupted}
    virtual Assignment run(const Batch &batch) = 0;

    /// Continues with another vocabulary of the same k and D. @throws Error{Fault::device}
    virtual void replace(const Vocabulary &vocabulary) = 0;

    /// This assigner where devices share its batches; else null.
    virtual SharedAssigner *on_devices() { return nullptr; }

    virtual const AssignmentReport &report() const { return report_; }

  protected:
    AssignmentReport report_;
};

} // namespace bowhist
