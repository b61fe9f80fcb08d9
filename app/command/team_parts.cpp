#include "app/command/team_parts.hpp"
#include "app/command/summary.hpp"
#include "app/command/team.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/pipeline/merge_parts.hpp>
#include <bowhist/tables/vocabulary/model_file.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>
#include <bowhist/team/team.hpp>

#include <fmt/format.h>

#include <fstream>
#include <optional>

namespace bowhist::app {
namespace fs = std::filesystem;
namespace {

/// A file's bytes, a piece at a time.
class Pieces {
  public:
    explicit Pieces(const fs::path &path) : path_(path), file_(path, std::ios::binary) {}

    std::string next() {
        std::string piece(std::size_t{1} << 22, '\0');
        file_.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        if (file_.bad() || (file_.fail() && !file_.eof()))
            throw Error(Fault::output, fmt::format("{}: cannot be read again", path_));
        piece.resize(static_cast<std::size_t>(file_.gcount()));
        return piece;
    }

  private:
    fs::path path_;
    std::ifstream file_;
};

} // namespace

TeamParts::TeamParts(const char *ending) : scratch_(ScratchFolder::temporary()), ending_(ending) {
    if (scratch_.path().empty())
        throw Error(Fault::output, "no folder for temporary files; set TMPDIR to one");
}

Shard TeamParts::shard() const {
    return {team().rank() + 1, team().size()};
}

fs::path TeamParts::place_of(std::size_t rank) const {
    return scratch_.path() / fmt::format("{}{}", rank, ending_);
}

fs::path TeamParts::own() const {
    return place_of(team().rank());
}

std::vector<fs::path> TeamParts::gather() const {
    Pieces pieces(own());
    std::size_t from = 0;
    std::optional<AtomicFile> file;
    team().gather([&] { return pieces.next(); },
                  [&](std::size_t rank, std::string_view bytes) {
                      if (rank != from && file) file->commit();
                      if (rank != from) file.emplace(place_of(rank));
                      from = rank;
                      file->write(bytes);
                  });
    if (file) file->commit();
    std::vector<fs::path> parts;
    for (std::size_t rank = 0; team().rank() == 0 && rank < team().size(); ++rank)
        parts.push_back(place_of(rank));
    return parts;
}

int merge_team_parts(const TeamParts &parts, const fs::path &output, Console &console) {
    const std::vector<fs::path> files = parts.gather();
    console.gather_lines();
    if (team().rank() > 0) return 0;
    return summarize(merge_parts(files, output, console), console);
}

void require_same_model(const fs::path &path) {
    if (team().size() == 1 || is_library(path)) return;
    std::string text;
    if (holds_model(path)) {
        text = read_model(path).fingerprint;
    } else {
        const VocabularyPair pair = read_vocabulary_pair(path);
        const auto recipe = pair.recorded.recipe();
        text = fingerprint_of_histograms(pair) + (recipe ? as_options(*recipe) : "");
    }
    require_same(team(), "another vocabulary", text);
}

} // namespace bowhist::app
