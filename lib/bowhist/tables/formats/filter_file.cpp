#include <bowhist/tables/formats/filter_file.hpp>

#include <bowhist/core/as_number.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/input_file.hpp>

#include <string_view>

namespace bowhist {
namespace {

/// Cuts the text up to the first of `ends` off its front; that one is dropped.
std::string_view cut(std::string_view &text, std::string_view ends) {
    const auto size = text.find_first_of(ends);
    const std::string_view front = text.substr(0, size);
    text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
    return front;
}

class Reader {
  public:
    explicit Reader(const InputFile &file) : file_(file) {}

    Filter filter() const { return filter_; }

    void read_line(std::string_view line) {
        ++line_;
        line = line.substr(0, line.find('#'));
        std::size_t weights = 0;
        while (!line.empty())
            if (const auto word = cut(line, " \t\r,"); !word.empty()) {
                filter_.weights.push_back(number(word));
                ++weights;
            }
        if (weights == 0) return;
        if (filter_.height == 0) filter_.width = weights;
        if (weights != filter_.width)
            file_.fail(
                "line {} has {} numbers, those above have {}; give every row of the filter as many",
                line_, weights, filter_.width);
        ++filter_.height;
    }

  private:
    float number(std::string_view word) const {
        if (word.front() == '+') word.remove_prefix(1);
        if (const auto value = as_number<float>(word)) return *value;
        file_.fail("line {} holds {}, which is no number of a filter", line_, excerpt(word));
    }

    const InputFile &file_;
    Filter filter_;
    std::size_t line_ = 0;
};

} // namespace

Filter read_filter(const std::filesystem::path &path) {
    constexpr std::uint64_t most_bytes = 1 << 20; // 961 numbers with comments
    InputFile file(path, Fault::usage);
    if (file.size() > most_bytes)
        file.fail("has {} bytes; a filter has at most {} numbers", file.size(),
                  Filter::longest_side * Filter::longest_side);
    const std::string text = file.read_text();
    Reader reader(file);
    for (std::string_view rest = text; !rest.empty();) reader.read_line(cut(rest, "\n"));
    const Filter filter = reader.filter();
    if (const auto fault = fault_of(filter)) file.fail("holds {}", *fault);
    return filter;
}

} // namespace bowhist
