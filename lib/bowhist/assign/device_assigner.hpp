#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/ops/matrix.hpp>

namespace bowhist {

/// What a level's kernel asks of the device and the data.
struct KernelNeeds {
    Layout layout = Layout::point_major; ///< the other one takes a transpose first
    std::size_t dimension_multiple = 1;  ///< D must be a multiple of this
    bool descriptors_in_local_memory = false;
    bool centroids_in_constant_memory = false; ///< k is then done in passes
};

/// A kernel of the ladder: its file of cl/, and what it needs.
struct DeviceKernel {
    std::string source;
    KernelNeeds needs;
};

/// Why a kernel with such needs cannot run there; nothing when it can.
std::optional<std::string> obstacle(const KernelNeeds &needs, const Device *device,
                                    std::size_t dimensions, std::size_t k);

/// Any device level: uploads, transposes where the kernel wants it, assigns in as many passes as
/// the constant memory demands, decides what float32 could not prove (decide.cl where the device
/// has fp64, else the rule on the host), counts on the device. Uploads and downloads wait; between
/// them the host does not.
class DeviceAssigner : public Assigner {
  public:
    DeviceAssigner(std::shared_ptr<Device> device, const DeviceKernel &kernel,
                   Vocabulary vocabulary, const AssignOptions &options);
    Assignment run(const Batch &batch) override;

  private:
    /// Some of k's centroids, as one launch sees them.
    struct CentroidPass {
        Buffer<float> values;
        cl_uint first = 0;
        cl_uint count = 0;
    };
    /// The scalars of a launch; laid out as Pass in screen.cl.
    struct Pass {
        cl_uint n, k, first, count;
        cl_float relative, absolute;
    };
    struct Rows; ///< the part of a batch that one launch takes

    void upload_centroids();
    void reserve_rows(std::size_t rows);
    void assign(const Rows &rows, const Buffer<cl_uint> &histograms);
    bool decides_on_device() const;
    void decide_on_device(const Rows &rows, const Buffer<cl_uint> &histograms);
    void decide_on_host(const Rows &rows, Assignment &result) const;
    void take_times();

    std::shared_ptr<Device> device_;
    KernelNeeds needs_;
    Vocabulary vocabulary_;
    const Observer *observer_;
    Bound bound_;
    std::size_t group_;      ///< work-items a group
    std::size_t batch_rows_; ///< most rows a launch
    Kernel assign_;
    std::optional<Kernel> decide_; ///< none where the host decides
    std::vector<CentroidPass> passes_;
    Buffer<float> centroids_; ///< all of them, for the decision

    std::size_t reserved_rows_ = 0; ///< what the buffers below hold
    PointMajor descriptors_;
    Buffer<float> transposed_;
    Buffer<cl_uint> image_;
    Buffer<cl_int> words_;
    Buffer<cl_uint> unproven_; ///< [0] their number, then the rows
    Buffer<cl_uint> carried_;  ///< candidates between passes, three words each
};

} // namespace bowhist
