#include <bowhist/library/relearning.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/library/learning.hpp>
#include <bowhist/library/segment_update.hpp>
#include <bowhist/library/upkeep.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <vector>

namespace bowhist {
namespace {

std::vector<FileJob> present_files(Catalogue &catalogue) {
    const FilePlaces places(catalogue.roots());
    std::vector<FileJob> jobs;
    Statement statement(catalogue.database(),
                        "SELECT id, path FROM paths WHERE gone IS NULL ORDER BY path");
    while (statement.step()) {
        FileRow file = catalogue.file(statement.number(0));
        std::string opened = places.path(catalogue, file);
        jobs.push_back({std::move(file), std::string(statement.bytes(1)), std::move(opened)});
    }
    return jobs;
}

/// Images that cannot be read now would lose their descriptions.
void require_all_roots(Catalogue &catalogue) {
    Statement has_files(catalogue.database(),
                        "SELECT 1 FROM files JOIN folders ON folders.id = folder WHERE root = ?1 "
                        "AND gone IS NULL AND content IS NOT NULL LIMIT 1");
    for (const RootRow &root : catalogue.roots()) {
        const std::filesystem::path folder = opened_front(root);
        std::error_code unknown;
        if (root.path.empty() || !has_files.with(root.id).step()) continue;
        if (std::filesystem::exists(folder, unknown) && !std::filesystem::is_empty(folder, unknown))
            continue;
        throw Error(Fault::input,
                    fmt::format("{}: {} is not there or empty, and --relearn reads every picture; "
                                "bring it back (if it is elsewhere now: --root {}=NEW), or take "
                                "it out: --remove {}",
                                std::filesystem::path(root.path), std::filesystem::path(root.place),
                                std::filesystem::path(root.path),
                                std::filesystem::path(root.path)));
    }
}

void replace_models(Catalogue &catalogue, const std::vector<StoredModel> &models) {
    for (const StoredModel &model : models) catalogue.put(model);
    drop_segments(catalogue);
    forget_gone(catalogue);
    catalogue.database().run("DELETE FROM words; DELETE FROM codes; DELETE FROM thumbnails; DELETE "
                             "FROM contents; DELETE FROM unindexed; DELETE FROM members WHERE "
                             "file NOT IN (SELECT id FROM files);");
}

} // namespace

DescribeOptions describe_options(const IndexRequest &request, const LibrarySettings &settings,
                                 double images) {
    DescribeOptions options = request.describe;
    options.positions = settings.positions;
    options.mirrored = settings.mirrored;
    options.thumbnail_side = settings.thumbnails ? library_thumbnail_side : 0;
    options.images = images;
    return options;
}

IngestCounts relearn(Catalogue &catalogue, const IndexRequest &request,
                     const LibrarySettings &settings, Observer &observer) {
    require_all_roots(catalogue);
    const std::vector<FileJob> jobs = present_files(catalogue);
    InputSource source;
    for (const FileJob &job : jobs) source.arguments.push_back(job.opened);
    const auto models = new_models(request, settings, source, observer);
    catalogue.database().run("BEGIN IMMEDIATE");
    replace_models(catalogue, models);
    const LibraryModels used = models_in(catalogue);
    Describer describer(used, describe_options(request, settings, static_cast<double>(jobs.size())),
                        observer);
    Ingest ingest(catalogue, &describer,
                  {.stream = request.describe.stream,
                   .dry = false,
                   .all_at_once = true,
                   .reads_skipped = false,
                   .after_commit = [] {}},
                  observer);
    for (const FileJob &job : jobs) ingest.add(FileJob(job));
    ingest.finish();
    record_limits(catalogue, request.describe.stream.image);
    catalogue.database().run("COMMIT");
    return ingest.counts();
}

} // namespace bowhist
