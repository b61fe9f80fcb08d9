#pragma once

#include "app/cluster/cluster_call.hpp"

#include <bowhist/core/codes.hpp>
#include <bowhist/core/integer_rows.hpp>
#include <bowhist/core/shown_words.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/pipeline/run_summary.hpp>
#include <bowhist/report/contact_sheet.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>
#include <bowhist/tables/histograms/histogram_reader.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bowhist::app {

/// The images or rows that are grouped.
struct Subjects {
    std::vector<std::string> images;
    IntegerRows rows;
    std::optional<InputSummary> inputs = {}; ///< of images
    std::optional<VladModel> model = {};     ///< of images
    std::vector<FileStamp> stamps = {};      ///< of images
    std::vector<std::int64_t> ids = {};      ///< of a library's images
    KnownImages known = {};                  ///< of these
    std::set<std::string> outside = {};      ///< files of these to which a link leads, out of their
                                             ///< root
    ShownWords shown = {};                   ///< by each image, where its words are known
    std::vector<std::int32_t> before = {};   ///< each image's group so far, -1 of those without
    std::vector<bool> is_new = {};           ///< where groups are continued
    std::vector<bool> held = {};             ///< that a user moved; empty: none
    StoredGroups groups = {};                ///< that are continued
    bool keeps_old = false; ///< groups.json loses images that are no inputs any more

    const std::vector<std::string> &files() const {
        return known.files.empty() ? images : known.files;
    }
};

/// Codes, which are as they are; or features of histograms, whose values are lost.
IntegerRows rows_of(HistogramTable &table, Normalization normalization);

/// Codes as rows.
IntegerRows widened(const Codes &codes);

/// Rows from files; codes of images, by a model learned from them or by that of groups.json.
/// @throws Error
Subjects read_subjects(const ClusterCall &call, Console &console);

} // namespace bowhist::app
