#include <bowhist/search/geometry.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace bowhist {
namespace {

constexpr std::size_t most_keypoints = 4; ///< of a word, in an image
constexpr std::size_t most_pairs = 400;
constexpr std::size_t refined = 8;     ///< proposals
constexpr std::size_t least_pairs = 3; ///< that make an affine map
constexpr double loose_distance = 12;  ///< pixels; a similarity of one pair is off by its angle
constexpr std::array distances = {10.0, 7.0, 5.0, 4.0}; ///< of the refinements, in turn
constexpr int scale_tolerance = 24;                     ///< an octave
constexpr int angle_tolerance = 256 / 12;               ///< 30 degrees
constexpr double least_area = 1.0 / 64;                 ///< of the map; and 64 at most
constexpr double most_stretch = 4; ///< of the map's longer direction against its shorter

/// Keypoints of one word: a run in an image's words.
struct Run {
    std::size_t first = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - first; }
};

Run run_from(std::span<const PlacedWord> words, std::size_t first) {
    std::size_t end = first;
    while (end < words.size() && words[end].word == words[first].word) ++end;
    return {first, end};
}

struct RunPair {
    Run first, second;
    std::size_t pairs() const { return first.size() * second.size(); }
};

/// Words of both images with few keypoints; those of the fewest pairs first.
std::vector<RunPair> shared_words(std::span<const PlacedWord> first,
                                  std::span<const PlacedWord> second) {
    std::vector<RunPair> shared;
    std::size_t j = 0;
    for (std::size_t i = 0; i < first.size();) {
        const Run a = run_from(first, i);
        i = a.end;
        while (j < second.size() && second[j].word < first[a.first].word) ++j;
        if (j == second.size() || second[j].word != first[a.first].word) continue;
        const Run b = run_from(second, j);
        if (a.size() <= most_keypoints && b.size() <= most_keypoints) shared.push_back({a, b});
    }
    std::ranges::stable_sort(shared, {}, &RunPair::pairs);
    return shared;
}

std::vector<WordPair> candidate_pairs(std::span<const PlacedWord> first,
                                      std::span<const PlacedWord> second) {
    std::vector<WordPair> pairs;
    for (const RunPair &shared : shared_words(first, second)) {
        if (pairs.size() + shared.pairs() > most_pairs) break;
        for (std::size_t i = shared.first.first; i < shared.first.end; ++i)
            for (std::size_t j = shared.second.first; j < shared.second.end; ++j)
                pairs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
    }
    return pairs;
}

/// Two images and the pairs of keypoints that may belong together.
class Matching {
  public:
    Matching(std::span<const PlacedWord> first, std::span<const PlacedWord> second)
        : first_(first), second_(second), pairs_(candidate_pairs(first, second)) {}

    AffineAgreement best() const {
        AffineAgreement best;
        for (const std::size_t proposer : best_proposers()) {
            AffineAgreement agreement = refine(similarity_of(pairs_[proposer]));
            const bool better = agreement.size() != best.size()
                                    ? agreement.size() > best.size()
                                    : agreement.residual < best.residual;
            if (better) best = std::move(agreement);
        }
        best.proposed = pairs_.size();
        return best;
    }

  private:
    const PlacedWord &a(const WordPair &pair) const { return first_[pair.first]; }
    const PlacedWord &b(const WordPair &pair) const { return second_[pair.second]; }

    AffineMap similarity_of(const WordPair &pair) const {
        const PlacedWord &from = a(pair);
        const PlacedWord &to = b(pair);
        const Turn turn = turn_of(static_cast<std::uint8_t>(to.angle - from.angle));
        const double ratio = octaves(int{to.scale} - int{from.scale});
        AffineMap map{ratio * turn.cosine, -ratio * turn.sine,  0,
                      ratio * turn.sine,   ratio * turn.cosine, 0};
        map.tx = to.x - (map.a11 * from.x + map.a12 * from.y);
        map.ty = to.y - (map.a21 * from.x + map.a22 * from.y);
        return map;
    }

