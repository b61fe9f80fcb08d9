// The page of copies, and "not the same".
#include <bowhist/serve/pages.hpp>

#include <bowhist/core/counted.hpp>
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

/// Pairs of one page.
class PairElements {
  public:
    explicit PairElements(bool read_only) : read_only_(read_only) {}

    std::string add(const Pair &pair) {
        const Duplicate &copy = *pair.image;
        const Duplicate &with = pair.group->images[copy.with];
        const bool is_known = read_only_ || copy.image.hash == with.image.hash;
        return pair_element(
            {.number = ++number_,
             .with = shown(with),
             .copy = shown(copy),
             .tools = is_known ? ""
                               : fmt::format("<form method=\"post\" action=\"/not-same?a={}&amp;"
                                             "b={}\"><button>Not the same</button></form>",
                                             copy.image.id, with.image.id)});
    }

  private:
    PairImage shown(const Duplicate &image) {
        const std::int64_t id = image.image.id;
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

} // namespace

HttpAnswer duplicates_page(const Served &served, const HttpRequest &request) {
    const Copies::State state = served.copies.get(2s);
    if (!state.problem.empty()) return problem_page(served, 422, state.problem);
    if (!state.found) return waiting_page(served, "Copies", state.done, state.total);
    const std::vector<Pair> pairs = pairs_of(*state.found);
    const std::size_t page = number_in(request, "page", 1, 1'000'000'000, 1);
    const std::size_t first = std::min((page - 1) * pairs_a_page, pairs.size());
    PageHead head = served_head(served.request, "Copies");
    head.marks = name_of_marks(served);
    std::string body = page_head(head);
    body += fmt::format("<h1>{} of copies among {}</h1>\n<p class=\"lead\">Each copy stands beside "
                        "the picture that it is held against. The outline is what the other one "
                        "shows.</p>\n",
                        counted(state.found->groups.size(), "group"),
                        counted(state.found->images, "picture"));
    PairElements elements(served.request.read_only);
    for (std::size_t i = first; i < std::min(first + pairs_a_page, pairs.size()); ++i)
        body += elements.add(pairs[i]);
    body += links_to_parts(pairs.size(), pairs_a_page, page, "/duplicates?page=");
    body += drop_list;
    return html_answer(body.append(page_end), head);
}

HttpAnswer not_same_page(const Served &served, const HttpRequest &request) {
    part_images(served, request);
    return {.status = 303, .type = "text/plain", .headers = {{"Location", "/duplicates"}}};
}

} // namespace bowhist
