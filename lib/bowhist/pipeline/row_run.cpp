#include <bowhist/pipeline/row_run.hpp>

#include <bowhist/assign/choose/unused_options.hpp>
#include <bowhist/pipeline/folder_labels_of.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/tables/parts/part_rows.hpp>

#include <fmt/format.h>

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
    writer_->finish();
    run_.inputs.counts = counts;
    if (part_) part_->finish(run_.inputs);
    if (assigner_) run_.parts.push_back({level_, assigner_->report()});
    if (report) run_.parts.push_back({level_, *report});
    return std::move(run_);
}

std::string steps_of(const VocabularyPair &pair) {
    const Preparation *preparation = pair.recorded.preparation();
    return preparation ? as_text(preparation->steps) : "";
}

} // namespace bowhist
