#include <bowhist/bench/device_case.hpp>
#include <bowhist/bench/device_output.hpp>
#include <bowhist/bench/transpose_cases.hpp>
#include <bowhist/ops/transpose.hpp>

namespace bowhist {
namespace {

/// The matrix where it lies, and where it goes.
struct Matrices {
    PointMajor in;
    Buffer<float> out;
    std::shared_ptr<Output> output;
};

std::shared_ptr<Matrices> make_matrices(const std::shared_ptr<Device> &device, std::size_t rows,
                                        std::size_t columns) {
    std::vector<float> values(rows * columns);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % (1U << 24)); // float32 counts so far
    const PointMajor in{device->allocate<float>(values.size()), rows, columns};
    device->upload<float>(in.values, values);
    const auto expected = std::make_shared<std::vector<float>>(values.size());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            (*expected)[column * rows + row] = values[row * columns + column];
    const DeviceImages<float> out =
        allocate_images<float>(*device, rows, columns); // a column is a row now
    return std::make_shared<Matrices>(
        Matrices{in, out.pixels, std::make_shared<DeviceOutput<float>>(device, out, expected)});
}

} // namespace

std::vector<Case> transpose_cases(const Scene &scene, std::size_t /*k*/) {
    const std::size_t rows = scene.most_rows();
    const std::size_t columns = scene.request.dimensions;
    const auto device = scene.device;
    std::shared_ptr<Matrices> matrices; // the ways write into the same one, each round anew
    std::vector<Case> cases;
    for (const TransposeChoice &choice : transpose_choices()) {
        Subject subject{"transpose", std::string(choice.id), Place::device, {}, rows, 0, columns};
        if (!device) {
            cases.push_back(not_here(subject, "there is no OpenCL device"));
            continue;
        }
        if (choice.method == TransposeMethod::blocks && (rows % 4 != 0 || columns % 4 != 0)) {
            cases.push_back(not_here(subject, "n or d is no multiple of four"));
            continue;
        }
        if (!matrices) matrices = make_matrices(device, rows, columns);
        subject.device = device->info().name;
        Case row{subject};
        row.work.bytes_read = row.work.bytes_written =
            sizeof(float) * static_cast<double>(rows) * static_cast<double>(columns);
        row.work.kernel_bytes = row.work.bytes_read + row.work.bytes_written;
        cases.push_back(device_case(
            row, device,
            [device, matrices, method = choice.method] {
                transpose(*device, matrices->in, matrices->out, method);
            },
            matrices->output));
    }
    return cases;
}

} // namespace bowhist
