#pragma once

#include <bowhist/pipeline/run_summary.hpp>
#include <bowhist/tables/histograms/histogram_writer.hpp>
#include <bowhist/tables/histograms/row_writer.hpp>
#include <bowhist/tables/parts/part_file.hpp>
#include <bowhist/team/shard.hpp>

#include <cstdint>
#include <string>
#include <variant>

namespace bowhist {

/// A part of words holds nothing but words.
struct WordsInfo {};

/// The content of a part of descriptors.
struct DescriptorsInfo {
    bool collection = true; ///< else the whole run has one input, and its file records one image
};

/// A shard of a library, which has its rows.
struct LibraryInfo {};

/// The content of a part's rows, as the writer of the whole needs it.
using PartContent =
    std::variant<HistogramFileInfo, RowFileInfo, WordsInfo, DescriptorsInfo, LibraryInfo>;

/// The head of a part: which part of which run it is.
struct PartHead {
    Shard shard;
    std::uint64_t inputs = 0;    ///< of the whole run, as listed
    std::string list = {};       ///< hash of their paths, in order
    std::string range = {};      ///< hash of the paths, sizes and times of the part's own
    std::string version = {};    ///< of bowhist
    std::string vocabulary = {}; ///< fingerprint; empty without
    std::string settings = {};   ///< JSON: all else that decides what the rows are
    PartContent content = {};
    std::string file = {}; ///< of a head that was read: the hash of what `content` is made of
};

/// Equal heads make equal parts.
std::string head_text(const PartHead &head);
/// @param file  that errors name. @throws Error{Fault::input}
PartHead head_in(const InputFile &file, const std::string &text);

/// The end of a part, with what became of its inputs. The inputs are not listed.
std::string end_text(const InputSummary &run);
/// @throws Error{Fault::input}
InputSummary end_in(const PartReader &part);

} // namespace bowhist
