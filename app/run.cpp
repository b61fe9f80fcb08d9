#include "app/command.hpp"
#include "app/verbs.hpp"

#include <bowhist/core/error.hpp>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <functional>
#include <iostream>
#include <malloc.h>
#include <map>
#include <new>

namespace bowhist::app {
namespace {

int status_of(Fault fault) {
    switch (fault) {
    case Fault::usage:
        return 2;
    case Fault::interrupted:
        return 130;
    case Fault::input:
    case Fault::vocabulary:
    case Fault::device:
    case Fault::output:
        return 3;
    }
    return 3;
}

int dispatch(const Arguments &arguments) {
    static const std::map<std::string, std::function<int(const Arguments &)>> verbs = {
        {"train", train_verb},     {"extract", extract_verb}, {"assign", assign_verb},
        {"cluster", cluster_verb}, {"devices", devices_verb}, {"kernels", kernels_verb},
    };
    // Only the first word can be a verb: ./train is a picture.
    const auto verb = arguments.empty() ? verbs.end() : verbs.find(arguments.front());
    if (verb == verbs.end()) return make_histograms_verb(arguments);
    return verb->second({arguments.begin() + 1, arguments.end()});
}

} // namespace

int run(const Arguments &arguments) {
#ifdef __GLIBC__
    // Each picture takes and gives back the same few large blocks; keeping them saves the page
    // faults, a twentieth of the time.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
    // OpenCV's decoders chat on std::cerr about damaged pictures; a skipped input gets one line,
    // ours.
    std::cerr.rdbuf(nullptr);
    spdlog::set_default_logger(spdlog::stderr_logger_mt("bowhist"));
    spdlog::set_pattern("%n: %v");
    try {
        return dispatch(arguments);
    } catch (const Answered &) {
        return 0;
    } catch (const Error &error) {
        spdlog::error(error.what());
        if (!error.detail.empty()) fmt::print(stderr, "{}\n", error.detail);
        return status_of(error.fault);
    } catch (const std::bad_alloc &) {
        spdlog::error("out of memory; give fewer descriptors, or a smaller --batch or --max-side");
    } catch (const std::exception &error) {
        spdlog::error("unexpected: {}; please report this with the command you ran", error.what());
    }
    return status_of(Fault::device);
}

} // namespace bowhist::app
