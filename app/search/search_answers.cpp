#include "app/search/search_answers.hpp"
#include "app/command/team.hpp"

#include <bowhist/tables/vocabulary/vocabulary_file.hpp>
#include <bowhist/team/team.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

namespace bowhist::app {
namespace {

void put_answer(std::string &bytes, const std::string &query,
                const std::vector<FoundImage> &found) {
    put_all(bytes, std::span<const char>(query));
    put(bytes, std::uint64_t{found.size()});
    for (const FoundImage &image : found) {
        put_all(bytes, std::span<const char>(image.path));
        put(bytes, image.score);
        put(bytes, image.library);
        put(bytes, image.place.has_value());
        if (!image.place) continue;
        put(bytes, image.place->agree);
        put(bytes, image.place->map);
        put_all(bytes, std::span<const AgreeingPair>(image.place->pairs));
    }
}

void use_answer(Record answer, const Search::Use &use) {
    const auto query = answer.take_all<std::string>();
    std::vector<FoundImage> found(answer.take<std::uint64_t>());
    for (FoundImage &image : found) {
        image.path = answer.take_all<std::string>();
        image.score = answer.take<double>();
        image.library = answer.take<std::size_t>();
        if (!answer.take<bool>()) continue;
        image.place.emplace();
        image.place->agree = answer.take<std::size_t>();
        image.place->map = answer.take<AffineMap>();
        image.place->pairs = answer.take_all<std::vector<AgreeingPair>>();
    }
    use(query, found);
}

} // namespace

Search::Use SharedAnswers::use(const Search::Use &write) {
    if (team().rank() == 0) return write;
    return [this](const std::string &query, const std::vector<FoundImage> &found) {
        std::string answer;
        put_answer(answer, query, found);
        put_all(answers_, std::span<const char>(answer));
    };
}

void SharedAnswers::join(SearchRun &run, const Search::Use &write) {
    RecordReader reader;
    team().gather([this] { return std::exchange(answers_, {}); },
                  [&](std::size_t /*rank*/, std::string_view bytes) {
                      reader.add(bytes, [&](Record answer) { use_answer(answer, write); });
                  });
    std::array<std::uint64_t, 2> counts{run.queries, run.skipped};
    team().sum(counts);
    run = {counts[0], counts[1]};
}

void require_same_library(const Search &search) {
    if (team().size() == 1) return;
    std::string text;
    for (const std::string &path : search.paths()) text += path + '\0';
    require_same(team(), "another library",
                 fmt::format("{} {}", search.size(), fingerprint_of_bytes(text)));
}

} // namespace bowhist::app
