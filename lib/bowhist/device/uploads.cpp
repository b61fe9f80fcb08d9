#include <bowhist/device/uploads.hpp>

#include <bowhist/device/buffer.hpp>
#include <bowhist/device/session.hpp>

#include <utility>

namespace bowhist {

DeviceImageList upload_image_list(Device &device, std::span<const Image> images) {
    DeviceImageList list;
    std::vector<cl_uchar> pixels;
    for (const Image &image : images) {
        list.images.push_back({static_cast<cl_uint>(pixels.size()), image.width, image.height});
        pixels.insert(pixels.end(), image.pixels.begin(), image.pixels.end());
    }
    list.pixels = uploaded(device, pixels);
    return list;
}

Uploads::Uploads(std::shared_ptr<Session> session, bool staged) : session_(std::move(session)) {
    if (staged) try {
            staging_ = std::make_unique<Staging>(session_->context(), session_->device());
        } catch (const cl::Error &) { // no pinned memory
        }
    if (!staging_)
        queue_ = checked(session_->info(),
                         [&] { return cl::CommandQueue(session_->context(), session_->device()); });
}

Uploads::~Uploads() = default;

Uploads::Sent Uploads::start(const Buffer<float> &to, std::span<const float> from,
                             std::size_t first) {
    return checked_memory(session_->info(), [&]() -> Sent {
        const std::size_t offset = first * sizeof(float);
        if (staging_)
            return {.upload = staging_->start(to.memory, offset, from.data(), from.size_bytes())};
        Sent sent;
        queue_.enqueueWriteBuffer(to.memory, CL_TRUE, offset, from.size_bytes(), from.data(),
                                  nullptr, &sent.arrival);
        return sent;
    });
}

cl::Event Uploads::finish(const Sent &sent) {
    if (!sent.upload) return sent.arrival;
    return checked_memory(session_->info(), [&] { return staging_->finish(*sent.upload); });
}

void Uploads::await(const cl::Event &mark) const {
    checked(session_->info(), [&] { mark.wait(); });
}

bool Uploads::has_ended(const cl::Event &mark) const {
    return checked(session_->info(), [&] {
        return mark.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() <= CL_COMPLETE;
    });
}

} // namespace bowhist
