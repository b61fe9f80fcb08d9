#pragma once

#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/device/tile_centroids.hpp>
#include <bowhist/assign/host/simd/integer_words.hpp>

namespace bowhist {

/// Register tiles of scores in 16-bit integers, gpu6 on CPUs (gpu6_cpu_16bit.cl). Rows that these
/// do not prove are settled in the same launch, in float32 and by the rule among few words. Rows
/// with many contenders or without a finite bound are left.
class IntegerTileScreen : public DeviceScreen {
  public:
    /// @param words packed for the shape: tiles of its columns, a lane each
    IntegerTileScreen(std::shared_ptr<Device> device, const TileShape &shape,
                      const Vocabulary &vocabulary, const IntegerWords &words,
                      const Buffer<float> &centroids, double bound_scale);
    void reserve(std::size_t) override {} // it needs no memory of its own
    std::string_view source() const override { return shape_.source; }
    void run(const DeviceDescriptors &x, const DeviceWords &found) override;
    const Buffer<cl_uint> *contested() const override { return &contested_; }

  private:
    std::shared_ptr<Device> device_;
    TileShape shape_;
    ScorePass search_; ///< of the second look
    IntegerPass integers_;
    Kernel assign_;
    Buffer<float> centroids_;
    Buffer<cl_int> pairs_;      ///< packed
    Buffer<float> tiles_;       ///< packed
    Buffer<float> starts_;      ///< −‖c‖²/2
    Buffer<cl_uint> contested_; ///< one number
};

/// Whether integers are faster than float32, including the second look.
bool integer_tiles_pay(std::size_t dimensions, std::size_t k);

/// @return nothing where the vocabulary's size or shape does not suit integers
std::unique_ptr<DeviceScreen> make_integer_tile_screen(const std::shared_ptr<Device> &device,
                                                       const TileShape &shape,
                                                       const Vocabulary &vocabulary,
                                                       const Buffer<float> &centroids,
                                                       const AssignOptions &options);

} // namespace bowhist
