#include <bowhist/team/team.hpp>

#include <bowhist/core/error.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

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

std::string difference(std::size_t rank, std::string_view other) {
    return fmt::format("rank {} has {} than rank 0; give all ranks the same files, options and "
                       "program",
                       rank, other);
}

void require_same(Team &team, std::string_view other, std::string_view text) {
    if (team.size() == 1) return;
    std::string first(text); // rank 0's
    team.broadcast(first);
    std::vector<std::uint32_t> differs(team.size(), 0);
    differs[team.rank()] = text != first ? 1 : 0;
    team.sum(differs);
    for (std::size_t rank = 0; rank < differs.size(); ++rank)
        if (differs[rank] > 0) throw Error(Fault::usage, difference(rank, other));
}

} // namespace bowhist
