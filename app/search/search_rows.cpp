#include "app/search/search_rows.hpp"

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/surrogate_escape.hpp>
#include <bowhist/search/results_npz.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

namespace bowhist::app {
namespace {

/// "1.000000,0.000000,12.000,0.000000,1.000000,3.500"
std::string numbers_of(const AffineMap &map) {
    return fmt::format("{:.6f},{:.6f},{:.3f},{:.6f},{:.6f},{:.3f}", map.a11, map.a12, map.tx,
                       map.a21, map.a22, map.ty);
}

/// Results as text, one by one.
class SearchText : public SearchRows {
  public:
    explicit SearchText(const SearchOutput &output)
        : format_(output.format), checks_(output.checks),
          file_(file_or_standard_output(output.path)) {
        if (format_ != SearchFormat::csv) return;
        file_.write(checks_ ? "query,rank,image,score,agree,a11,a12,tx,a21,a22,ty\n"
                            : "query,rank,image,score\n");
    }

    void write(const std::string &query, const std::vector<FoundImage> &found) override {
        lines_.clear();
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (format_ == SearchFormat::csv)
                append_csv(query, i + 1, found[i]);
            else if (format_ == SearchFormat::jsonl)
                append_jsonl(query, i + 1, found[i]);
            else
                (lines_ += found[i].path) += '\0';
        }
        file_.write(lines_);
    }

    void finish() override { file_.commit(); }

  private:
    void append_csv(const std::string &query, std::size_t rank, const FoundImage &image) {
        append_csv_field(lines_, query);
        lines_ += fmt::format(",{},", rank);
        append_csv_field(lines_, image.path);
        lines_ += fmt::format(",{:.6f}", image.score);
        if (checks_ && image.place && image.place->agree > 0)
            lines_ += fmt::format(",{},{}", image.place->agree, numbers_of(image.place->map));
        else if (checks_)
            lines_ += fmt::format(",{},,,,,,", image.place ? "0" : "");
        lines_ += '\n';
    }

    void append_jsonl(const std::string &query, std::size_t rank, const FoundImage &image) {
        lines_ += fmt::format(R"({{"query":{},"rank":{},"image":{},"score":{:.6f})",
                              json_string(query), rank, json_string(image.path), image.score);
        if (image.place) lines_ += fmt::format(R"(,"agree":{})", image.place->agree);
        if (image.place && image.place->agree > 0)
            lines_ += fmt::format(R"(,"map":[{}])", numbers_of(image.place->map));
        lines_ += "}\n";
    }

    SearchFormat format_;
    bool checks_;
    AtomicFile file_;
    std::string lines_;
};

class SearchNpz : public SearchRows {
  public:
    SearchNpz(const SearchOutput &output, const Search &search)
        : npz_(output.path, output.most, output.checks, search) {}

    void write(const std::string &query, const std::vector<FoundImage> &found) override {
        npz_.write(query, found);
    }
    void finish() override { npz_.finish(); }

  private:
    ResultsNpz npz_;
};

} // namespace

std::unique_ptr<SearchRows> write_search_rows(const SearchOutput &output, const Search &search,
                                              Observer &observer) {
    if (output.format == SearchFormat::pairs) return write_search_pairs(output, observer);
    if (output.format == SearchFormat::npz) return std::make_unique<SearchNpz>(output, search);
    return std::make_unique<SearchText>(output);
}

} // namespace bowhist::app
