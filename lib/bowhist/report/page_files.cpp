#include <bowhist/report/page_files.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/checked_stream.hpp>
#include <bowhist/io/temporary_file.hpp>
#include <bowhist/report/html.hpp>
#include <bowhist/report/page.hpp>

#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <system_error>
#include <vector>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t thumbnails_of_a_folder = 1000;

[[noreturn]] void fail(const fs::path &place, const fs::filesystem_error &error) {
    throw Error(Fault::output,
                fmt::format("{}: cannot be made: {}", place, error.code().message()));
}

XXH3_state_t *state_in(const std::shared_ptr<void> &hash) {
    return static_cast<XXH3_state_t *>(hash.get());
}

bool is_folder(const fs::path &place) {
    std::error_code unknown;
    return !place.has_filename() || fs::is_directory(place, unknown);
}

/// The page of a folder has a name that the user did not choose: a file of that name may be
/// another's.
void require_own(const fs::path &page) {
    std::error_code unknown;
    if (!fs::is_regular_file(page, unknown)) return;
    std::string start(512, '\0');
    std::ifstream(page, std::ios::binary).read(start.data(), 512);
    if (start.find(page_mark) == std::string::npos)
        throw Error(Fault::output, fmt::format("{}: not a page of bowhist's, so it stays; give "
                                               "another folder, or move it away",
                                               page));
}

/// "sheet.bowhist-0123456789abcdef"
bool is_folder_of(const fs::path &stem, const std::string &name) {
    const std::string start = stem.native() + ".bowhist-";
    return name.size() == start.size() + 16 && name.starts_with(start) &&
           name.find_first_not_of("0123456789abcdef", start.size()) == std::string::npos;
}

/// Whether all files of a folder are in another, too, as large.
bool has_files_of(const fs::path &folder, const fs::path &other) {
    std::error_code missing;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() &&
            fs::file_size(other / entry.path().lexically_relative(folder), missing) !=
                entry.file_size())
            return false;
    return true;
}

} // namespace

fs::path page_of(const fs::path &place) {
    return place.empty() || !is_folder(place) ? place : place / "index.html";
}

PageFiles::PageFiles(const fs::path &place) {
    const fs::path page = page_of(place);
    folder_of_page_ = page.parent_path();
    stem_ = page.stem();
    if (is_folder(place)) {
        require_own(page);
        use_folder();
    }
    page_ = std::make_unique<AtomicFile>(page);
}

PageFiles::~PageFiles() = default;

void PageFiles::use_folder() try {
    if (folder_) return;
    folder_ = std::make_unique<UnfinishedFolder>(further_page().parent_path());
    hash_.reset(XXH3_createState(),
                [](void *state) { XXH3_freeState(static_cast<XXH3_state_t *>(state)); });
    XXH3_64bits_reset(state_in(hash_));
} catch (const fs::filesystem_error &error) {
    fail(folder_of_page_, error);
}

fs::path PageFiles::further_page() const {
    return folder_of_page_ / fs::path(stem_).concat(".bowhist") / "page.html";
}

void PageFiles::add(const std::string &name, std::string_view bytes) {
    CheckedStream file(folder_->path() / name,
                       printable(folder_of_page_ / stem_) + ".bowhist/" + name);
    file.write(bytes);
    file.close();
    XXH3_64bits_update(state_in(hash_), name.c_str(), name.size() + 1);
    XXH3_64bits_update(state_in(hash_), bytes.data(), bytes.size());
}

void PageFiles::add_page(const std::string &name, std::string_view text) {
    add(name, text);
}

std::string PageFiles::add_thumbnail(std::string_view jpeg) try {
    const std::string folder = fmt::format("t{}", thumbnails_ / thumbnails_of_a_folder);
    if (thumbnails_ % thumbnails_of_a_folder == 0) fs::create_directory(folder_->path() / folder);
    std::string name = fmt::format("{}/{}.jpg", folder, thumbnails_++);
    add(name, jpeg);
    return name;
} catch (const fs::filesystem_error &error) {
    fail(folder_of_page_, error);
}

std::string PageFiles::finish_folder() {
    finished_ =
        fmt::format("{}.bowhist-{:016x}", stem_.native(), XXH3_64bits_digest(state_in(hash_)));
    return url_escape(finished_) + "/";
}

void PageFiles::commit() try {
    const fs::path finished = folder_of_page_ / finished_;
    if (!finished_.empty() && !has_files_of(folder_->path(), finished)) {
        fs::remove_all(
            finished); // a run was killed while it removed it, or someone took files away
        folder_->take_place_as(finished);
    }
    const bool replaced = !page_->written_directly();
    page_->commit();
    if (replaced) remove_former();
} catch (const fs::filesystem_error &error) {
    fail(folder_of_page_, error);
}

void PageFiles::remove_former() const {
    std::error_code ignored; // what stays is swept by the next run
    std::vector<fs::path> former;
    const fs::path folder = folder_of_page_.empty() ? "." : folder_of_page_;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end;
         entry.increment(ignored)) {
        const std::string name = entry->path().filename().native();
        if (is_folder_of(stem_, name) && name != finished_) former.push_back(entry->path());
    }
    for (const fs::path &one : former) fs::remove_all(one, ignored);
}

} // namespace bowhist
