#include "app/cluster/cluster_sense.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/output_check.hpp>
#include <bowhist/report/page_files.hpp>
#include <bowhist/tables/histograms/groups_file.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bowhist::app {
namespace {

/// Only leiden finds their number.
void require_groups(const ClusterCall &call) {
    if (call.grouping.method == GroupMethod::leiden) return;
    if (call.resolution_given)
        throw Error(Fault::usage, "--resolution is leiden's; leave it out, or --method");
    if (call.grouping.groups == 0)
        throw Error(
            Fault::usage,
            "-k K is missing: of all methods only leiden finds the number of groups; add it");
}

/// --assign makes no groups, so it has no use for what changes how they are made.
void require_placing(const ClusterCall &call) {
    if (call.assign.empty()) return;
    const auto refuse = [](bool is_given, const char *option) {
        if (is_given)
            throw Error(Fault::usage,
                        fmt::format("--assign only places pictures and leaves the groups as they "
                                    "are; leave {} out, or give --update",
                                    option));
    };
    refuse(call.resolution_given, "--resolution");
    refuse(call.grouping.outliers, "--outliers");
    refuse(call.grouping.levels, "--levels");
    refuse(!call.tree.empty(), "--newick");
}

/// Groups can be continued and kept only if they are of images and by leiden.
void require_continuable(const ClusterCall &call) {
    const bool continues = !call.continued().empty();
    if (!continues && !call.writes_groups()) return;
    const char *what = continues ? "--update and --assign take" : "groups.json keeps";
    if (!call.of_images)
        throw Error(Fault::usage, fmt::format("{} groups of pictures; name pictures or folders, "
                                              "not rows",
                                              what));
    if (call.grouping.method != GroupMethod::leiden)
        throw Error(Fault::usage, fmt::format("{} groups by leiden; leave --method out", what));
    if (continues && call.grouping.groups > 0)
        throw Error(Fault::usage, "groups that are continued keep their number; leave -k out");
}

/// A library keeps its groups itself.
void require_library_options(const ClusterCall &call) {
    if (call.library.empty() && !call.names.empty())
        throw Error(Fault::usage, "--name is for the groups of a library; leave it out, or give "
                                  "photos.bow");
    if (call.library.empty() && call.regroup)
        throw Error(Fault::usage,
                    "--regroup is for a library, which keeps its groups; leave it out");
    if (call.library.empty()) return;
    if (!call.continued().empty() || call.writes_groups())
        throw Error(Fault::usage, "a library keeps its groups itself; leave --update, --assign and "
                                  "groups.json out");
}

/// Refuses --normalize with weights: cluster sees no vocabulary, which would have the weights of
/// words.
void require_counts(const ClusterCall &call) {
    if (!call.normalization_given) return;
    if (call.of_images) throw Error(Fault::usage, "--normalize is for histograms; leave it out");
    if (!weighs(call.normalization)) return;
    throw Error(Fault::usage,
                fmt::format("--normalize {0} takes weights from a vocabulary, which cluster does "
                            "not have; weigh when the histograms are made (bowhist --centroids "
                            "c.bin --normalize {0} -o h.npz photos/) and leave it out here",
                            name_of(call.normalization)));
}

void require_outputs(const ClusterCall &call) {
    if (call.grouping.levels && (!call.table || call.writes_groups()))
        throw Error(Fault::usage,
                    "--levels adds columns to a .csv; give -o groups.csv, or leave it "
                    "out (--newick writes all levels without it)");
    if (call.library.empty() && !call.table && call.page.empty() && call.tree.empty() &&
        !call.folders)
        throw Error(Fault::usage, "there is nothing to write; give -o groups.csv, or --html "
                                  "sheet.html for a page");
    Paths read = call.histograms;
    read.push_back(call.library);
    read.push_back(call.model.learn.inputs.list);
    if (!call.labels.empty() && call.labels != "folders") read.emplace_back(call.labels);
    Paths outputs{call.output, page_of(call.page), call.tree};
    if (call.writes_groups()) outputs.push_back(codes_path(call.output));
    check_outputs(outputs, read);
}

} // namespace

void require_inputs(const ClusterCall &call) {
    if (call.of_images || !call.library.empty()) return;
    if (call.histograms.empty())
        throw Error(Fault::usage,
                    "there is no INPUT; name pictures, folders, or files of rows that bowhist "
                    "wrote, or - for rows on standard input");
    if (std::ranges::count(call.histograms, "-") > 1)
        throw Error(Fault::usage, "standard input can be read once; name - once");
}

void require_sense(const ClusterCall &call) {
    require_outputs(call);
    require_counts(call);
    require_library_options(call);
    require_continuable(call);
    require_placing(call);
    require_groups(call);
}

} // namespace bowhist::app
