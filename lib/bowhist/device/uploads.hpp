#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/device/buffer.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/launch_image.hpp>
#include <bowhist/device/opencl.hpp>
#include <bowhist/device/staging.hpp>

#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// Images of any sizes on a device, end to end: pixels of 8 bits, rows without padding. Who decodes
/// on the host uploads them; extractors read them.
struct DeviceImageList {
    Buffer<cl_uchar> pixels;
    std::vector<LaunchImage> images; ///< where each lies
};

/// Copies them there, into a buffer of their own. @throws OutOfMemory; Error{Fault::device}
DeviceImageList upload_image_list(Device &device, std::span<const Image> images);

class Session;

/// Uploads by another thread than the device's own. Made by Device::uploads; no two threads call it
/// at a time. @throws Error{Fault::device}, OutOfMemory
class Uploads {
  public:
    /// @param staged  through pinned memory, where there is some
    Uploads(std::shared_ptr<Session> session, bool staged);
    ~Uploads();
    Uploads(const Uploads &) = delete;
    Uploads &operator=(const Uploads &) = delete;

    /// Numbers that are on their way.
    struct Sent {
        std::shared_ptr<Staging::Upload> upload = {};
        cl::Event arrival = {}; ///< without `upload`
    };
    /// Sends numbers at once: no launch may use the buffer. They stay as they are until finish().
    /// @param first  the element of the buffer to begin with
    Sent start(const Buffer<float> &to, std::span<const float> from, std::size_t first);
    /// Waits until all are copied. @return signals that they have arrived (Device::follow)
    cl::Event finish(const Sent &sent);
    /// For an event of the device's own thread.
    void await(const cl::Event &mark) const;
    /// Whether it would not wait.
    bool has_ended(const cl::Event &mark) const;

  private:
    std::shared_ptr<Session> session_;
    std::unique_ptr<Staging> staging_; ///< null: without
    cl::CommandQueue queue_;           ///< in its place
};

} // namespace bowhist
