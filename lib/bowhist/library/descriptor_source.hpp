#pragma once

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/pictures/image_views.hpp>
#include <bowhist/pipeline/encoded_stream.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bowhist {

struct DescribeOptions {
    StreamOptions stream = {}; ///< threads and limits of images
    LevelRequest level = {};
    bool positions = true;
    bool mirrored = false;    ///< also the words of mirrored descriptors
    int thumbnail_side = 256; ///< pixels; 0: none
    double images = 1;        ///< about how many there are, for auto
};

/// Makes the prepared descriptors of images, by a recipe.
class DescriptorSource {
  public:
    DescriptorSource(const VocabularyPair &recorded, const DescribeOptions &options,
                     Observer &observer);

    GreyView view() const { return {options_.image.max_side, options_.image.enlarge}; }
    const Recipe &recipe() const { return recipe_.recipe(); }
    void set_prepare(std::function<void(Described &)> prepare) {
        options_.prepare = std::move(prepare);
    }

    Described describe(Image image) const;

    /// "surf ..., assigning with simd on the host"
    std::string text(const LevelChoice &level) const;

  private:
    PreparedRecipe recipe_;
    StreamOptions options_;
};

/// The level that finds the words of that many rows of each image.
/// @param tree  that they are found by; null: by the rule
LevelChoice level_for(const DescribeOptions &options, const Vocabulary &words, double rows,
                      Observer &observer, std::shared_ptr<const VocabularyTree> tree = {});

/// Whether many threads may each find the words of an image.
bool finds_words_alone(Assigner &assigner);

/// Rows of many images, end to end, in memory that is used again and again.
struct Rows {
    void clear() {
        values.clear();
        ends.clear();
    }
    std::vector<float> values;
    std::vector<std::size_t> ends; ///< of each image, in rows

    void add(const std::vector<float> &more, std::size_t dimensions) {
        values.insert(values.end(), more.begin(), more.end());
        ends.push_back(values.size() / dimensions);
    }
    std::size_t first(std::size_t image) const { return image == 0 ? 0 : ends[image - 1]; }
    std::size_t count(std::size_t image) const { return ends[image] - first(image); }
};

/// Calls `work` with each number below `count`, on all threads.
void for_all(std::size_t count, const std::function<void(std::size_t)> &work);

} // namespace bowhist
