#pragma once

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/train/word_search.hpp>

namespace bowhist {

/// Descriptors that stay on a device: their words never leave it before they are asked for, and
/// only sums come back.
class DeviceWordSearch : public WordSearch {
  public:
    /// @param assigner  a DeviceAssigner
    /// @throws OutOfMemory
    DeviceWordSearch(const Descriptors &descriptors, std::unique_ptr<Assigner> assigner);

    void replace(const Vocabulary &vocabulary) override { assigner_->replace(vocabulary); }
    void forget() override;
    Iteration run(CentroidSums &sums) override;
    void move(const CentroidSums &sums) override;
    Vocabulary vocabulary() override { return on_device_.search().vocabulary(); }
    std::vector<std::int32_t> words() override;
    const AssignmentReport &report() override { return assigner_->report(); }

  private:
    /// As many descriptors as a launch takes.
    struct Part {
        DeviceDescriptors rows;
        Buffer<cl_int> words;
        Buffer<cl_int> before; ///< the words of the run before; -1 at first
    };

    void add_up(Part &part, const std::vector<std::uint32_t> &counts, const CentroidSums &sums);

    std::unique_ptr<Assigner> assigner_;
    DeviceAssigner &on_device_;
    std::shared_ptr<Device> device_;
    std::size_t dimensions_;
    Kernel order_by_word_;
    Kernel sum_by_word_;
    std::vector<Part> parts_;
    DeviceWords found_; ///< of the part at hand
    Buffer<cl_uint> next_;
    Buffer<cl_uint> order_;
    Buffer<cl_uint> moved_;
    Buffer<cl_uint> sums_; ///< two to a number
};

} // namespace bowhist
