#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// A descriptor's place in its image.
struct Keypoint {
    float x = 0; ///< pixels; whole numbers are the middles of pixels, (0, 0) of the upper left one
    float y = 0;
    float scale = 0;       ///< pixels: a sigma, of detectors that have one; a dense patch's side/20
    float orientation = 0; ///< radians from the x axis towards the y axis, which points down; 0
                           ///< where a descriptor is upright
    float response = 0;    ///< of the detector; a dense patch's contrast

    bool operator==(const Keypoint &) const = default;
};

/// Descriptors of one image: size() rows of `dimensions` floats, row after row.
///
/// Every value is finite; extract/ and tables/ check what comes from outside. There may be 0 rows
/// (an image without keypoints).
struct Descriptors {
    std::size_t dimensions = 0;
    std::vector<float> values;
    std::vector<Keypoint> keypoints = {}; ///< of each row, where known; else empty

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const float> row(std::size_t i) const {
        return std::span(values).subspan(i * dimensions, dimensions);
    }
};

/// Descriptors that are read repeatedly, a part at a time, in memory or in files.
class DescriptorRows {
  public:
    virtual ~DescriptorRows() = default;

    virtual std::size_t size() const = 0;
    virtual std::size_t dimensions() const = 0;

    /// Receives a part: the number of its first row, and its rows end to end, valid until it
    /// returns.
    using Take = std::function<void(std::size_t first, std::span<const float> values)>;

    /// Hands over all rows, in order. @throws Error when they cannot be read; what `take` throws
    virtual void read(const Take &take) const = 0;

    /// All of them, if they lie in memory; else null.
    virtual const Descriptors *in_memory() const { return nullptr; }

    /// Whether several threads may read them at a time.
    virtual bool any_thread_reads() const { return false; }

    /// Some of them, from that row on, for a thread that reads them while others read other ranges.
    /// Borrows what these rows borrow, and these.
    virtual std::unique_ptr<DescriptorRows> range(std::size_t first, std::size_t count) const;
};

/// Descriptors in memory, as one part. Borrowed: they outlive this object.
class RowsInMemory : public DescriptorRows {
  public:
    explicit RowsInMemory(const Descriptors &descriptors) : descriptors_(descriptors) {}
    explicit RowsInMemory(Descriptors &&) = delete;

    std::size_t size() const override { return descriptors_.size(); }
    std::size_t dimensions() const override { return descriptors_.dimensions; }
    void read(const Take &take) const override { take(0, descriptors_.values); }
    const Descriptors *in_memory() const override { return &descriptors_; }
    bool any_thread_reads() const override { return true; }
    std::unique_ptr<DescriptorRows> range(std::size_t first, std::size_t count) const override;

  private:
    const Descriptors &descriptors_;
};

} // namespace bowhist
