#include <bowhist/bench/transpose_cases.hpp>
#include <bowhist/ops/transpose.hpp>

namespace bowhist {
namespace {

/// The matrix, where it lies, and where it goes.
struct Matrices {
    std::vector<float> values;
    PointMajor in;
    Buffer<float> out;
};

std::shared_ptr<Matrices> make_matrices(Device &device, std::size_t rows, std::size_t columns) {
    std::vector<float> values(rows * columns);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % (1U << 24)); // float32 counts so far
    const PointMajor in{device.allocate<float>(values.size()), rows, columns};
    device.upload<float>(in.values, values);
    return std::make_shared<Matrices>(
        Matrices{std::move(values), in, device.allocate<float>(rows * columns)});
}

/// All of it against the definition: out[column][row] = in[row][column].
std::uint64_t count_mismatches(Device &device, const Matrices &matrices) {
    std::vector<float> turned(matrices.values.size());
    device.download(std::span(turned), matrices.out);
    std::uint64_t mismatches = 0;
    for (std::size_t row = 0; row < matrices.in.rows; ++row)
        for (std::size_t column = 0; column < matrices.in.dimensions; ++column)
            mismatches += turned[column * matrices.in.rows + row] !=
                                  matrices.values[row * matrices.in.dimensions + column]
                              ? 1
                              : 0;
    return mismatches;
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
        if (!matrices) matrices = make_matrices(*device, rows, columns);
        subject.device = device->info().name;
        Case row{subject};
        row.work.bytes_read = row.work.bytes_written =
            sizeof(float) * static_cast<double>(rows) * static_cast<double>(columns);
        row.work.kernel_bytes = row.work.bytes_read + row.work.bytes_written;
        const auto turn = [device, matrices, method = choice.method] {
            transpose(*device, matrices->in, matrices->out, method);
        };
        row.run = [device, turn] { return time_launches(*device, turn); };
        row.check = [device, matrices, turn] {
            turn();
            return Findings{{}, count_mismatches(*device, *matrices)};
        };
        cases.push_back(row);
    }
    return cases;
}

} // namespace bowhist
