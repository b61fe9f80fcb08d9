#include <bowhist/files/words_file.hpp>

#include <bowhist/files/npy.hpp>

namespace bowhist {

WordsFile::WordsFile(const std::filesystem::path &path) : file_(path) {
    file_.rewind(); // a pipe refuses now, and not after hours of work
    file_.write(npy_header("<i4", {0}));
}

void WordsFile::write(std::span<const std::int32_t> words) {
    file_.write(bytes_of(words));
    count_ += words.size();
}

void WordsFile::finish() {
    file_.rewind();
    file_.write(npy_header("<i4", {count_}));
    file_.commit();
}

} // namespace bowhist
