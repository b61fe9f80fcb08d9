#pragma once

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/encode/device/device_preparation.hpp>
#include <bowhist/encode/device/device_tally.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

#include <memory>
#include <optional>

namespace bowhist {

/// Descriptors of images, end to end, that the host extracted or read.
struct GatheredImages {
    Descriptors rows =
        {}; ///< with keypoints: of zeros where they are unknown, and needed by no one
    std::vector<cl_uint> bag = {};        ///< each row's image
    std::vector<LaunchImage> images = {}; ///< their sizes; 0 where unknown
};

/// Makes tallies of images on a device: prepares their rows, finds words, adds up. One thread at a
/// time, but for shape() and preparation().
class DeviceEncoder {
  public:
    /// @param assigner    of the words; outlives it, as the others do
    /// @param preparation null: none
    /// @throws Error{Fault::device}
    DeviceEncoder(DeviceAssigner &assigner, const Preparation *preparation, TallyShape shape,
                  Observer &observer);

    const TallyShape &shape() const { return tally_.shape(); }
    /// Images whose tallies take 64 MiB; at least one.
    std::size_t most_images() const;

    /// Tallies of the images, at least one, end to end. As many rows a launch as
    /// AssignOptions::batch says, or fewer, as memory allows. @throws Error{Fault::device}, also
    /// where a kernel is broken; Error{Fault::interrupted}
    std::vector<std::uint32_t> tally(const GatheredImages &images);

    const Preparation *preparation() const { return preparation_; }

  private:
    bool work_on(const GatheredImages &images);
    void launch(const GatheredImages &images, std::size_t first, std::size_t count);
    void require_all(const GatheredImages &images, std::span<const std::uint32_t> tallies) const;

    DeviceAssigner &assigner_;
    std::shared_ptr<Device> device_;
    const Preparation *preparation_;
    Observer &observer_;
    std::optional<DevicePreparation> prepares_;
    DeviceTally tally_;
    std::size_t rows_a_launch_; ///< of descriptors
    DeviceDescriptors place_;   ///< of the descriptors of a launch
    DeviceWords found_;
    Buffer<cl_uint> tallies_;
    std::uint64_t unproven_ = 0; ///< of the current call
};

/// An encoder where the level runs on a device that prepares and adds up as the host does, which a
/// trial shows; else null, with a warning where the trial fails.
/// @param preparation  null: none; outlives the encoder, as the assigner does
std::unique_ptr<DeviceEncoder> make_device_encoder(Assigner &assigner,
                                                   const Preparation *preparation,
                                                   const TallyShape &shape, Observer &observer);

} // namespace bowhist
