#include <bowhist/serve/answers.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/io/surrogate_escape.hpp>

#include <fmt/format.h>

namespace bowhist {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_results = 10'000;

HttpAnswer json(std::string body) {
    return {.body = std::move(body += '\n')};
}

std::string json_of(const DuplicateGroup &group, const Duplicate &image) {
    const bool is_best = &image == &group.images.front();
    std::string text = fmt::format(R"({{"id":{},"image":{},"best":{})", image.image.id,
                                   json_string(image.image.path), is_best);
    if (is_best) return text + "}";
    const AffineMap &map = image.map;
    return text += fmt::format(
               R"(,"with":{},"kind":"{}","score":{:.6f},"agree":{},"overlap":{:.6f},)"
               R"("map":[{:.6f},{:.6f},{:.3f},{:.6f},{:.6f},{:.3f}],"compared":{}}})",
               group.images[image.with].image.id, image.kinds.text(), image.score, image.agree,
               image.overlap, map.a11, map.a12, map.tx, map.a21, map.a22, map.ty, image.compared);
}

std::string json_of(const ApartImage &apart) {
    std::string with;
    for (const LibraryImage &image : apart.with)
        with += fmt::format("{}{}", with.empty() ? "" : ",", image.id);
    return fmt::format(
        R"({{"id":{},"image":{},"kind":"{}","with":[{}],"score":{:.6f},"compared":{}}})",
        apart.image.id, json_string(apart.image.path), apart.kinds.text(), with, apart.score,
        apart.compared);
}

std::string json_of(const DifferentImage &one) {
    std::string text = fmt::format(R"({{"hash":"{}")", one.hash);
    if (one.image)
        text += fmt::format(R"(,"id":{},"image":{})", one.image->id, json_string(one.image->path));
    return text + "}";
}

/// While copies are looked for.
HttpAnswer not_found_yet(const Copies::State &state) {
    HttpAnswer answer = json(fmt::format(R"({{"done":{},"of":{}}})", state.done, state.total));
    answer.status = 202;
    answer.headers.emplace_back("Retry-After", "1");
    return answer;
}

} // namespace

std::string json_of(const Duplicates &found) {
    std::string body = fmt::format(R"({{"images":{},"groups":[)", found.images);
    for (const DuplicateGroup &group : found.groups) {
        body += &group == found.groups.data() ? "[" : ",[";
        for (const Duplicate &image : group.images)
            body += (&image == group.images.data() ? "" : ",") + json_of(group, image);
        body += "]";
    }
    body += R"(],"apart":[)";
    for (const ApartImage &apart : found.apart)
        body += (&apart == found.apart.data() ? "" : ",") + json_of(apart);
    return body + "]}\n";
}

HttpAnswer search_answer(const Served &served, const HttpRequest &request) {
    const auto snapshot = served.live.now();
    WantedImages wanted{number_in(request, "top", 1, most_results, 20), region_in(request)};
    if (number_in(request, "distinct", 0, 1, 0) == 1) {
        Copies::State copies = served.copies.get(10s);
        if (!copies.problem.empty()) throw Refusal(422, copies.problem);
        if (!copies.found) return not_found_yet(copies);
        wanted.copies = std::move(copies.found);
    }
    std::vector<SharedImage> found;
    const auto id = request.parameter("id");
    if (request.method == "POST")
        found = images_like(served, *snapshot, sent_image(request), wanted);
    else if (id)
        found = images_like(served, *snapshot, image_of(*snapshot, *id), wanted);
    else
        throw Refusal(400, "give id=ID, an image of the library, or POST an image as the body");
    std::string body = "{\"results\":[";
    for (std::size_t i = 0; i < found.size(); ++i)
        body +=
            fmt::format(R"({}{{"rank":{},"id":{},"image":{},"score":{:.6f}}})", i > 0 ? "," : "",
                        i + 1, found[i].image.id, json_string(found[i].image.path), found[i].score);
    return json(body + "]}");
}

HttpAnswer image_answer(const Served &served, std::string_view id) {
    const auto snapshot = served.live.now();
    const LibraryImage image = image_of(*snapshot, id);
    std::string body =
        fmt::format(R"({{"id":{},"image":{},"width":{},"height":{},"bytes":{})", image.id,
                    json_string(image.path), image.width, image.height, image.stamp.size);
    if (image.captured) body += fmt::format(R"(,"captured":{})", json_string(*image.captured));
    const LibraryGroups &groups = snapshot->groups();
    if (const auto group = groups.members.find(image.id); group != groups.members.end())
        body += fmt::format(R"(,"group":{})", group->second);
    return json(body + fmt::format(R"(,"thumbnail":"/thumbnails/{}"}})", image.id));
}

HttpAnswer duplicates_answer(const Served &served) {
    const Copies::State state = served.copies.get(10s);
    if (!state.problem.empty()) throw Refusal(422, state.problem);
    if (!state.found) return not_found_yet(state);
    return {.shared =
                served.copies.text_of(state.found, [&state] { return json_of(*state.found); })};
}

HttpAnswer spare_answer(const Served &served) {
    const Copies::State state = served.copies.get(10s);
    if (!state.problem.empty()) throw Refusal(422, state.problem);
    if (!state.found) return not_found_yet(state);
    std::string body;
    for (const DuplicateGroup &group : state.found->groups)
        for (const Duplicate &image : group.images)
            if (is_spare(image))
                body += fmt::format(R"({}{{"id":{},"image":{}}})", body.empty() ? "" : ",",
                                    image.image.id, json_string(image.image.path));
    return json(R"({"spare":[)" + body + "]}");
}

HttpAnswer status_answer(const Served &served) {
    const auto snapshot = served.live.now();
    const LibraryStatus &status = snapshot->status();
    std::string skips;
    for (const SkippedFile &skip : snapshot->skips())
        skips += fmt::format(R"({}{{"path":{},"reason":{}}})", skips.empty() ? "" : ",",
                             json_string(skip.path), json_string(skip.reason));
    return json(fmt::format(
        R"({{"images":{},"paths":{},"gone":{},"skipped":{},"skips":[{}],"updated":{},"holds":{},"groups":{},"bytes":{}}})",
        status.images, status.files, status.gone, status.skipped, skips, status.updated,
        json_string(status.holds), status.groups.size(), status.file_bytes));
}

HttpAnswer not_same_answer(const Served &served, const HttpRequest &request) {
    part_images(served, request);
    return json(R"({"remembered":true})");
}

HttpAnswer same_again_answer(const Served &served, const HttpRequest &request) {
    rejoin_images(served, request);
    return json(R"({"forgotten":true})");
}

HttpAnswer pairs_answer(const Served &served) {
    std::string body;
    for (const auto &[first, second] : pairs_not_same(served))
        body += fmt::format("{}[{},{}]", body.empty() ? "" : ",", json_of(first), json_of(second));
    return json(R"({"pairs":[)" + body + "]}");
}

} // namespace bowhist
