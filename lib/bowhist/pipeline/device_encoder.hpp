#pragma once

#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/device_nearest_words.hpp>
#include <bowhist/core/descriptors.hpp>
#include <bowhist/encode/device/device_preparation.hpp>
#include <bowhist/encode/device/device_tally.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

#include <chrono>
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

/// Finds the words of rows on a device.
class RowWords {
  public:
    virtual ~RowWords() = default;
    virtual const std::shared_ptr<Device> &device() const = 0;
    /// Rows a launch: as AssignOptions::batch says.
    virtual std::size_t batch_rows() const = 0;
    /// Words of all rows of a launch; they stay until the next call.
    /// @param count  rows @param bags  of them
    virtual const Buffer<cl_int> &find(const DeviceDescriptors &rows, std::size_t count,
                                       std::size_t bags) = 0;
    /// The words that find() gives, found for rows of the host.
    virtual std::vector<std::int32_t> find(std::span<const float> rows) = 0;
    /// Waits for what was launched, and adds it to the report.
    virtual void note(std::uint64_t rows, std::chrono::steady_clock::time_point start) = 0;
    virtual const AssignmentReport &report() const = 0;
    virtual void put_back(const AssignmentReport &report) = 0;
    virtual const Vocabulary &vocabulary() const = 0;
};

/// Finds each row's word by a level. @param assigner  outlives it
std::unique_ptr<RowWords> words_by(DeviceAssigner &assigner);
/// Finds each row's m nearest words. @param nearest, words  outlive it
std::unique_ptr<RowWords> words_by(DeviceNearestWords &nearest, const Vocabulary &words);

/// Makes tallies of images on a device: prepares their rows, finds words, adds up. One thread at a
/// time, but for shape() and preparation().
class DeviceEncoder {
  public:
    /// @param words  outlives it, as the others do
    /// @param preparation null: none
    /// @throws Error{Fault::device}
    DeviceEncoder(RowWords &words, const Preparation *preparation, TallyShape shape,
                  Observer &observer);

    const TallyShape &shape() const { return tally_.shape(); }
    /// Images whose tallies take 64 MiB, 4096 at most; at least one.
    std::size_t most_images() const;

    /// Tallies of the images, at least one, end to end. A launch takes as many rows as
    /// AssignOptions::batch says, or fewer if memory is short. @throws Error{Fault::device}, also
    /// where a kernel is broken; Error{Fault::interrupted}
    std::vector<std::uint32_t> tally(const GatheredImages &images);

    const Preparation *preparation() const { return preparation_; }

  private:
    bool work_on(const GatheredImages &images);
    void launch(const GatheredImages &images, std::size_t first, std::size_t count);
    void require_all(const GatheredImages &images, std::span<const std::uint32_t> tallies) const;

    RowWords &words_;
    std::shared_ptr<Device> device_;
    const Preparation *preparation_;
    Observer &observer_;
    std::optional<DevicePreparation> prepares_;
    DeviceTally tally_;
    std::size_t rows_a_launch_; ///< of descriptors
    DeviceDescriptors place_;   ///< of the descriptors of a launch
    Buffer<cl_uint> tallies_;
};

/// An encoder where the device prepares and adds up as the host does, which a trial shows; else
/// null, with a warning where the trial fails.
/// @param preparation  null: none; outlives the encoder, as the words do
std::unique_ptr<DeviceEncoder> make_device_encoder(RowWords &words, const Preparation *preparation,
                                                   const TallyShape &shape, Observer &observer);

} // namespace bowhist
