#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/device/wgmma_kernel.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/device/device.hpp>

#include <optional>
#include <string>

namespace bowhist {

/// Why gpu7 cannot run on such a device; nothing when it can.
std::optional<std::string> matrix_obstacle(const DeviceInfo &info, const DeviceLimits &limits,
                                           std::size_t dimensions, std::size_t k);

/// gpu7: scores in fp16 on NVIDIA's matrix units (gpu7.cl, on Hopper gpu7_wgmma.cl). The rule
/// decides among contenders, in contest.cl where there are few and in crowd.cl where there are
/// many. Rows without a finite bound, or with more contenders than crowd.cl has room for, are left.
class MatrixScreen : public DeviceScreen {
  public:
    MatrixScreen(std::shared_ptr<Device> device, const Vocabulary &vocabulary,
                 const Buffer<float> &centroids, const AssignOptions &options);
    bool replace(const Vocabulary &vocabulary, const Buffer<float> &centroids) override;
    bool pack(const DeviceCentroids &centroids) override;
    void resume(const DeviceCentroids &centroids, std::span<const cl_uint> extent) override;
    void reserve(std::size_t rows) override;
    std::string_view source() const override { return wgmma_ ? WgmmaKernel::source : "gpu7.cl"; }
    void run(const DeviceDescriptors &x, const DeviceWords &found) override;
    const Buffer<cl_uint> *contested() const override { return &settled_; }

  private:
    MatrixCentroids upload(const Vocabulary &vocabulary);
    void take(const MatrixExtent &extent);

    std::shared_ptr<Device> device_;
    Buffer<float> centroids_;
    Bound bound_; ///< of contest.cl's float32 distances
    std::size_t
        contest_share_; ///< work-items that share an entry there; 1 where there are no warps
    Buffer<cl_ushort> fragments_;
    Buffer<float> starts_;
    MatrixPass pass_ = {};
    std::optional<WgmmaKernel> wgmma_; ///< in place of assign_ where the device has it
    Kernel assign_;
    Kernel contest_;
    Kernel crowd_;
    Kernel count_;
    std::string shape_;          ///< build options of the kernels that read fragments
    std::optional<Kernel> pack_; ///< built when first needed
    Buffer<cl_uint> contested_;  ///< four words an entry; the first one's first word counts them
    Buffer<cl_uint>
        crowded_; ///< two words an entry, likewise; its second word counts those left to the rule
    Buffer<cl_uint> settled_; ///< one number: rows of both lists that are settled
};

/// gpu7's screen; gpu6's, with a warning, where the device's arithmetic is not what gpu7's proof
/// requires (matrix_screen.hpp, rule_probe.hpp).
std::unique_ptr<DeviceScreen> make_matrix_screen(const std::shared_ptr<Device> &device,
                                                 const Vocabulary &vocabulary,
                                                 const Buffer<float> &centroids,
                                                 const AssignOptions &options);

/// How far sums in the matrix unit may be off, relative to the largest product or sum in them.
///
/// A block of products and the sum so far are aligned to the largest term's nominal exponent, cut
/// off below it and added exactly; the result is cut off to float32 (Xie, Yang, Wang, Yang:
/// MMA-Sim, arXiv 2511.10909, bit-exact on NVIDIA's GPUs). This pays for blocks of four and 23 bits
/// below the exponent, Volta's: six cuts for four terms. Later ones have blocks of eight or sixteen
/// and keep a bit or two more. A few cuts more pay for |c|²/2.
double matrix_rounding(std::size_t dimensions);

/// Whether mma.sync keeps every score of the probes within its bound: probed once per device.
bool keeps_the_bound(Device &device);

/// The same of wgmma, on a device that has it.
bool wgmma_keeps_the_bound(Device &device);

} // namespace bowhist
