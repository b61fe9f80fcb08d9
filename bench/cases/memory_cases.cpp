#include "bench/cases/cases.hpp"
#include "bench/cases/memory_walk.hpp"
#include "bench/cases/test_images.hpp"
#include "bench/device_case.hpp"

#include <bowhist/device/device.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace bowhist {
namespace {

constexpr std::size_t widest = 16;         // floats a load
constexpr std::size_t image_width = 4096;  // texels; every device with images has at least 8192
constexpr std::size_t image_height = 8192; // at most
constexpr std::size_t farthest_offset = 4; // floats
constexpr cl_uint table_loads = 1024;      // a work-item
constexpr std::size_t under_way = 8;       // loads: enough to hide latency

/// One way of reading.
struct Way {
    std::string level;
    std::string file;
    std::size_t width = 1;  ///< floats a load
    std::size_t offset = 0; ///< floats
    MemoryWalk walk = MemoryWalk::contiguous;
    std::size_t stride = 1; ///< in loads; of a table in floats
    std::string options = {};

    /// Whether the few floats of a group are read over and over, instead of all of them once.
    bool of_table() const { return file == "memory_table.cl"; }
};

std::vector<Way> ways() {
    const std::string buffer = "memory_buffer.cl";
    const std::string image = "memory_image.cl";
    const std::string table = "memory_table.cl";
    std::vector<Way> all = {{"float", buffer}};
    for (const std::size_t width : {2, 4, 8, 16})
        all.push_back({fmt::format("float{}", width), buffer, width});
    for (const std::size_t offset : {1, 2, 4})
        all.push_back({fmt::format("offset{}", offset), buffer, 1, offset});
    all.push_back({"float4+1", buffer, 4, 1});
    for (const std::size_t stride : {2, 4, 8, 16, 32, 64})
        all.push_back({fmt::format("stride{}", stride), buffer, 1, 0, MemoryWalk::strided, stride});
    all.push_back({"gather", buffer, 1, 0, MemoryWalk::scattered});
    all.push_back({"same", buffer, 1, 0, MemoryWalk::same});
    // The same texels of four floats, from a buffer and from an image.
    all.push_back({"columns4", buffer, 4, 0, MemoryWalk::strided, image_width});
    all.push_back({"gather4", buffer, 4, 0, MemoryWalk::scattered});
    all.push_back({"image", image, 4});
    all.push_back({"image-col", image, 4, 0, MemoryWalk::strided, image_width});
    all.push_back({"image-any", image, 4, 0, MemoryWalk::scattered});
    for (const std::size_t stride : {0, 1, 2, 4, 8, 16, 32, 33})
        all.push_back({.level = fmt::format("local{}", stride), .file = table, .stride = stride});
    for (const std::size_t stride : {0, 1})
        all.push_back({.level = fmt::format("constant{}", stride),
                       .file = table,
                       .stride = stride,
                       .options = "-DCONSTANT"});
    return all;
}

/// Why a way may be faster than a copy; may be empty.
std::string_view why_faster(const Way &way) {
    if (way.of_table())
        return "it reads local or constant memory; the roof copies in global memory";
    return way.walk == MemoryWalk::same ? "a float is fetched once for all work-items that read it"
                                        : "";
}

/// The floats that all ways read, and the place of their sums.
struct Memory {
    std::shared_ptr<Device> device;
    std::vector<float> values = {};
    Buffer<float> in = {};
    Texture texture = {}; ///< `in` as an image; empty on devices without images
    std::size_t floats = 0;
    std::size_t items = 0;
    Buffer<float> sums = {};
    std::size_t group = 0;
    Buffer<float> table = {}; ///< the first floats that fit local and constant memory
};

std::shared_ptr<Memory> make_memory(const Scene &scene) {
    const auto device = scene.device;
    const bool gpu = device->info().kind == DeviceKind::gpu;
    Memory memory{device};
    memory.floats = memory_floats(scene.most_rows() * scene.request.dimensions,
                                  device->limits().allocation_bytes);
    memory.items = std::min<std::size_t>(memory.floats / widest, std::size_t{1} << (gpu ? 18 : 10));
    memory.group =
        std::bit_floor(std::min<std::size_t>(gpu ? 256 : 64, device->limits().work_group_size));
    memory.values.resize(memory.floats + farthest_offset);
    for (std::size_t i = 0; i < memory.values.size(); ++i) // float32 adds them up exactly
        memory.values[i] = static_cast<float>(noise(i) >> 28U);
    memory.in = uploaded(*device, memory.values);
    memory.sums = device->allocate<float>(memory.items);
    const std::uint64_t fit =
        std::min(device->limits().local_bytes, device->limits().constant_bytes) / sizeof(float);
    const std::uint64_t table_floats = std::bit_floor(std::min<std::uint64_t>(fit, 4096));
    memory.table = uploaded<float>(*device, std::span(memory.values).first(table_floats));
    if (device->info().images && memory.floats >= 4 * image_width) {
        memory.texture = device->allocate_texture(image_width, memory.floats / (4 * image_width));
        device->copy(memory.in, memory.texture);
    }
    return std::make_shared<Memory>(std::move(memory));
}

/// Each work-item's sum, which float32 holds exactly. Every group reads the same table.
std::vector<float> table_sums(const Memory &memory, std::size_t stride) {
    std::vector<float> sums(memory.items);
    for (std::size_t item = 0; item < memory.items; ++item)
        if (item >= memory.group)
            sums[item] = sums[item - memory.group];
        else
            for (std::size_t i = 0; i < table_loads; ++i)
                sums[item] += memory.values[(item * stride + i) % memory.table.size];
    return sums;
}

std::vector<float> global_sums(const Memory &memory, const Way &way, std::size_t stride) {
    std::vector<float> sums(memory.items);
    const std::size_t size = memory.floats / way.width;
#pragma omp parallel for
    for (std::size_t item = 0; item < memory.items; ++item)
        for (std::size_t t = item; t < size; t += memory.items) {
            const std::size_t first =
                way.offset + way.width * place(way.walk, static_cast<std::uint32_t>(t),
                                               static_cast<std::uint32_t>(size),
                                               static_cast<std::uint32_t>(stride));
            for (std::size_t i = 0; i < way.width; ++i) sums[item] += memory.values[first + i];
        }
    return sums;
}

/// The kernel reads from `in`; each work-item's sum is compared.
/// @param counts  its last arguments
Case reading(Case row, const std::shared_ptr<Memory> &memory, const Way &way,
             const std::string &options, const auto &in, double floats_read,
             std::vector<float> expected, const auto &...counts) {
    const Kernel kernel = memory->device->kernel(way.file, "read_memory", options);
    const auto launch = [=] {
        Kernel own = kernel;
        memory->device->launch(own, {memory->items, 1}, {memory->group, 1}, in, memory->sums,
                               counts...);
    };
    row.work.bytes_read = row.work.kernel_bytes.emplace(sizeof(float) * floats_read);
    const DeviceImages<float> out{memory->sums, 1, memory->items, 1, 1};
    return device_case(row, memory->device, launch,
                       device_output(memory->device, out, std::move(expected)));
}

Case table_case(const Case &row, const std::shared_ptr<Memory> &memory, const Way &way) {
    return reading(row, memory, way,
                   fmt::format("{} -DSTRIDE={} -DSIZE={} -DGROUP={} -DUNDER_WAY={}", way.options,
                               way.stride, memory->table.size, memory->group, under_way),
                   memory->table, static_cast<double>(memory->items * table_loads),
                   table_sums(*memory, way.stride), table_loads);
}

Case global_case(const Case &row, const std::shared_ptr<Memory> &memory, const Way &way) {
    const std::size_t size = memory->floats / way.width; // loads of all work-items together
    const bool image = way.file == "memory_image.cl";
    const std::size_t stride = way.walk == MemoryWalk::same ? memory->items : way.stride;
    if (stride > size || (image && memory->texture.width == 0))
        return not_here(row.subject, image && !memory->device->info().images
                                         ? "the device has no images"
                                         : "there are too few floats for it; give a larger -n");
    const std::size_t loads = size / memory->items; // a power of two, like both
    const auto read = [&](const auto &in) {
        return reading(row, memory, way,
                       fmt::format("-DWIDTH={} -DOFFSET={} -DWALK={} -DSTRIDE={} -DUNDER_WAY={}",
                                   way.width, way.offset, name_of(way.walk), stride,
                                   std::min(under_way, loads)),
                       in, static_cast<double>(memory->floats), global_sums(*memory, way, stride),
                       static_cast<cl_uint>(loads), static_cast<cl_uint>(size));
    };
    return image ? read(memory->texture) : read(memory->in);
}

} // namespace

std::size_t memory_floats(std::size_t requested, std::uint64_t allocation_bytes) {
    const std::size_t fit = std::min<std::uint64_t>(allocation_bytes / (2 * sizeof(float)),
                                                    4 * image_width * image_height);
    return std::bit_floor(std::clamp<std::size_t>(requested, 4096, fit));
}

std::vector<Case> memory_cases(const Scene &scene) {
    const auto memory = scene.device ? make_memory(scene) : nullptr;
    std::vector<Case> cases;
    for (const Way &way : ways()) {
        if (!memory) {
            cases.push_back(not_here({.level = way.level}, no_device));
            continue;
        }
        const Case row{{.level = way.level, .n = memory->floats, .d = way.width}};
        cases.push_back(way.of_table() ? table_case(row, memory, way)
                                       : global_case(row, memory, way));
        cases.back().passes_roof = why_faster(way);
    }
    return cases;
}

} // namespace bowhist
