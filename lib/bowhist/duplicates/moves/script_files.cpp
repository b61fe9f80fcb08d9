#include <bowhist/duplicates/moves/script_files.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/library/known_roots.hpp>
#include <bowhist/library/library_file.hpp>

#include <fmt/format.h>

#include <string_view>
#include <system_error>

namespace bowhist {

namespace fs = std::filesystem;

namespace {

fs::path beside(const fs::path &script, std::string_view ending) {
    if (script.empty()) return {};
    fs::path file = script;
    return file += ending;
}

} // namespace

fs::path undo_of(const fs::path &script) {
    return beside(script, ".undo");
}

fs::path record_of(const fs::path &script) {
    return beside(script, ".done");
}

void require_new_script(const fs::path &script) {
    for (const fs::path &file : {script, undo_of(script)})
        if (fs::exists(fs::symlink_status(file)))
            throw Error(Fault::usage,
                        fmt::format("{}: is there already, and may be needed to undo moves; give "
                                    "--script another name, or remove it",
                                    file));
}

std::string indexed_root_around(const fs::path &library, const fs::path &folder) {
    const auto database = open_to_read(library);
    Catalogue catalogue(*database);
    const KnownRoots roots(catalogue);
    std::error_code unknown;
    const fs::path whole = fs::weakly_canonical(fs::absolute(folder), unknown);
    std::string path = whole.lexically_normal().native();
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    const KnownRoot *root = roots.same({}, path);
    if (root == nullptr) root = roots.around(path);
    return root == nullptr ? std::string() : root->row.path;
}

} // namespace bowhist
