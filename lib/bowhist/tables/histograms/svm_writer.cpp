// Histograms in the sparse text of LIBSVM and SVMlight, one line per image:
//
//     0 1:3 17:2 # a.jpg
//
// The label is 0. Words are numbered from 1, and only those that occur are named. The comment is
// the path; CR, LF, ':' and '%' in it appear as %0D, %0A, %3A and %25: a comment ends with its
// line, and svm-train and liblinear, which know no comments, take "# 12" of "# 12:30" for a word's
// number. The file does not record k, so it cannot be read back.

#include <bowhist/tables/histograms/histogram_formats.hpp>

namespace bowhist {

void append_svm_comment(std::string &line, std::string_view image) {
    line += " # ";
    for (const char letter : image) {
        if (letter == '\r')
            line += "%0D";
        else if (letter == '\n')
            line += "%0A";
        else if (letter == ':')
            line += "%3A";
        else if (letter == '%')
            line += "%25";
        else
            line += letter;
    }
}

void append_svm(std::string &line, const Histogram &row, const HistogramFileInfo &info) {
    line += '0';
    with_features(row, info, [&](auto values) {
        for (std::uint64_t word = 0; word < values.size(); ++word) {
            if (values[word] == 0) continue;
            line += ' ';
            append_number(line, word + 1);
            line += ':';
            append_number(line, values[word]);
        }
    });
    append_svm_comment(line, row.image);
}

} // namespace bowhist
