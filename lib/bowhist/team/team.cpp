#include <bowhist/team/team.hpp>

#include <utility>

namespace bowhist {
namespace {

class OneProcess : public Team {
  public:
    std::size_t size() const override { return 1; }
    std::size_t rank() const override { return 0; }
    MemberPlace place() const override { return {}; }
    void sum(std::span<double> values, const Ready &ready) override {
        if (ready) ready(0, values.size());
    }
    void sum(std::span<std::uint32_t> /*values*/) override {}
    void sum(std::span<std::uint64_t> /*values*/) override {}
    void maximize(std::span<float> /*values*/) override {}
    void broadcast(std::string & /*bytes*/) override {}
    void gather(const Give & /*give*/, const Take & /*take*/) override {}
    void describe(Work /*work*/) override {}
    Ending end(Ending own) override { return own; }
};

} // namespace

Team &one_process() {
    static OneProcess team;
    return team;
}

std::string bytes_of_all(Team &team, std::string own) {
    std::string all = team.rank() == 0 ? own : std::string();
    team.gather([&own] { return std::exchange(own, {}); },
                [&all](std::size_t, std::string_view bytes) { all += bytes; });
    team.broadcast(all);
    return all;
}

} // namespace bowhist
