#pragma once

#include <string>
#include <vector>

namespace bowhist::app {

/// The words behind the program's name (and, for a verb, behind the verb).
using Arguments = std::vector<std::string>;

/// Dispatches, and maps what it throws to an exit status:
/// 0 all done; 1 done, but some inputs were skipped; 2 wrong usage; 3 no result; 130 interrupted.
int run(const Arguments &arguments);

/// Runs the verb that the first word names, or the first one behind options and their values if no
/// file has its name; without one, histograms are made. `help [VERB]` is --help of that verb.
/// @throws Error{Fault::usage} for a first word that looks like a verb, but is not one
int dispatch(const Arguments &arguments);

// One file each. They return 0 or 1 and throw bowhist::Error for the rest.
int make_histograms_verb(const Arguments &arguments);
int train_verb(const Arguments &arguments);
int extract_verb(const Arguments &arguments);
int assign_verb(const Arguments &arguments);
int filter_verb(const Arguments &arguments);
int merge_verb(const Arguments &arguments);
int cluster_verb(const Arguments &arguments);
int index_verb(const Arguments &arguments);
int status_verb(const Arguments &arguments);
int search_verb(const Arguments &arguments);
int serve_verb(const Arguments &arguments);
int duplicates_verb(const Arguments &arguments);
int show_verb(const Arguments &arguments);
int export_verb(const Arguments &arguments);
int devices_verb(const Arguments &arguments);
int kernels_verb(const Arguments &arguments);
int bench_verb(const Arguments &arguments);

} // namespace bowhist::app
