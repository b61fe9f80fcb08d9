#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/train/row_feed.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace bowhist {

/// The descriptors of a training, a part at a time in a device's memory.
class RowsOnDevice {
  public:
    /// @param part_rows  of each part; the last one may have fewer
    RowsOnDevice(const DescriptorRows &rows, std::size_t part_rows)
        : rows_(rows), part_rows_(part_rows) {}
    virtual ~RowsOnDevice() = default;
    RowsOnDevice(const RowsOnDevice &) = delete;
    RowsOnDevice &operator=(const RowsOnDevice &) = delete;

    std::size_t parts() const;
    /// Rows of that part.
    std::size_t size(std::size_t part) const;

    /// Launches what reads a part's values; they lie there until it has ended.
    using Launch = std::function<void(std::size_t part, const Buffer<float> &values)>;

    /// Hands over each part, in order. @throws Error, also when rows cannot be read
    virtual void read(const Launch &launch) = 0;

    /// Whether all parts stay on the device.
    virtual bool stay() const = 0;

    /// Lets as many parts stay as have room, in at most that many bytes. To be called once, when
    /// all else is allocated.
    virtual void keep_some(std::size_t /*most_bytes*/) {}

  protected:
    const DescriptorRows &rows_;
    std::size_t part_rows_;
};

/// All parts stay on the device.
class ResidentRows : public RowsOnDevice {
  public:
    /// @throws OutOfMemory
    ResidentRows(const DescriptorRows &rows, std::size_t part_rows, Device &device);
    void read(const Launch &launch) override;
    bool stay() const override { return true; }

  private:
    std::vector<Buffer<float>> values_;
};

/// Parts are sent to places in turn, each time that they are read, while the kernels that read
/// those before run (row_feed.hpp). Parts that stay lie evenly among the others, so that kernels
/// read them while others arrive.
class StreamedRows : public RowsOnDevice {
  public:
    /// Places of a part's size: one is read, one is about to be, one is filled.
    static constexpr std::size_t places_in_turn = 3;

    /// @throws OutOfMemory
    StreamedRows(const DescriptorRows &rows, std::size_t part_rows, std::shared_ptr<Device> device);
    void read(const Launch &launch) override;
    bool stay() const override { return false; }
    void keep_some(std::size_t most_bytes) override;

  private:
    struct Kept {
        Buffer<float> values;
        bool is_here = false; ///< it was sent once
    };
    std::size_t kept_before(std::size_t part) const;
    RowFeed::Target kept(std::size_t part);

    std::shared_ptr<Device> device_;
    std::array<Buffer<float>, places_in_turn> places_;
    std::vector<Kept> kept_; ///< of the parts at which kept_before() grows; from then on the feed's
    std::unique_ptr<RowFeed> feed_; ///< from the first reading on
};

} // namespace bowhist
