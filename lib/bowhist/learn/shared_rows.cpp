#include <bowhist/learn/shared_rows.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/learn/shared_preparation.hpp>
#include <bowhist/tables/descriptors/collection_rows.hpp>
#include <bowhist/train/sample.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t floats_sent = std::size_t{1} << 18; ///< at a time: they stay in a cache

/// The rows and dimensions of rank 0's descriptors.
std::array<std::uint64_t, 2> shape_of(const Descriptors &all, Team &team) {
    std::array<std::uint64_t, 2> shape{all.size(), team.rank() == 0 ? all.dimensions : 0};
    team.sum(shape);
    return shape;
}

/// Sends rank 0's descriptors to all. @return those that this member wants
Descriptors received(const Descriptors &all, std::size_t dimensions, std::size_t rows,
                     const ShardRange &wanted, Team &team) {
    const std::size_t first = wanted.first * dimensions;
    const std::size_t end = wanted.last * dimensions;
    Descriptors own{dimensions, std::vector<float>(end - first)};
    std::string bytes;
    for (std::size_t at = 0; at < rows * dimensions; at += floats_sent) {
        const std::size_t count = std::min<std::size_t>(floats_sent, rows * dimensions - at);
        if (team.rank() == 0) {
            const auto some = std::as_bytes(std::span(all.values).subspan(at, count));
            bytes.assign(reinterpret_cast<const char *>(some.data()), some.size());
        }
        team.broadcast(bytes);
        const std::size_t begin = std::clamp(first, at, at + count);
        const std::size_t stop = std::clamp(end, at, at + count);
        if (begin == stop) continue;
        std::memcpy(own.values.data() + (begin - first),
                    bytes.data() + (begin - at) * sizeof(float), (stop - begin) * sizeof(float));
    }
    return own;
}

} // namespace

void share_rows(GatheredRows &gathered, Team &team) {
    if (team.size() == 1 || !gathered.in_memory) return;
    const auto [rows, dimensions] = shape_of(*gathered.in_memory, team);
    const ShardRange own = share_of(team, rows);
    auto share =
        std::make_unique<Descriptors>(received(*gathered.in_memory, dimensions, rows, own, team));
    gathered.all = std::move(gathered.rows);
    gathered.share = std::move(share);
    gathered.rows = std::make_unique<RowsInMemory>(*gathered.share);
}

void copy_rows(GatheredRows &gathered, Team &team) {
    if (team.size() == 1) return;
    const auto [rows, dimensions] = shape_of(*gathered.in_memory, team);
    const ShardRange own{0, team.rank() == 0 ? 0 : rows}; // rank 0 has them
    Descriptors all = received(*gathered.in_memory, dimensions, rows, own, team);
    if (team.rank() > 0) *gathered.in_memory = std::move(all);
}

