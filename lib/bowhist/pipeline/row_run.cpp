#include <bowhist/pipeline/row_run.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pipeline/device_encoder.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/tables/parts/part_file.hpp>

#include <fmt/format.h>

#include <utility>

namespace bowhist {

RowRun::RowRun(const HistogramRequest &request, const VocabularyPair &recorded, Observer &observer)
    : request_(request), observer_(observer), recipe_(request.recipe, recorded),
      wished_(request.level) {
    run_.inputs.list = list_given_inputs(request.inputs, request.stream.strict, observer);
    run_.inputs.recipe = recipe_.recipe();
    check_outputs({request.output}, {request.centroids, request.inputs.list}, list());
    wished_.options.threads = request.stream.threads;
    wished_.options.observer = &observer;
    wished_.options.tree = recorded.tree;
    options =
        recipe_.options_for(list(), request.stream, {wished_.device, wished_.kernel_dir}, observer);
    run_.inputs.few = options.few;
}

void RowRun::choose_level_for(const Vocabulary &words, const std::string &steps) {
    choose_level(words);
    describe(steps, "assigning with " + level_.name());
    assigner_ = level_.prepare(words);
}

const LevelChoice &RowRun::choose_level(const Vocabulary &words) {
    constexpr double rows_an_image = 10'000; // about: none was read yet
    const double rows = rows_an_image * static_cast<double>(list().inputs.size());
    wished_.host_seconds = host_seconds(wished_, words.dimensions, words.size(), rows);
    level_ = bowhist::choose_level(wished_, words.dimensions, words.size());
    warn_of_unused_device(wished_, level_, options.preprocessor != nullptr, observer_);
    return level_;
}

void RowRun::describe(const std::string &steps, const std::string &what) const {
    observer_.note(fmt::format("extracting with {}{}, {}", extractor_text(),
                               steps.empty() ? "" : ", preparing by " + steps, what));
}

std::optional<HistogramRun> RowRun::settle(RowFileInfo info) {
    if (request_.labels_by_folder) info.labels = folder_labels_of(list(), observer_);
    info_ = std::move(info);
    if (!request_.shard) return std::nullopt;
    part_.emplace(PartRequest{.shard = *request_.shard,
                              .output = request_.output,
                              .dimensions = recipe_.extractor().dimensions(),
                              .vocabulary = info_.fingerprint,
                              .content = info_},
                  run_.inputs, options);
    auto complete = part_->complete();
    if (!complete) return std::nullopt;
    return HistogramRun{*std::move(complete), {}, true};
}

void RowRun::open() {
    writer_ = part_ ? rows_into(part_->writer(), info_) : open_rows(request_.output, info_);
}

void RowRun::write(const EncodedImage &encoded) {
    writer_->write({encoded.image, encoded.descriptors, encoded.code, encoded.row});
}

HistogramRun RowRun::finish(const StreamCounts &counts,
                            const std::optional<AssignmentReport> &report) {
    run_.inputs.counts = counts;
    if (!part_) require_read(run_.inputs);
    writer_->finish();
    if (part_) part_->finish(run_.inputs);
    if (assigner_) run_.parts.push_back({level_, assigner_->report()});
    if (report) run_.parts.push_back({level_, *report});
    return std::move(run_);
}

std::string steps_of(const VocabularyPair &pair) {
    const Preparation *preparation = pair.recorded.preparation();
    return preparation ? as_text(preparation->steps) : "";
}

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class WordsOfLevel : public RowWords {
  public:
    explicit WordsOfLevel(DeviceAssigner &assigner) : assigner_(assigner) {}

    const std::shared_ptr<Device> &device() const override { return assigner_.device(); }
    std::size_t batch_rows() const override { return assigner_.batch_rows(); }

    const Buffer<cl_int> &find(const DeviceDescriptors &rows, std::size_t count,
                               std::size_t bags) override {
        Device &device = *assigner_.device();
        reserve(device, found_.words, count);
        reserve(device, found_.unproven, count + 1);
        reserve(device, found_.histograms, bags * vocabulary().size());
        device.fill<cl_uint>(found_.histograms, 0, found_.histograms.size);
        assigner_.queue(rows, found_);
        cl_uint unproven = 0;
        device.download(std::span(&unproven, 1), found_.unproven);
        unproven_ += unproven + assigner_.search().contested();
        return found_.words;
    }

    std::vector<std::int32_t> find(std::span<const float> rows) override {
        return assigner_.run({rows, {}, 1}).words;
    }

    void note(std::uint64_t rows, std::chrono::steady_clock::time_point start) override {
        assigner_.take_times();
        assigner_.note(rows, std::exchange(unproven_, 0), seconds_since(start));
    }

    const AssignmentReport &report() const override { return assigner_.report(); }
    void put_back(const AssignmentReport &report) override { assigner_.put_back(report); }
    const Vocabulary &vocabulary() const override { return assigner_.search().vocabulary(); }

  private:
    DeviceAssigner &assigner_;
    DeviceWords found_;
    std::uint64_t unproven_ = 0; ///< since the last note()
};

class WordsNearest : public RowWords {
  public:
    WordsNearest(DeviceNearestWords &nearest, const Vocabulary &words)
        : nearest_(nearest), words_(words) {}

    const std::shared_ptr<Device> &device() const override { return nearest_.device(); }
    std::size_t batch_rows() const override { return nearest_.batch_rows(); }

    const Buffer<cl_int> &find(const DeviceDescriptors &rows, std::size_t count,
                               std::size_t /*bags*/) override {
        return nearest_.find(rows.values, count);
    }

    std::vector<std::int32_t> find(std::span<const float> rows) override {
        return nearest_.host().find(rows);
    }

    void note(std::uint64_t rows, std::chrono::steady_clock::time_point start) override {
        nearest_.take_times();
        nearest_.note(rows, seconds_since(start));
    }

    const AssignmentReport &report() const override { return nearest_.report(); }
    void put_back(const AssignmentReport &report) override { nearest_.put_back(report); }
    const Vocabulary &vocabulary() const override { return words_; }

  private:
    DeviceNearestWords &nearest_;
    const Vocabulary &words_;
};

} // namespace

std::unique_ptr<RowWords> words_by(DeviceAssigner &assigner) {
    return std::make_unique<WordsOfLevel>(assigner);
}

std::unique_ptr<RowWords> words_by(DeviceNearestWords &nearest, const Vocabulary &words) {
    return std::make_unique<WordsNearest>(nearest, words);
}

} // namespace bowhist
