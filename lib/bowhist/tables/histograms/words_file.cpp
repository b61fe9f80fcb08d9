#include <bowhist/tables/histograms/words_file.hpp>

#include <bowhist/tables/formats/npy.hpp>

namespace bowhist {

WordsFile::WordsFile(const std::filesystem::path &path)
    : file_(file_or_standard_output(path)), held_back_(path.empty()) {
    if (held_back_) return;
    file_.rewind(); // refused by a pipe before hours of work
    file_.write(npy_header("<i4", {0}));
}

void WordsFile::write(std::span<const std::int32_t> words) {
    if (held_back_) {
        held_.insert(held_.end(), words.begin(), words.end());
    } else {
        file_.write(bytes_of(words));
    }
    count_ += words.size();
}

void WordsFile::finish() {
    if (!held_back_) file_.rewind();
    file_.write(npy_header("<i4", {count_}));
    file_.write(bytes_of(held_));
    file_.commit();
}

} // namespace bowhist