    double squared_distance(const AffineMap &map, const WordPair &pair) const {
        const PlacedWord &from = a(pair);
        const PlacedWord &to = b(pair);
        const double dx = map.a11 * from.x + map.a12 * from.y + map.tx - to.x;
        const double dy = map.a21 * from.x + map.a22 * from.y + map.ty - to.y;
        return dx * dx + dy * dy;
    }

    /// Whether two pairs turn and scale alike.
    bool alike(const WordPair &p, const WordPair &q) const {
        const int scale = (int{b(p).scale} - a(p).scale) - (int{b(q).scale} - a(q).scale);
        const auto angle =
            static_cast<std::int8_t>((b(p).angle - a(p).angle) - (b(q).angle - a(q).angle));
        return std::abs(scale) <= scale_tolerance && std::abs(int{angle}) <= angle_tolerance;
    }

    /// The pairs whose similarities most pairs agree with, the best first.
    std::vector<std::size_t> best_proposers() const {
        struct Proposal {
            std::size_t votes = 0;
            std::size_t proposer = 0;
        };
        std::vector<Proposal> proposals;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const AffineMap map = similarity_of(pairs_[i]);
            std::size_t votes = 0;
            for (const WordPair &pair : pairs_)
                votes += alike(pairs_[i], pair) &&
                         squared_distance(map, pair) <= loose_distance * loose_distance;
            proposals.push_back({votes, i});
        }
        std::ranges::stable_sort(proposals, std::ranges::greater{}, &Proposal::votes);
        std::vector<std::size_t> best;
        for (const Proposal &proposal : proposals)
            if (proposal.votes >= least_pairs && best.size() < refined)
                best.push_back(proposal.proposer);
        return best;
    }

    /// Least squares over the pairs that agree, again and again within shorter distances.
    AffineAgreement refine(AffineMap map) const {
        for (const double distance : distances) {
            const std::vector<WordPair> near = agreeing(map, distance);
            const auto fitted = fit(near);
            if (!fitted) return {};
            map = *fitted;
        }
        AffineAgreement agreement{map, agreeing(map, distances.back())};
        if (agreement.size() < least_pairs) return {};
        double sum = 0;
        for (const WordPair &pair : agreement.pairs) sum += squared_distance(map, pair);
        agreement.residual = std::sqrt(sum / double(agreement.size()));
        return agreement;
    }

    /// The nearest pairs first; a keypoint that is taken already is left out.
    std::vector<WordPair> agreeing(const AffineMap &map, double distance) const {
        struct Near {
            double squared_distance = 0;
            WordPair pair;
        };
        std::vector<Near> near;
        for (const WordPair &pair : pairs_) {
            const double squared = squared_distance(map, pair);
            if (squared <= distance * distance) near.push_back({squared, pair});
        }
        std::ranges::stable_sort(near, {}, &Near::squared_distance);
        std::vector<bool> taken_first(first_.size());
        std::vector<bool> taken_second(second_.size());
        std::vector<WordPair> pairs;
        for (const auto &[squared, pair] : near) {
            if (taken_first[pair.first] || taken_second[pair.second]) continue;
            taken_first[pair.first] = taken_second[pair.second] = true;
            pairs.push_back(pair);
        }
        return pairs;
    }

    /// Nothing where the pairs lie on a line, or the map is no view of a picture: mirrored, or
    /// squeezed.
    std::optional<AffineMap> fit(const std::vector<WordPair> &pairs) const {
        if (pairs.size() < least_pairs) return std::nullopt;
        const double n = double(pairs.size());
        double ax = 0, ay = 0, bx = 0, by = 0;
        for (const WordPair &pair : pairs) {
            ax += a(pair).x;
            ay += a(pair).y;
            bx += b(pair).x;
            by += b(pair).y;
        }
        ax /= n;
        ay /= n;
        bx /= n;
        by /= n;
        double xx = 0, xy = 0, yy = 0, xu = 0, yu = 0, xv = 0, yv = 0;
        for (const WordPair &pair : pairs) {
            const double x = a(pair).x - ax, y = a(pair).y - ay;
            const double u = b(pair).x - bx, v = b(pair).y - by;
            xx += x * x;
            xy += x * y;
            yy += y * y;
            xu += x * u;
            yu += y * u;
            xv += x * v;
            yv += y * v;
        }
        const double determinant = xx * yy - xy * xy;
        if (!(determinant > 1e-3 * xx * yy)) return std::nullopt;
        AffineMap map{(xu * yy - yu * xy) / determinant, (yu * xx - xu * xy) / determinant, 0,
                      (xv * yy - yv * xy) / determinant, (yv * xx - xv * xy) / determinant, 0};
        map.tx = bx - (map.a11 * ax + map.a12 * ay);
        map.ty = by - (map.a21 * ax + map.a22 * ay);
        return is_view(map) ? std::optional(map) : std::nullopt;
    }

    static bool is_view(const AffineMap &map) {
        const double area = map.determinant();
        if (!(area >= least_area && area <= 1 / least_area)) return false;
        // σ₁² + σ₂² is the sum of squares, σ₁·σ₂ the determinant
        const double squares =
            map.a11 * map.a11 + map.a12 * map.a12 + map.a21 * map.a21 + map.a22 * map.a22;
        return squares <= (most_stretch + 1 / most_stretch) * area;
    }

    std::span<const PlacedWord> first_;
    std::span<const PlacedWord> second_;
    std::vector<WordPair> pairs_;
};

} // namespace