namespace {

/// Inputs of a member between two exchanges: their descriptors wait in its memory.
constexpr std::size_t inputs_at_once = 32;
constexpr std::size_t floats_at_once = std::size_t{1} << 22;

std::string_view bytes_of(std::span<const float> values) {
    return {reinterpret_cast<const char *>(values.data()), values.size_bytes()};
}

std::vector<float> floats_in(std::string_view bytes) {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

void add_up(StreamCounts &counts, Team &team) {
    std::array<std::uint64_t, 7> all{counts.read,  counts.skipped, counts.few,   counts.none,
                                     counts.small, counts.flat,    counts.strips};
    team.sum(all);
    counts = {all[0], all[1], all[2], all[3], all[4], all[5], all[6]};
}

/// A member's part in streaming all inputs, round by round.
class SharedStream {
  public:
    SharedStream(const InputList &list, const Extractor &extractor, StreamOptions options,
                 Team &team, Observer &observer)
        : inputs_(list.inputs), extractor_(extractor), options_(std::move(options)), team_(team),
          observer_(observer) {}

    /// Each round, in order. @param take  gets each input of this member's, with its number
    /// @param exchange  gets the descriptors of the round together
    void run(const std::function<void(std::size_t input, const Described &)> &take,
             const std::function<void()> &exchange) {
        for (std::size_t first = 0; first < inputs_.size();) {
            const std::size_t end = end_of_round(first);
            const ShardRange share = share_of_round(end - first);
            const std::size_t begin = first + share.first;
            counts_ += stream_descriptors(inputs_.subspan(begin, share.size()), extractor_,
                                          options_, observer_, [&](Described &&described) {
                                              note(described);
                                              take(begin + described.number, described);
                                          });
            options_.doubt.clear();
            exchange();
            agree();
            first = end;
        }
        add_up(counts_, team_);
    }

    const StreamCounts &counts() const { return counts_; }
    std::size_t dimensions() const { return options_.dimensions; }
    /// The recipe of the first file that states one.
    const std::optional<Recipe> &made_by() const { return made_by_; }

  private:
    /// Rank 0 begins alone, with one input after another, until one has descriptors.
    /// A round of one input is rank 0's, until all know what fits.
    ShardRange share_of_round(std::size_t inputs) const {
        if (inputs > 1) return share_of(team_, inputs);
        return {team_.rank() == 0 ? std::size_t{0} : inputs, inputs};
    }

    std::size_t end_of_round(std::size_t first) const {
        if (options_.dimensions == 0) return first + 1;
        const std::size_t left = inputs_.size() - first;
        const std::size_t most = inputs_at_once * team_.size();
        const std::size_t rounds = (left + most - 1) / most;
        return first + (left + rounds - 1) / rounds;
    }

    void note(const Described &described) {
        if (!made_by_) made_by_ = described.recipe;
        if (options_.dimensions == 0 && described.descriptors.size() > 0)
            dimensions_ = described.descriptors.dimensions;
    }

    /// After each round all know the same of what fits.
    void agree() {
        std::vector<std::string> others(team_.size());
        const std::string own = recipe_text(made_by_);
        team_.gather(
            [given = false, &own]() mutable { return std::exchange(given, true) ? "" : own; },
            [&](std::size_t rank, std::string_view text) { others[rank] += text; });
        for (const std::string &other : others) {
            const auto recipe = recipe_of_text(other);
            if (!recipe) continue;
            if (!made_by_) made_by_ = recipe;
            if (!recipe->comparable(*made_by_))
                throw Error(Fault::usage, "the descriptor files are of different recipes; extract "
                                          "them alike, or learn in one process, which leaves out "
                                          "those that do not fit the first");
        }
        std::string known = recipe_text(made_by_);
        team_.broadcast(known);
        made_by_ = recipe_of_text(known);
        if (!options_.made_by) options_.made_by = made_by_;
        std::array<std::uint64_t, 1> dimensions{dimensions_};
        if (options_.dimensions == 0) team_.sum(dimensions);
        if (options_.dimensions == 0) options_.dimensions = dimensions[0];
    }

    std::span<const Input> inputs_;
    const Extractor &extractor_;
    StreamOptions options_;
    Team &team_;
    Observer &observer_;
    StreamCounts counts_;
    std::optional<Recipe> made_by_;
    std::size_t dimensions_ = 0; ///< that rank 0 met first
};

/// Descriptors in memory: rank 0 draws among those of all, who send it the drawn ones.
class SharedSample {
  public:
    SharedSample(const MemoryRequest &request, const TrainingMemory &memory, Team &team)
        : request_(request), memory_(memory), team_(team),
          sample_(request.sample, request.training->seed) {}

    /// Rank 0's come first in a round, and go to the sample at once.
    void add(const Described &described) {
        const Descriptors &some = described.descriptors;
        dimensions_ = std::max(dimensions_, some.dimensions);
        rows_ += some.size();
        if (team_.rank() > 0) {
            round_.insert(round_.end(), some.values.begin(), some.values.end());
            return;
        }
        require_room(some.size());
        sample_.reserve(memory_.expected() * some.dimensions);
        sample_.add(some.values, some.dimensions);
    }

    void exchange() {
        std::vector<std::uint64_t> rows(team_.size(), 0);
        rows[team_.rank()] = std::exchange(rows_, 0);
        team_.sum(rows);
        if (team_.rank() == 0) {
            require_room(std::reduce(rows.begin() + 1, rows.end(), std::uint64_t{0}));
            take_others(rows);
        } else {
            send(rows);
        }
        round_.clear();
    }

    std::uint64_t seen() const { return sample_.seen(); }
    Descriptors take() && { return std::move(sample_).take(); }

  private:
    /// For so many more.
    void require_room(std::uint64_t more) const {
        const std::uint64_t all = sample_.seen() + more;
        memory_.require_room(
            request_.sample > 0 ? std::min<std::uint64_t>(all, request_.sample) : all, dimensions_);
    }

    void send(const std::vector<std::uint64_t> &rows) {
        std::vector<float> chosen;
        for (std::size_t rank = 0; rank < rows.size(); ++rank)
            if (rank == team_.rank())
                chosen = sample_.chosen(round_, std::max<std::size_t>(1, dimensions_));
            else
                sample_.skip(rows[rank]);
        team_.gather(
            [given = false, &chosen]() mutable {
                return std::exchange(given, true) ? "" : std::string(bytes_of(chosen));
            },
            {});
    }

    void take_others(const std::vector<std::uint64_t> &rows) {
        std::vector<std::string> others(rows.size());
        team_.gather({}, [&](std::size_t rank, std::string_view bytes) { others[rank] += bytes; });
        for (std::size_t rank = 1; rank < rows.size(); ++rank) {
            const std::vector<float> chosen = floats_in(others[rank]);
            if (rows[rank] > 0) sample_.add_chosen(rows[rank], chosen, dimensions_);
        }
    }

    const MemoryRequest &request_;
    const TrainingMemory &memory_;
    Team &team_;
    DescriptorSample sample_;
    std::size_t dimensions_ = 0;
    std::uint64_t rows_ = 0;   ///< of this member in this round
    std::vector<float> round_; ///< theirs, but rank 0's
};

/// Rank 0 decides: how many descriptors are read at a time from their files; 0: they have room in
/// memory.
std::size_t agreed_part(const TrainingMemory &memory, const InputList &list, Team &team) {
    std::array<std::uint32_t, 1> in_files{team.rank() == 0 && memory.part() > 0 ? 1U : 0U};
    team.sum(in_files);
    if (in_files[0] == 0 || memory.part() > 0) return in_files[0] == 0 ? 0 : memory.part();
    return std::max<std::size_t>(1, floats_at_once / list.inputs.front().collection->dimensions);
}

/// Each member reads its share once, so that all are checked, and gets its share of the rows.
GatheredRows share_files(std::size_t part, const TrainingMemory &memory, const InputList &list,
                         SharedStream &stream, Team &team, Observer &observer) {
    std::vector<std::uint32_t> usable(list.inputs.size(), 0);
    stream.run([&](std::size_t input, const Described &) { usable[input] = 1; }, [] {});
    team.sum(usable);
    auto all = std::make_unique<CollectionRows>(part, observer);
    for (std::size_t i = 0; i < usable.size(); ++i)
        if (usable[i] > 0) all->add(list.inputs[i].collection, list.inputs[i].place);
    const ShardRange range = share_of(team, all->size());
    auto share = all->cut(range.first, range.size());
    share->keep(memory.left_over());
    GatheredRows gathered;
    gathered.total = gathered.seen = all->size();
    gathered.rows = std::move(share);
    gathered.all = std::move(all);
    return gathered;
}

GatheredRows share_memory(const MemoryRequest &request, const TrainingMemory &memory,
                          SharedStream &stream, Team &team) {
    SharedSample sample(request, memory, team);
    stream.run([&](std::size_t, const Described &described) { sample.add(described); },
               [&] { sample.exchange(); });
    GatheredRows gathered;
    gathered.seen = sample.seen();
    gathered.in_memory = std::make_unique<Descriptors>(std::move(sample).take());
    gathered.in_memory->dimensions = stream.dimensions();
    std::array<std::uint64_t, 1> total{gathered.in_memory->size()};
    team.sum(total);
    gathered.total = total[0];
    gathered.rows = std::make_unique<RowsInMemory>(*gathered.in_memory);
    return gathered;
}

} // namespace

GatheredRows gather_shares(const MemoryRequest &request, const InputList &list,
                           const Extractor &extractor, StreamOptions options, Team &team,
                           Observer &observer) {
    const TrainingMemory memory(request, list);
    options.in_flight = memory.in_flight();
    SharedStream stream(list, extractor, std::move(options), team, observer);
    const std::size_t part = agreed_part(memory, list, team);
    GatheredRows gathered = part > 0 ? share_files(part, memory, list, stream, team, observer)
                                     : share_memory(request, memory, stream, team);
    gathered.counts = stream.counts();
    gathered.made_by = stream.made_by();
    return gathered;
}

} // namespace bowhist
