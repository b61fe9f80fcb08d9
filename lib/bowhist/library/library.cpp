#include <bowhist/library/library.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/description_rows.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/file_places.hpp>
#include <bowhist/library/groups.hpp>
#include <bowhist/library/models.hpp>
#include <bowhist/library/segments/segments.hpp>

#include <fmt/format.h>

#include <fnmatch.h>

#include <set>

namespace bowhist {
namespace {

constexpr int first_of_folder = FileColumns::count; ///< column of file_rows()
constexpr int first_of_content = first_of_folder + 3;
constexpr int column_of_path = first_of_content + ContentColumns::count;

std::string file_rows(const FileColumns &files, const ContentColumns &contents) {
    return fmt::format(
        "SELECT {}, folders.root, folders.path, folders.checksum, {}, paths.path FROM files "
        "JOIN folders ON folders.id = files.folder JOIN contents ON contents.id = files.content "
        "JOIN paths ON paths.id = files.id "
        "WHERE files.gone IS NULL AND contents.skipped IS NULL ",
        files.selected(), contents.selected());
}

/// A file with its content.
struct ReadFile {
    FileRow file;
    ContentRow content;
};

} // namespace

class Library::Reader {
  public:
    explicit Reader(const std::filesystem::path &path)
        : database_(open_to_read(path)), catalogue_(*database_), columns_(*database_),
          file_columns_(*database_), descriptions_(catalogue_),
          named_(*database_, "SELECT content, file FROM files WHERE folder=?1 AND name=?2 AND gone "
                             "IS NULL AND content IS NOT NULL"),
          of_content_(*database_, file_rows(file_columns_, columns_) +
                                      "AND files.content=?1 ORDER BY paths.path"),
          segments_(*database_), roots_(catalogue_.roots()), file_places_(roots_) {
        for (const StoredModel &model : catalogue_.models(false))
            models_[model.kind] = {model.fingerprint, model.recipe, model.size};
    }

    const std::map<std::string, LibraryModel> &models() const { return models_; }

    void for_each_image(const std::function<void(const LibraryImage &)> &use,
                        const std::string &glob) {
        const auto several = files_of_several_paths();
        std::set<std::pair<std::int64_t, std::int64_t>> met;
        Statement statement(*database_, file_rows(file_columns_, columns_) + "ORDER BY paths.path");
        while (statement.step()) {
            const ReadFile row = read(statement);
            const std::pair image{*row.file.content, row.file.file};
            if (several.contains(image) && !met.insert(image).second) continue;
            const LibraryImage found = image_of(row, statement);
            if (!glob.empty() && ::fnmatch(glob.c_str(), found.path.c_str(), 0) != 0) continue;
            use(found);
        }
    }

    bool has_images() {
        return database_->number("SELECT EXISTS(SELECT 1 FROM files JOIN contents ON contents.id = "
                                 "files.content WHERE files.gone IS NULL AND contents.skipped IS "
                                 "NULL)") != 0;
    }

    std::optional<LibraryImage> find(const std::string &path) {
        for (const RootRow &root : roots_) {
            std::string_view below = path;
            if (!below.starts_with(root.path)) continue;
            below.remove_prefix(root.path.size());
            if (!root.path.empty() && !root.path.ends_with('/')) {
                if (!below.starts_with('/')) continue;
                below.remove_prefix(1);
            }
            const auto name = below.rfind('/') + 1; // 0 without a slash
            const RowId folder = catalogue_.known_folder(root.id, below.substr(0, name));
            if (!named_.with(folder, Blob{below.substr(name)}).step()) continue;
            const std::int64_t content = named_.number(0);
            const std::int64_t file = named_.number(1);
            named_.reset();
            const auto images = images_of(content, file);
            if (!images.empty()) return images.front();
        }
        return std::nullopt;
    }

    std::optional<LibraryImage> find(std::int64_t id) {
        Statement statement(*database_, file_rows(file_columns_, columns_) + "AND files.id=?1");
        if (!statement.with(id).step()) return std::nullopt;
        const FileRow row = read(statement).file;
        const auto images = images_of(*row.content, row.file);
        return images.empty() ? std::nullopt : std::optional(images.front());
    }

    /// @param file  only this one
    std::vector<LibraryImage> images_of(std::int64_t content,
                                        std::optional<std::int64_t> file = std::nullopt) {
        std::vector<LibraryImage> images;
        std::set<std::int64_t> met;
        of_content_.with(content);
        while (of_content_.step()) {
            const ReadFile row = read(of_content_);
            if ((!file || row.file.file == *file) && met.insert(row.file.file).second)
                images.push_back(image_of(row, of_content_));
        }
        return images;
    }

    std::vector<LibraryImage> images_of_hash(const std::string &hash) {
        const auto content = catalogue_.content(hash);
        return content ? images_of(content->id) : std::vector<LibraryImage>();
    }

    SegmentRows &segments() { return segments_; }

