// bowhist show: a vocabulary and pictures in, what its words look like out.
#include "app/command/options.hpp"
#include "app/command/summary.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/report/page_files.hpp>
#include <bowhist/report/thumbnails.hpp>
#include <bowhist/report/words_page.hpp>
#include <bowhist/show/show_words.hpp>

#include <optional>

namespace bowhist::app {
namespace {

struct ShowCall {
    ShowRequest request;
    std::filesystem::path page;
    std::filesystem::path output; ///< empty: standard output
    bool table = false;
    std::size_t words = 500;
    int side = 56;
    ConsoleOptions console;
};

void add_show_options(Command &command, ShowCall &call) {
    ShowRequest &request = call.request;
    add_file(command, "--html", call.page,
             "Write a page with patches: FILE.html, or DIR/ for a folder with a page")
        ->check(page_place());
    add_file(command, "-o,--output", call.output,
             "A row of each word, its numbers (.csv) (without it and --html, or for -, to standard "
             "output)")
        ->check(dash_or_ends_in({".csv"}));
    add_number(command, "--words", call.words, 0,
               "Words on the page, drawn evenly from the most frequent to the rarest; 0: all");
    add_number(command, "--nearest", request.nearest, 1, "Patches nearest to a word", 100);
    add_number(command, "--border", request.border, 0,
               "Patches at its border: nearly as near to another word", 100);
    add_number(command, "--patch-side", call.side, 16, "Pixels of a patch", 256);
    add_number(command, "--images", request.most_images, 0,
               "Pictures of a library that are read for patches, drawn evenly; 0: all");
}

void settle(ShowCall &call, std::vector<std::string> operands) {
    if (operands.empty())
        throw Error(Fault::usage, "show takes a vocabulary, c.bin, or a library: bowhist show "
                                  "photos.bow --html words.html");
    call.request.vocabulary = operands.front();
    std::error_code unknown;
    if (std::filesystem::is_directory(call.request.vocabulary, unknown))
        throw Error(Fault::usage,
                    fmt::format("{}: a folder; the library or vocabulary comes first: bowhist show "
                                "c.bin {} --html words.html",
                                call.request.vocabulary, call.request.vocabulary));
    operands.erase(operands.begin());
    call.request.inputs.arguments = std::move(operands);
    const InputSource &inputs = call.request.inputs;
    if (inputs.arguments.empty() && inputs.list.empty() && !is_library(call.request.vocabulary))
        throw Error(Fault::usage,
                    fmt::format("there is no INPUT; name pictures or folders whose words are to be "
                                "shown: bowhist show {} photos/ --html words.html",
                                call.request.vocabulary));
    call.table = !call.output.empty() || call.page.empty();
    if (call.output == "-") call.output.clear();
    call.request.outputs = {page_of(call.page), call.output};
}

ShowCall read_call(const Arguments &arguments) {
    ShowCall call;
    Command command(
        "show", "Shows what the words of a vocabulary look like.", "photos.bow|c.bin INPUT...",
        "  bowhist show photos.bow --html words.html\n"
        "  bowhist show c.bin photos/ --html words.html\n"
        "  bowhist show c.bin photos/ -o words.csv\n"
        "\n"
        "INPUT: pictures, folders of them, or descriptors, which have no patches. Of a\n"
        "library it may be left out: its own pictures, whose words it knows.");
    add_show_options(command, call);
    add_level_options(command, call.request.level);
    add_recipe_options(command, call.request.recipe);
    add_input_options(command, call.request.inputs);
    add_stream_options(command, call.request.stream);
    add_console_options(command, call.console);
    settle(call, command.parse(arguments));
    return call;
}

void write_table(AtomicFile &file, const ShownVocabulary &shown) {
    file.write("word,count,images,idf\n");
    for (std::size_t word = 0; word < shown.uses.size(); ++word)
        file.write(fmt::format("{},{},{},{:.6f}\n", word, shown.uses[word].count,
                               shown.uses[word].images, shown.idf[word]));
}

/// Bytes of patches in one file; more lie in the folder beside it.
constexpr std::size_t most_bytes_inside = 12 << 20;

void write_page(PageFiles &files, const ShowCall &call, const ShownVocabulary &shown,
                Console &console) {
    WordPatches patches =
        cut_word_patches(shown, call.words, call.side, call.request.stream.image, console);
    if (patches.bytes() > most_bytes_inside) files.use_folder();
    std::string folder;
    if (files.has_folder()) {
        for (WordPatches::OfWord &word : patches.patches)
            for (auto *set : {&word.nearest, &word.border})
                for (std::string &patch : *set)
                    if (!patch.empty()) patch = files.add_thumbnail(patch);
        folder = files.finish_folder();
    }
    const Thumbnails thumbnails(files.page().destination(), console, [&](std::string_view patch) {
        return files.has_folder() ? folder + std::string(patch) : data_url(patch);
    });
    write_words_page(shown, patches,
                     {.vocabulary = call.request.vocabulary,
                      .show = [&](const std::string &, const std::string &path,
                                  std::string_view patch) { return thumbnails.show(path, patch); },
                      .write = [&](std::string_view text) { files.page().write(text); }},
                     console);
}

} // namespace

int show_verb(const Arguments &arguments) {
    const ShowCall call = read_call(arguments);
    Console console(call.console);
    std::optional<PageFiles> page; // opened first: an error shows before the work
    std::optional<AtomicFile> table;
    if (!call.page.empty()) page.emplace(call.page);
    if (call.table) table.emplace(file_or_standard_output(call.output));
    const ShownVocabulary shown = show_words(call.request, console);
    if (page) {
        write_page(*page, call, shown, console);
        page->close();
    }
    const bool is_printed = table && table->written_directly();
    if (table && !is_printed) {
        write_table(*table, shown);
        table->close();
    }
    if (page) page->commit();
    if (is_printed) write_table(*table, shown);
    if (table) table->commit();
    return summarize(shown.inputs, console);
}

} // namespace bowhist::app
