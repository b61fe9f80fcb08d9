#include <bowhist/assign/assigner.hpp>

namespace bowhist {

AssignmentReport &AssignmentReport::operator+=(const AssignmentReport &other) {
    rows += other.rows;
    unproven += other.unproven;
    wall_seconds += other.wall_seconds;
    device_seconds += other.device_seconds;
    for (const auto &[name, time] : other.kernels) {
        kernels[name].launches += time.launches;
        kernels[name].seconds += time.seconds;
    }
    return *this;
}

} // namespace bowhist
