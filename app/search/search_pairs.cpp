// COLMAP's list of pairs of images: a line "a b" each, names as they stand in its database. It has
// no quotes: blanks part names, and a line that begins with # is a comment.
#include "app/search/search_rows.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace bowhist::app {
namespace {

class SearchPairs : public SearchRows {
  public:
    SearchPairs(const SearchOutput &output, Observer &observer)
        : file_(output.path), strict_(output.strict), observer_(observer) {}

    void write(const std::string &query, const std::vector<FoundImage> &found) override {
        const auto first = number_of(query);
        if (!first) return;
        for (const FoundImage &image : found) {
            const auto second = number_of(image.path);
            if (second && first != second)
                pairs_.push_back(std::uint64_t{std::min(*first, *second)} << 32U |
                                 std::max(*first, *second));
        }
    }

    /// Each pair once, in whichever order its images were met.
    void finish() override {
        std::ranges::sort(pairs_);
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
        for (const std::uint64_t pair : pairs_)
            file_.write(fmt::format("{} {}\n", *names_[pair >> 32U], *names_[pair & 0xFFFFFFFFU]));
        file_.commit();
    }

    std::size_t refused() const override { return refused_; }

  private:
    /// Numbers names in the order in which they are met; nothing for one that a list cannot hold.
    std::optional<std::uint32_t> number_of(std::string name) {
        while (name.starts_with("./")) name.erase(0, 2); // of images that were found in .
        const auto next = static_cast<std::uint32_t>(names_.size());
        const auto [place, is_new] = numbers_.try_emplace(name, next);
        if (!is_new) return place->second;
        if (fits(name)) {
            names_.push_back(&place->first);
            return next;
        }
        place->second = std::nullopt;
        refuse(name);
        return std::nullopt;
    }

    static bool fits(const std::string &name) {
        return !name.starts_with('#') && std::ranges::none_of(name, [](char c) {
            return c == ' ' || (c >= '\t' && c <= '\r');
        });
    }

    void refuse(const std::string &name) {
        const std::string problem =
            fmt::format("{}: COLMAP's lists hold no name with a blank or a # in front; rename it, "
                        "or write .csv",
                        std::filesystem::path(name));
        if (strict_) throw Error(Fault::input, problem);
        observer_.skipped(problem);
        ++refused_;
    }

    AtomicFile file_;
    bool strict_;
    Observer &observer_;
    std::unordered_map<std::string, std::optional<std::uint32_t>> numbers_;
    std::vector<const std::string *> names_; ///< keys of numbers_, which stay where they are
    std::vector<std::uint64_t> pairs_;
    std::size_t refused_ = 0;
};

} // namespace

std::unique_ptr<SearchRows> write_search_pairs(const SearchOutput &output, Observer &observer) {
    return std::make_unique<SearchPairs>(output, observer);
}

} // namespace bowhist::app
