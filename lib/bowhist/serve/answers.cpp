#include <bowhist/serve/answers.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file/transaction.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/library/not_same.hpp>
#include <bowhist/pictures/picture.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

namespace bowhist {
namespace {

constexpr int large_side = 1024; // pixels

constexpr const char *not_as_read =
    "its file is not what was indexed, and is not read; bring the library up to date with bowhist "
    "index";

std::filesystem::path file_name(const LibraryImage &image) {
    return std::filesystem::path(image.path).filename();
}

/// The first file of a form: it follows a line "--boundary", heads and an empty line.
std::string_view first_of_form(std::string_view body) {
    const std::string_view boundary = body.substr(0, body.find("\r\n"));
    const std::size_t head = body.find("\r\n\r\n");
    if (!boundary.starts_with("--") || head == std::string_view::npos) return {};
    body.remove_prefix(head + 4);
    return body.substr(0, body.find(fmt::format("\r\n{}", boundary)));
}

/// @throws Refusal{503} where another run writes the library
void write_or_refuse(const std::function<void()> &write) {
    try {
        write();
    } catch (const LibraryBusy &busy) {
        throw Refusal(503, fmt::format("the library is being written, by {}; say it again when "
                                       "that is done",
                                       busy.writer));
    }
}

/// The results of a query: more are asked for where copies hide others.
template <typename Query>
std::vector<SharedImage> results_of(const Query &query, Snapshot &snapshot,
                                    const WantedImages &wanted) {
    if (!wanted.copies) return snapshot.search().find(query, wanted.top);
    std::unordered_map<std::string_view, std::string_view> first; // of each group, by hashes
    for (const DuplicateGroup &group : wanted.copies->groups)
        for (const Duplicate &copy : group.images)
            first.emplace(copy.image.hash, group.images.front().image.hash);
    constexpr std::size_t more = 4;
    for (std::size_t most = wanted.top;; most *= more) {
        std::vector<SharedImage> found = snapshot.search().find(query, most);
        const bool is_all = found.size() < most;
        std::set<std::string> met;
        std::erase_if(found, [&](const SharedImage &one) {
            const auto group = first.find(one.image.hash);
            return !met.emplace(group == first.end() ? one.image.hash : group->second).second;
        });
        if (!is_all && found.size() < wanted.top) continue;
        if (found.size() > wanted.top) found.resize(wanted.top);
        return found;
    }
}

} // namespace

std::size_t number_in(const HttpRequest &request, const std::string &name, std::size_t least,
                      std::size_t most, std::size_t otherwise) {
    const auto text = request.parameter(name);
    if (!text) return otherwise;
    const auto number = as_number<std::size_t>(*text);
    if (number && *number >= least && *number <= most) return *number;
    throw Refusal(400, fmt::format("{} takes a whole number from {} to {}", name, least, most));
}

std::optional<ImageRegion> region_in(const HttpRequest &request) {
    const auto text = request.parameter("region");
    if (!text || text->empty()) return std::nullopt;
    std::vector<int> numbers;
    for (std::size_t first = 0; first <= text->size();) {
        const std::size_t end = std::min(text->find(',', first), text->size());
        const auto number = as_number<int>(std::string_view(*text).substr(first, end - first));
        if (number && *number >= 0) numbers.push_back(*number);
        first = end + 1;
    }
    if (numbers.size() != 4 || std::ranges::count(*text, ',') != 3 || numbers[2] == 0 ||
        numbers[3] == 0)
        throw Refusal(400, "region takes X,Y,W,H: four whole numbers, W and H above 0");
    return ImageRegion{numbers[0], numbers[1], numbers[2], numbers[3]};
}

LibraryImage image_of(Snapshot &snapshot, std::string_view id) {
    const auto number = as_number<std::int64_t>(id);
    auto image = number ? snapshot.image(*number) : std::nullopt;
    if (!image) throw Refusal(404, "the library has no image of this id, or it is gone");
    return std::move(*image);
}

std::string_view sent_image(const HttpRequest &request) {
    const bool is_form =
        request.header("content-type").value_or("").starts_with("multipart/form-data");
    const std::string_view bytes = is_form ? first_of_form(request.body) : request.body;
    if (bytes.empty()) throw Refusal(400, "send an image as the body");
    return bytes;
}

std::vector<SharedImage> images_like(const Served &served, Snapshot &snapshot,
                                     const LibraryImage &image, const WantedImages &wanted) {
    if (!wanted.part) return results_of(image, snapshot, wanted);
    const std::string name = printable(file_name(image));
    if (!shows_its_row(image)) throw Error(Fault::input, fmt::format("{}: {}", name, not_as_read));
    std::shared_ptr<const DescribedQuery> query;
    try {
        query = served.workers.run([&] { return snapshot.search().describe(image, wanted.part); });
    } catch (const Error &error) { // its text may quote the file
        if (error.fault != Fault::input) throw;
        throw Error(Fault::input,
                    fmt::format("{}: this part has no keypoints, or cannot be read", name));
    }
    return results_of(*query, snapshot, wanted);
}

std::vector<SharedImage> images_like(const Served &served, Snapshot &snapshot,
                                     std::string_view bytes, const WantedImages &wanted) {
    const auto query = served.workers.run(
        [&] { return snapshot.search().describe(bytes, "the image that was sent", wanted.part); });
    return results_of(*query, snapshot, wanted);
}

void part_images(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    const auto one = image_of(*snapshot, request.parameter("a").value_or(""));
    const auto other = image_of(*snapshot, request.parameter("b").value_or(""));
    if (one.hash == other.hash) throw Refusal(400, "these are the same bytes");
    write_or_refuse([&] { served.copies.part(one, other); });
}

void rejoin_images(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    const auto hash_in = [&](const char *name) {
        const std::string text = request.parameter(name).value_or("");
        std::string hash = hash_of_text(text);
        return hash.empty() ? image_of(*snapshot, text).hash : hash;
    };
    const std::string one = hash_in("a"), other = hash_in("b");
    bool was_known = false;
    write_or_refuse([&] { was_known = served.copies.rejoin(std::minmax(one, other)); });
    if (!was_known)
        throw Refusal(404, "these two are not remembered as different; /not-same lists those that "
                           "are");
}

std::vector<std::pair<DifferentImage, DifferentImage>> pairs_not_same(const Served &served) {
    const auto snapshot = served.live.now();
    const auto image_of = [&](const std::string &hash) {
        return DifferentImage{text_of_hash(hash), snapshot->image_of_hash(hash)};
    };
    const auto order_of = [](const DifferentImage &one) {
        return std::pair(!one.image, one.image ? one.image->path : one.hash);
    };
    std::vector<std::pair<DifferentImage, DifferentImage>> pairs;
    for (const auto &[one, other] : served.copies.not_same()) {
        DifferentImage first = image_of(one), second = image_of(other);
        if (order_of(second) < order_of(first)) std::swap(first, second);
        pairs.emplace_back(std::move(first), std::move(second));
    }
    std::ranges::sort(pairs, {}, [&](const auto &pair) {
        return std::pair(order_of(pair.first), order_of(pair.second));
    });
    return pairs;
}

HttpAnswer jpeg_answer(const Served &served, std::string_view id, bool large) {
    const auto snapshot = served.live.now();
    const LibraryImage image = image_of(*snapshot, id);
    std::string jpeg = large ? std::string() : snapshot->thumbnail(image);
    try {
        const int side = large ? large_side : 256;
        if (jpeg.empty() && shows_its_row(image))
            jpeg = served.workers.run([&] { return thumbnail_jpeg(image.file(), side); });
    } catch (const Error &error) {
        if (error.fault != Fault::input) throw;
    }
    if (jpeg.empty()) jpeg = snapshot->thumbnail(image);
    if (jpeg.empty())
        throw Refusal(404, fmt::format("{}: {}", printable(file_name(image)), not_as_read));
    return {.type = "image/jpeg",
            .body = std::move(jpeg),
            .headers = {{"Cache-Control", "private, max-age=60"}}};
}

} // namespace bowhist
