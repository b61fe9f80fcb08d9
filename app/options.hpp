#pragma once

// Every option that more than one verb takes, in one place: its names, its default, its help.

#include "app/checks.hpp"
#include "app/command.hpp"
#include "app/console.hpp"
#include "app/preprocessing_options.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/extract/extractor.hpp>
#include <bowhist/pictures/picture.hpp>
#include <bowhist/pipeline/descriptor_stream.hpp>
#include <bowhist/pipeline/inputs.hpp>
#include <bowhist/tables/sidecar.hpp>

namespace bowhist::app {

/// -q, -v, --progress
void add_console_options(Command &command, ConsoleOptions &options);

/// --device
void add_device_option(Command &command, std::string &device);

/// --device, --kernel-dir: of every verb that runs kernels
void add_device_options(Command &command, std::string &device, std::filesystem::path &kernel_dir);

/// --kernel, --device, --kernel-dir, --batch
void add_level_options(Command &command, LevelRequest &request);

/// --normalize
CLI::Option *add_normalization_option(Command &command, Normalization &normalization);

/// --files-from, -0
void add_input_options(Command &command, InputSource &source);

/// -j. Holds every thread of the program to it, from reading it on.
void add_thread_option(Command &command, int &threads);

/// --strict
void add_strict_option(Command &command, bool &strict);

/// --max-side, --max-pixels, --max-bytes, --keep-damaged
void add_picture_options(Command &command, PictureLimits &limits);

/// -j, --max-pixels, --max-bytes, --keep-damaged, --strict
void add_stream_options(Command &command, StreamOptions &options);

/// How descriptors are to be made, and which of it was said outright.
struct ExtractorChoice {
    ExtractorRecord record{.extractor = "akaze",
                           .upright = false,
                           .threshold = 0,
                           .max_descriptors = 0,
                           .max_side = 1024};
    bool extractor_given = false;
    bool upright_given = false;
    bool threshold_given = false;
    bool max_descriptors_given = false;
    bool max_side_given = false;
    PreprocessingGiven preprocessing_given = {};
};

/// --extractor, --upright, --threshold, --max-descriptors, --max-side; --equalize, --blur, --filter
void add_extractor_options(Command &command, ExtractorChoice &choice);

ExtractorOptions extractor_options(const ExtractorRecord &record);

/// The record with the extractor's own threshold in the place of 0, so that it tells what was used.
ExtractorRecord with_threshold(ExtractorRecord record);

/// The INPUTs, listed. @throws Error{Fault::usage} when none was given, and Error{Fault::input}
/// when `strict` and a folder could not be listed
InputList list_given_inputs(const InputSource &source, bool strict, Observer &observer);

/// What the user said, completed by how the vocabulary was made; conflicts are errors.
/// @throws Error{Fault::usage} naming both
ExtractorRecord reconcile(const ExtractorChoice &choice, const VocabularySidecar &sidecar);

} // namespace bowhist::app
