#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/serve/site.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist {

/// The reason that a request gets in place of an answer.
struct Refusal : std::runtime_error {
    Refusal(int wrong, const std::string &why) : std::runtime_error(why), status(wrong) {}
    int status;
};

/// A number that a request gives.
/// @param otherwise  where it is not given  @throws Refusal{400}: no number from least to most
std::size_t number_in(const HttpRequest &request, const std::string &name, std::size_t least,
                      std::size_t most, std::size_t otherwise);
/// "X,Y,W,H" @throws Refusal{400}
std::optional<ImageRegion> region_in(const HttpRequest &request);
/// The image of the library with that id. @throws Refusal{404}
LibraryImage image_of(Snapshot &snapshot, std::string_view id);
/// The image that is sent: the body, or the first file of a form in it.
std::string_view sent_image(const HttpRequest &request);

struct WantedImages {
    std::size_t top;                               ///< above 0
    std::optional<ImageRegion> part = {};          ///< of the image that is searched for
    std::shared_ptr<const Duplicates> copies = {}; ///< with it, the first of each group alone
};
/// The images that are like another: of an image of the library, or of a part of it.
/// @throws Error, Refusal
std::vector<SharedImage> images_like(const Served &served, Snapshot &snapshot,
                                     const LibraryImage &image, const WantedImages &wanted);
/// The same of an image that is sent.
std::vector<SharedImage> images_like(const Served &served, Snapshot &snapshot,
                                     std::string_view bytes, const WantedImages &wanted);

/// Remembers that the images with the ids `a` and `b` differ. @throws Refusal, Error
void part_images(const Served &served, const HttpRequest &request);
/// Forgets it; `a` and `b` may be hashes of images that are gone. @throws Refusal, Error
void rejoin_images(const Served &served, const HttpRequest &request);

/// A content of a pair that is not the same.
struct DifferentImage {
    std::string hash;                  ///< text_of_hash()
    std::optional<LibraryImage> image; ///< nothing where its files are gone
};
/// The pairs that the library remembers now, by their paths; what is gone comes last.
std::vector<std::pair<DifferentImage, DifferentImage>> pairs_not_same(const Served &served);

// The API (docs/serve.md). @throws Refusal, Error
HttpAnswer search_answer(const Served &served, const HttpRequest &request);
HttpAnswer image_answer(const Served &served, std::string_view id);
HttpAnswer duplicates_answer(const Served &served);
/// The body of that answer.
std::string json_of(const Duplicates &found);
HttpAnswer status_answer(const Served &served);
HttpAnswer spare_answer(const Served &served);
HttpAnswer not_same_answer(const Served &served, const HttpRequest &request);
HttpAnswer same_again_answer(const Served &served, const HttpRequest &request);
HttpAnswer pairs_answer(const Served &served);

/// A JPEG of an image: what the library holds, or is made of its file; with `large` of up to 1024
/// pixels where the file can be read.
HttpAnswer jpeg_answer(const Served &served, std::string_view id, bool large);

} // namespace bowhist