    Words words(const LibraryImage &image) { return descriptions_.words(image.content); }

    Histogram histogram(const LibraryImage &image) {
        const auto words = descriptions_.words_alone(image.content);
        Histogram row{.image = image.path, .counts = std::vector<std::uint32_t>(size("words"))};
        for (const std::uint32_t word : words) ++row.counts[word];
        row.descriptors = static_cast<decltype(row.descriptors)>(words.size());
        return row;
    }

    Code code(const LibraryImage &image) { return descriptions_.code(image.content); }

    std::string thumbnail(const LibraryImage &image) {
        return descriptions_.thumbnail(image.content);
    }

    bool has_positions() { return descriptions_.has_positions(); }

    LibraryModels describing_models() {
        return read_models(catalogue_.models(), catalogue_.database().path());
    }

    LibraryGroups groups() { return read_groups(catalogue_); }

  private:
    LibraryImage image_of(const ReadFile &read, const Statement &row) const {
        const auto &[file, content] = read;
        const std::string path(row.bytes(column_of_path));
        std::string place =
            file_places_.folder(row.number(first_of_folder), row.bytes(first_of_folder + 1)) +
            file.name;
        if (place == path) place.clear();
        LibraryImage image{.id = file.id,
                           .path = path,
                           .content = *file.content,
                           .width = content.width,
                           .height = content.height,
                           .place = std::move(place),
                           .hash = content.hash,
                           .stamp = file.stamp,
                           .changed = file.changed,
                           .captured = content.captured,
                           .root_bytes = file_places_.front_bytes(row.number(first_of_folder))};
        if (content.frames) image.frames = static_cast<std::uint32_t>(*content.frames);
        if (content.color) image.color = static_cast<double>(*content.color) / 1000;
        if (content.orientation) image.orientation = static_cast<int>(*content.orientation);
        if (content.metadata) image.metadata = static_cast<std::uint32_t>(*content.metadata);
        return image;
    }

    std::size_t size(const char *kind) const { return models_.at(kind).size; }

    /// Paths of one content and file, where there are several.
    std::set<std::pair<std::int64_t, std::int64_t>> files_of_several_paths() {
        Statement statement(*database_,
                            "SELECT content, file FROM files WHERE gone IS NULL AND content IS "
                            "NOT NULL GROUP BY content, file HAVING count(*) > 1");
        std::set<std::pair<std::int64_t, std::int64_t>> all;
        while (statement.step()) all.emplace(statement.number(0), statement.number(1));
        return all;
    }

    /// A row of file_rows(), once its file, folder and content are verified.
    ReadFile read(const Statement &row) {
        FileRow file = catalogue_.row_of_file(row);
        catalogue_.verify_folder(row.number(1), row.number(first_of_folder),
                                 row.bytes(first_of_folder + 1), row.number(first_of_folder + 2));
        auto content = columns_.row(row, first_of_content);
        if (!content) catalogue_.fail_damaged("contents", row.number(6));
        return {std::move(file), *std::move(content)};
    }

    std::unique_ptr<Database> database_;
    Catalogue catalogue_;
    ContentColumns columns_;
    FileColumns file_columns_;
    DescriptionRows descriptions_;
    Statement named_, of_content_;
    SegmentRows segments_;
    std::vector<RootRow> roots_;
    FilePlaces file_places_;
    std::map<std::string, LibraryModel> models_;
};

Library::Library(const std::filesystem::path &path) : reader_(std::make_unique<Reader>(path)) {}

Library::~Library() = default;

void Library::for_each_image(const std::function<void(const LibraryImage &)> &use,
                             const std::string &glob) const {
    reader_->for_each_image(use, glob);
}

bool Library::has_images() const {
    return reader_->has_images();
}

std::optional<LibraryImage> Library::find(const std::string &path) const {
    return reader_->find(path);
}

std::optional<LibraryImage> Library::find(std::int64_t id) const {
    return reader_->find(id);
}

std::vector<LibraryImage> Library::images_of(std::int64_t content) const {
    return reader_->images_of(content);
}

std::vector<LibraryImage> Library::images_of_hash(const std::string &hash) const {
    return reader_->images_of_hash(hash);
}

SegmentRows &Library::segments() const {
    return reader_->segments();
}

std::map<std::string, LibraryModel> Library::models() const {
    return reader_->models();
}

Histogram Library::histogram(const LibraryImage &image) const {
    return reader_->histogram(image);
}

Library::Words Library::words(const LibraryImage &image) const {
    return reader_->words(image);
}

bool Library::has_positions() const {
    return reader_->has_positions();
}

LibraryModels Library::describing_models() const {
    return reader_->describing_models();
}

Library::Code Library::code(const LibraryImage &image) const {
    return reader_->code(image);
}

LibraryGroups Library::groups() const {
    return reader_->groups();
}

std::string Library::thumbnail(const LibraryImage &image) const {
    return reader_->thumbnail(image);
}

} // namespace bowhist
