#include <bowhist/team/team.hpp>

namespace bowhist {
namespace {

class OneProcess : public Team {
  public:
    std::size_t size() const override { return 1; }
    std::size_t rank() const override { return 0; }
    void sum(std::span<double> /*values*/) override {}
    void sum(std::span<std::uint32_t> /*values*/) override {}
    void sum(std::span<std::uint64_t> /*values*/) override {}
    void maximize(std::span<float> /*values*/) override {}
};

} // namespace

Team &one_process() {
    static OneProcess team;
    return team;
}

} // namespace bowhist
