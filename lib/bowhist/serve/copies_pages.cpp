// The page of copies, and that of pairs that are not the same.
#include <bowhist/serve/pages.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/report/copy_pair.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace bowhist {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t pairs_a_page = 50;

struct Pair {
    const DuplicateGroup *group;
    const Duplicate *image;
};

std::vector<Pair> pairs_of(const Duplicates &found) {
    std::vector<Pair> pairs;
    for (const DuplicateGroup &group : found.groups)
        for (const Duplicate &image : group.images)
            if (&image != &group.images.front()) pairs.push_back({&group, &image});
    return pairs;
}

/// Marks are kept by the browser, for all that is served at this address: other libraries, and
/// this one after an update, have others.
std::string name_of_marks(const Served &served) {
    const std::string state = std::filesystem::absolute(served.request.library).native() + '\0' +
                              served.live.now()->stamp();
    return fmt::format("bowhist-drop-{:016x}", XXH3_64bits(state.data(), state.size()));
}

/// Pairs, and pictures in no group, of one page.
class PairElements {
  public:
    explicit PairElements(bool read_only) : read_only_(read_only) {}

    std::string add(const Pair &pair) {
        const Duplicate &copy = *pair.image;
        const Duplicate &with = pair.group->images[copy.with];
        const bool is_known = read_only_ || copy.image.hash == with.image.hash;
        const PairImage shown_with = shown(with);
        return pair_element(
            {.row = &copy,
             .number = ++number_,
             .with = shown_with,
             .copy = shown(copy),
             .tools = is_known ? ""
                               : fmt::format("<form method=\"post\" action=\"/not-same?a={}&amp;"
                                             "b={}\"><button>Not the same</button></form>",
                                             copy.image.id, with.image.id)});
    }

    std::string add(const ApartImage &row) {
        ApartPicture apart{.row = &row, .picture = shown(row.image)};
        for (std::size_t i = 0; i < std::min(row.with.size(), most_shown_with); ++i)
            apart.with.push_back(shown(row.with[i]));
        return apart_element(apart);
    }

  private:
    PairImage shown(const Duplicate &image) {
        PairImage pair = shown(image.image);
        pair.kept = image.kept;
        pair.spare = is_spare(image);
        return pair;
    }

    PairImage shown(const LibraryImage &image) {
        const std::int64_t id = image.id;
        const bool is_first = ids_.insert(id).second;
        return {.image = &image,
                .id = fmt::format("image-{}", id),
                .url = is_first ? fmt::format("/views/{}", id) : "",
                .link = fmt::format("/images/{}", id),
                .is_there = true};
    }

    bool read_only_;
    std::size_t number_ = 0;
    std::set<std::int64_t> ids_;
};

/// "3 pairs are remembered as not the same", where there are any.
std::string link_to_not_same(const Served &served) {
    const std::size_t pairs = served.copies.not_same().size();
    if (pairs == 0) return {};
    return fmt::format(
        "<p class=\"lead\"><a href=\"/not-same\">{} {} remembered as not the same</a></p>\n",
        counted(pairs, "pair"), pairs == 1 ? "is" : "are");
}

std::string figure_of(const DifferentImage &one) {
    if (one.image) return linked_image(*one.image, "");
    return fmt::format("<figure><span class=\"missing\">its file is gone</span><figcaption>hash "
                       "{}</figcaption></figure>\n",
                       one.hash);
}

/// Names a picture by its id, or by its hash if it is gone.
std::string name_of(const DifferentImage &one) {
    return one.image ? fmt::format("{}", one.image->id) : one.hash;
}

} // namespace

HttpAnswer duplicates_page(const Served &served, const HttpRequest &request) {
    const Copies::State state = served.copies.get(2s);
    if (!state.problem.empty()) return problem_page(served, 422, state.problem);
    if (!state.found) return waiting_page(served, "Copies", state.done, state.total);
    const std::vector<Pair> pairs = pairs_of(*state.found);
    const std::vector<ApartImage> &apart = state.found->apart;
    const std::size_t all = pairs.size() + apart.size();
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const std::size_t first = std::min((page - 1) * pairs_a_page, all);
    PageHead head = served_head(served.request, "Copies");
    head.marks = name_of_marks(served);
    std::string body = page_head(head);
    body += fmt::format("<h1>{} of copies among {}</h1>\n<p class=\"lead\">Each copy stands beside "
                        "the picture that it is held against. The outline is what the other one "
                        "shows.</p>\n",
                        counted(state.found->groups.size(), "group"),
                        counted(state.found->images, "picture"));
    body += link_to_not_same(served);
    PairElements elements(served.request.read_only);
    for (std::size_t i = first; i < std::min(first + pairs_a_page, all); ++i) {
        if (i >= pairs.size() && (i == pairs.size() || i == first))
            body += apart_heading(apart.size());
        body += i < pairs.size() ? elements.add(pairs[i]) : elements.add(apart[i - pairs.size()]);
    }
    body += links_to_parts(all, pairs_a_page, page, "/duplicates?page=");
    body += drop_list(all > pairs_a_page ? "all pages" : "", "/api/spare");
    return html_answer(body.append(page_end), head);
}

HttpAnswer not_same_page(const Served &served, const HttpRequest &request) {
    const auto pairs = pairs_not_same(served);
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const std::size_t first = std::min((page - 1) * pairs_a_page, pairs.size());
    std::string body = fmt::format(
        "<h1>{} not the same</h1>\n<p class=\"lead\">The library remembers that these are "
        "different pictures. Those that are the same again are looked for among the copies.</p>\n",
        counted(pairs.size(), "pair"));
    for (std::size_t i = first; i < std::min(first + pairs_a_page, pairs.size()); ++i) {
        const auto &[one, other] = pairs[i];
        body += "<div class=\"pair different\" data-holder><div class=\"two\">\n" + figure_of(one) +
                figure_of(other) + "</div>\n";
        if (!served.request.read_only)
            body += fmt::format("<form class=\"tools\" method=\"post\" action=\"/same-again?a={}"
                                "&amp;b={}\"><button>The same again</button></form>",
                                name_of(one), name_of(other));
        body += "</div>\n";
    }
    body += links_to_parts(pairs.size(), pairs_a_page, page, "/not-same?page=");
    return served_page(served, "Not the same", body, "/duplicates", "Copies");
}

HttpAnswer part_and_return(const Served &served, const HttpRequest &request) {
    part_images(served, request);
    return {.status = 303, .type = "text/plain", .headers = {{"Location", "/duplicates"}}};
}

HttpAnswer rejoin_and_return(const Served &served, const HttpRequest &request) {
    rejoin_images(served, request);
    return {.status = 303, .type = "text/plain", .headers = {{"Location", "/not-same"}}};
}

} // namespace bowhist
