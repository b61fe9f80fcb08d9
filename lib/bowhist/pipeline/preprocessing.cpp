#include <bowhist/pipeline/preprocessing.hpp>

#include <bowhist/ops/device_preprocessor.hpp>

#include <mutex>

namespace bowhist {
namespace {

class OneAfterAnother : public Preprocessor {
  public:
    OneAfterAnother(const Preprocessing &steps, const PreprocessorOptions &options)
        : on_device_({.selector = options.device, .kernel_dir = options.kernel_dir}, steps,
                     options.border) {}

    Image run(const Image &image) override {
        const std::lock_guard lock(mutex_);
        return on_device_.run(image);
    }
    std::string device() const override { return on_device_.device().name; }

  private:
    std::mutex mutex_;
    DevicePreprocessor on_device_;
};

} // namespace

std::shared_ptr<Preprocessor> make_preprocessor(const Preprocessing &steps,
                                                const PreprocessorOptions &options) {
    if (!steps.any()) return nullptr;
    return std::make_shared<OneAfterAnother>(steps, options);
}

} // namespace bowhist
