#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/assign/nearest_words.hpp>
#include <bowhist/device/device.hpp>

#include <optional>

namespace bowhist {

/// The m nearest words of each row, as NearestWords finds them, with the distances to all words
/// computed on a device (cl/assign/nearest_words.cl). The device proves in float32 which m words
/// they are; the host orders them by the rule, and finds those of the rows without a proof.
///
/// One thread at a time.
class DeviceNearestWords {
  public:
    /// @param host   finds fewer words than there are; it and `words` outlive this
    /// @throws Error{Fault::device}
    DeviceNearestWords(std::shared_ptr<Device> device, const Vocabulary &words,
                       const NearestWords &host, const AssignOptions &options);

    /// As NearestWords::find, bit for bit. As many rows a launch as AssignOptions::batch says, or
    /// fewer, as memory allows.
    /// @throws Error{Fault::device}, also where a kernel is broken; Error{Fault::interrupted}
    std::vector<std::int32_t> find(std::span<const float> rows);

    /// The same of rows on the device, in one launch; the words stay there, in the rule's order,
    /// until the next call. The host finds those of rows whose order float32 does not prove.
    /// note() and take_times() add it to the report.
    /// @throws as find; OutOfMemory
    const Buffer<cl_int> &find(const Buffer<float> &rows, std::size_t count);
    void note(std::uint64_t rows, double wall_seconds);
    void take_times();

    const std::shared_ptr<Device> &device() const { return device_; }
    const NearestWords &host() const { return host_; }
    /// Rows a launch: as AssignOptions::batch says.
    std::size_t batch_rows() const { return rows_a_launch_; }
    /// The report as it was, before a trial.
    void put_back(const AssignmentReport &report) { report_ = report; }

    /// Its unproven rows are those whose words the host found.
    const AssignmentReport &report() const { return report_; }

  private:
    void require_words_of_the_host(const Vocabulary &words);
    std::size_t make_room(std::size_t wanted);
    void launch(std::span<const float> rows, std::span<std::int32_t> nearest);
    void launch(Kernel &kernel, const Buffer<float> &rows, std::size_t count);
    void require_words(std::span<const std::int32_t> nearest) const;
    void require_distinct(std::span<const std::int32_t> nearest) const;

    std::shared_ptr<Device> device_;
    const NearestWords &host_;
    std::size_t k_;
    std::size_t dimensions_;
    Bound bound_;
    Observer *observer_; ///< outlives it
    std::size_t rows_a_launch_;
    Kernel kernel_;
    std::optional<Kernel> ordered_; ///< made when first used
    Buffer<float> centroids_;
    Buffer<float> rows_ = {};
    Buffer<cl_int> words_ = {};
    AssignmentReport report_;
};

} // namespace bowhist
