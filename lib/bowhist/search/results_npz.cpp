#include <bowhist/search/results_npz.hpp>

#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/formats/name_column.hpp>
#include <bowhist/tables/formats/npy.hpp>
#include <bowhist/tables/formats/npz.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace bowhist {
namespace {

/// An entry whose number of rows is known last.
class Entry {
  public:
    Entry(const char *name, const char *type, std::vector<std::uint64_t> row_shape,
          const std::filesystem::path &destination)
        : name_(name), type_(type), shape_(std::move(row_shape)), spool_(destination) {
        shape_.insert(shape_.begin(), 0);
        spool_.stream.write(npy_header(type_, shape_));
    }

    template <typename Number>
    void add(const std::vector<Number> &row) {
        spool_.stream.write(bytes_of(row));
        ++shape_.front();
    }

    void finish(NpzArchive &archive) {
        spool_.stream.rewind();
        spool_.stream.write(npy_header(type_, shape_));
        archive.add(name_, spool_);
    }

  private:
    const char *name_;
    const char *type_;
    std::vector<std::uint64_t> shape_;
    Spool spool_;
};

} // namespace

class ResultsNpz::Impl {
  public:
    Impl(const std::filesystem::path &path, std::size_t most, bool checks, const Search &search)
        : destination_(path), checks_(checks), images_(search.paths()),
          width_(std::min(most, images_.size())), archive_(path),
          ids_("ids.npy", "<i4", {width_}, path), scores_("scores.npy", "<f8", {width_}, path),
          agree_("agree.npy", "<i4", {width_}, path), maps_("maps.npy", "<f8", {width_, 6}, path),
          queries_(path) {}

    void write(const std::string &query, const std::vector<FoundImage> &found) {
        std::vector<std::int32_t> ids(width_, -1);
        std::vector<std::int32_t> agree(width_, -1);
        std::vector<double> scores(width_);
        std::vector<double> maps(width_ * 6);
        for (std::size_t i = 0; i < found.size(); ++i) {
            ids[i] = static_cast<std::int32_t>(std::ranges::lower_bound(images_, found[i].path) -
                                               images_.begin());
            scores[i] = found[i].score;
            if (!found[i].place) continue;
            agree[i] = static_cast<std::int32_t>(found[i].place->agree);
            const AffineMap &map = found[i].place->map;
            const std::array numbers{map.a11, map.a12, map.tx, map.a21, map.a22, map.ty};
            if (agree[i] > 0)
                std::ranges::copy(numbers, maps.begin() + static_cast<std::ptrdiff_t>(6 * i));
        }
        queries_.add(query);
        ids_.add(ids);
        scores_.add(scores);
        if (checks_) agree_.add(agree);
        if (checks_) maps_.add(maps);
    }

    void finish() {
        ids_.finish(archive_);
        scores_.finish(archive_);
        if (checks_) agree_.finish(archive_);
        if (checks_) maps_.finish(archive_);
        NameColumn images(destination_);
        for (const std::string &image : images_) images.add(image);
        Spool query_names(destination_);
        Spool image_names(destination_);
        queries_.lay_out(query_names);
        images.lay_out(image_names);
        archive_.add("queries.npy", query_names);
        archive_.add("images.npy", image_names);
        archive_.commit();
    }

  private:
    std::filesystem::path destination_;
    bool checks_;
    std::vector<std::string> images_; ///< in order
    std::size_t width_;
    NpzArchive archive_;
    Entry ids_, scores_, agree_, maps_;
    NameColumn queries_;
};

ResultsNpz::ResultsNpz(const std::filesystem::path &path, std::size_t most, bool checks,
                       const Search &search)
    : impl_(std::make_unique<Impl>(path, most, checks, search)) {}

ResultsNpz::~ResultsNpz() = default;

void ResultsNpz::write(const std::string &query, const std::vector<FoundImage> &found) {
    impl_->write(query, found);
}

void ResultsNpz::finish() {
    impl_->finish();
}

} // namespace bowhist
