#include <bowhist/duplicates/mirrored_vocabulary.hpp>

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/encode/mirrored.hpp>

#include <span>

namespace bowhist {

std::vector<std::uint32_t> mirrored_vocabulary(const VocabularyPair &words) {
    const Vocabulary &vocabulary = words.vocabulary;
    const auto recipe = words.recorded.recipe();
    if (!recipe || words.recorded.preparation()) return {};
    const Mirroring mirroring = mirroring_of(*recipe);
    if (mirroring == Mirroring::none) return {};
    std::vector<float> rows(vocabulary.values.size());
    for (std::size_t at = 0; at < rows.size(); at += vocabulary.dimensions)
        mirror(std::span(vocabulary.values).subspan(at, vocabulary.dimensions), mirroring,
               std::span(rows).subspan(at, vocabulary.dimensions));
    LevelRequest level;
    level.options.tree = words.tree;
    level.host_seconds = 0; // short work: no GPU is opened for it
    const auto nearest = choose_level(level, vocabulary.dimensions, vocabulary.size())
                             .prepare(vocabulary)
                             ->run({rows, {}, 1})
                             .words;
    return {nearest.begin(), nearest.end()};
}

} // namespace bowhist