AffineAgreement find_agreement(std::span<const PlacedWord> first,
                               std::span<const PlacedWord> second) {
    return Matching(first, second).best();
}

std::size_t places(const AffineAgreement &agreement, std::span<const PlacedWord> first,
                   std::span<const PlacedWord> second, double distance) {
    const auto apart = [distance](const PlacedWord &a, const PlacedWord &b) {
        const double dx = double{a.x} - b.x, dy = double{a.y} - b.y;
        return dx * dx + dy * dy >= distance * distance;
    };
    std::vector<WordPair> kept;
    for (const WordPair &pair : agreement.pairs)
        if (std::ranges::all_of(kept, [&](const WordPair &other) {
                return apart(first[pair.first], first[other.first]) &&
                       apart(second[pair.second], second[other.second]);
            }))
            kept.push_back(pair);
    return kept.size();
}

namespace {

/// From one step to the next the rounding errors add up to 10⁻¹⁴ at most.
std::array<Turn, 256> all_turns() {
    constexpr Turn step{0.99969881869620422, 0.024541228522912288}; // of 2π/256
    std::array<Turn, 256> turns{};
    for (std::size_t i = 1; i < turns.size(); ++i) {
        const Turn &last = turns[i - 1];
        turns[i] = {last.cosine * step.cosine - last.sine * step.sine,
                    last.sine * step.cosine + last.cosine * step.sine};
    }
    return turns;
}

std::array<double, 256> all_octaves() {
    constexpr double step = 1.0293022366434921; // 2^(1/24)
    std::array<double, 256> octaves{1};
    for (std::size_t i = 1; i < octaves.size(); ++i) octaves[i] = octaves[i - 1] * step;
    return octaves;
}

} // namespace

Turn turn_of(std::uint8_t angle) {
    static const std::array<Turn, 256> turns = all_turns();
    return turns[angle];
}

double octaves(int parts) {
    static const std::array<double, 256> values = all_octaves();
    return parts < 0 ? 1 / values[static_cast<std::size_t>(-parts)]
                     : values[static_cast<std::size_t>(parts)];
}

} // namespace bowhist
