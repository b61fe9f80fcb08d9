#pragma once

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>

#include <tbb/parallel_for.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bowhist {

/// Images of one library or of two, by numbers. One thread at a time.
class NumberedImages {
  public:
    /// @param library  outlives the object
    void add(const Library &library, const LibraryImage &image) {
        images_.push_back(image);
        libraries_.push_back(&library);
    }

    std::size_t size() const { return images_.size(); }
    const LibraryImage &operator[](std::uint32_t image) const { return images_[image]; }

    /// Sets the mirrored word of each word, for libraries that do not hold mirrored words.
    void set_mirrored_vocabulary(std::vector<std::uint32_t> words) {
        mirrored_vocabulary_ = std::move(words);
    }

    Library::Words words(std::uint32_t image) const {
        Library::Words words = libraries_[image]->words(images_[image]);
        if (words.mirrored.empty() && !mirrored_vocabulary_.empty())
            for (const std::uint32_t word : words.words)
                words.mirrored.push_back(mirrored_vocabulary_[word]);
        return words;
    }
    std::vector<std::int8_t> code(std::uint32_t image) const {
        return libraries_[image]->code(images_[image]).values;
    }
    std::string thumbnail(std::uint32_t image) const {
        return libraries_[image]->thumbnail(images_[image]);
    }

  private:
    std::vector<LibraryImage> images_;
    std::vector<const Library *> libraries_;
    std::vector<std::uint32_t> mirrored_vocabulary_;
};

/// Runs `work` for each number below count, on all threads.
template <typename Work>
void for_each_number(std::size_t count, Observer &observer, const Work &work) {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
        const DefaultFloats floats;
        observer.stop_if_interrupted();
        work(i);
    });
}

} // namespace bowhist
