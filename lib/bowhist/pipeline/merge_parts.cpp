#include <bowhist/pipeline/merge_parts.hpp>

#include <bowhist/core/printable.hpp>
#include <bowhist/io/ending.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/pipeline/part_of_run.hpp>
#include <bowhist/tables/histograms/words_file.hpp>
#include <bowhist/tables/parts/part_file.hpp>

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// @throws Error{Fault::input}, which says so of a part that is damaged
PartHead head_of(PartReader &part) {
    try {
        return head_in(part.file(), part.head());
    } catch (const Error &) {
        std::string row;
        while (part.next(row)) {
        }
        throw;
    }
}

std::vector<PartOfOneRun> read_heads(std::span<const fs::path> paths) {
    std::vector<PartOfOneRun> parts;
    for (const fs::path &path : paths) {
        PartReader part(path);
        parts.push_back({path, head_of(part)});
    }
    require_one_run(parts);
    return parts;
}

/// Takes the rows of all parts, in order.
class Whole {
  public:
    virtual ~Whole() = default;
    virtual void add(std::string_view row, const InputFile &part) = 0;
    virtual void finish(Observer &observer) = 0;
};

class WholeHistograms : public Whole {
  public:
    WholeHistograms(const HistogramFileInfo &info, const fs::path &output)
        : words_(info.words), writer_(open_histograms(output, info)) {}
    void add(std::string_view row, const InputFile &part) override {
        writer_->write(histogram_in(row, words_, part));
    }
    void finish(Observer & /*observer*/) override { writer_->finish(); }

  private:
    std::size_t words_;
    std::unique_ptr<HistogramWriter> writer_;
};

class WholeRows : public Whole {
  public:
    WholeRows(const RowFileInfo &info, const fs::path &output)
        : info_(info), writer_(open_rows(output, info)) {}
    void add(std::string_view row, const InputFile &part) override {
        const StoredRow stored = row_in(row, info_, part);
        writer_->write({stored.image, stored.descriptors, stored.code, stored.row});
    }
    void finish(Observer & /*observer*/) override { writer_->finish(); }

  private:
    RowFileInfo info_;
    std::unique_ptr<RowWriter> writer_;
};

void require_ending(const fs::path &output, std::string_view ending, std::string_view content) {
    if (ending_of(output) == ending) return;
    throw Error(Fault::usage, fmt::format("{}: these parts hold {}; end the name of OUT in {}",
                                          output.empty() ? "standard output" : printable(output),
                                          content, ending));
}

class WholeWords : public Whole {
  public:
    explicit WholeWords(const fs::path &output) : file_(checked(output)) {}
    void add(std::string_view row, const InputFile &part) override {
        file_.write(words_in(row, part));
    }
    void finish(Observer & /*observer*/) override { file_.finish(); }

  private:
    static const fs::path &checked(const fs::path &output) {
        if (!output.empty()) require_ending(output, ".npy", "words");
        return output;
    }
    WordsFile file_;
};

class WholeDescriptors : public Whole {
  public:
    explicit WholeDescriptors(const fs::path &output) : output_(output), file_(checked(output)) {}
    void add(std::string_view row, const InputFile &part) override {
        const StoredDescriptors stored = descriptors_in(row, part);
        file_.write(stored.descriptors, stored.image);
    }
    void finish(Observer &observer) override {
        if (file_.finish_unless_empty()) return;
        observer.warning(
            fmt::format("{}: stays as it was; there is nothing to put in its place", output_));
    }

  private:
    static const fs::path &checked(const fs::path &output) {
        require_ending(output, ".fbin", "descriptors");
        return output;
    }
    fs::path output_;
    CollectionWriter file_;
};

/// The descriptors of a run that has one input.
class WholeImage : public Whole {
  public:
    explicit WholeImage(const fs::path &output) : output_(output) {
        require_ending(output, ".fbin", "descriptors");
    }
    void add(std::string_view row, const InputFile &part) override {
        const StoredDescriptors stored = descriptors_in(row, part);
        write_descriptors(output_, stored.descriptors, stored.image);
    }
    void finish(Observer & /*observer*/) override {}

  private:
    fs::path output_;
};

struct OpenWhole {
    const fs::path &output;

    std::unique_ptr<Whole> operator()(const HistogramFileInfo &info) const {
        return std::make_unique<WholeHistograms>(info, output);
    }
    std::unique_ptr<Whole> operator()(const RowFileInfo &info) const {
        return std::make_unique<WholeRows>(info, output);
    }
    std::unique_ptr<Whole> operator()(const WordsInfo & /*info*/) const {
        return std::make_unique<WholeWords>(output);
    }
    std::unique_ptr<Whole> operator()(const DescriptorsInfo &info) const {
        if (!info.collection) return std::make_unique<WholeImage>(output);
        return std::make_unique<WholeDescriptors>(output);
    }
    std::unique_ptr<Whole> operator()(const LibraryInfo & /*info*/) const {
        throw Error(Fault::input, "these parts are of a library; make them again");
    }
};

/// Adds up counts. All else is the same in all parts, and is taken from the first.
void add_up(InputSummary &all, InputSummary &&part, bool is_first) {
    part.counts += all.counts;
    if (is_first)
        all = std::move(part);
    else
        all.counts = part.counts;
}

} // namespace

InputSummary merge_parts(std::span<const fs::path> paths, const fs::path &output,
                         Observer &observer) {
    const std::vector<PartOfOneRun> parts = read_heads(paths);
    check_outputs({output}, Paths(paths.begin(), paths.end()));
    const auto whole = std::visit(OpenWhole{output}, parts.front().head.content);
    InputSummary run;
    std::string row;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        PartReader reader(parts[i].path);
        while (reader.next(row)) {
            observer.stop_if_interrupted();
            whole->add(row, reader.file());
        }
        add_up(run, end_in(reader), i == 0);
        observer.progress("parts", i + 1, parts.size());
    }
    require_read(run);
    whole->finish(observer);
    return run;
}

} // namespace bowhist
