#pragma once

#include <bowhist/compare/image_search.hpp>
#include <bowhist/compare/prepared_queries.hpp>
#include <bowhist/compare/search_launch.hpp>
#include <bowhist/device/device.hpp>

#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// search() on a device: sums and products there, exact scores of the few images that reach a
/// limit here. The same answers. One thread at a time.
class DeviceImageSearch {
  public:
    /// Windows of images, from that one on.
    struct Windows {
        std::size_t first;
        std::size_t count;
    };
    static std::size_t windows_of(const SearchableImages &images);

    /// Sends the images up. @param images  outlive the search
    /// @throws Error{Fault::device}, OutOfMemory, BuildFailure
    DeviceImageSearch(std::shared_ptr<Device> device, const SearchableImages &images)
        : DeviceImageSearch(std::move(device), images, {0, windows_of(images)}) {}
    /// Searches some of them, with the numbers that they have among all.
    DeviceImageSearch(std::shared_ptr<Device> device, const SearchableImages &images,
                      Windows windows);

    /// @throws as search(); Error{Fault::device}, OutOfMemory
    std::vector<std::vector<ScoredImage>> search(std::span<const ImageQuery> queries,
                                                 const ScoreWeights &weights, std::size_t most);

  private:
    /// Windows that lie in the same buffers.
    struct Part {
        std::size_t first_window = 0;
        std::size_t windows = 0;
        Buffer<cl_uint> bits = {}; ///< [window][row][128]
        Buffer<cl_uint> starts = {};
        Buffer<cl_ushort> entries = {};
        Buffer<cl_uint> long_starts = {};
        Buffer<SearchLongEntry> long_entries = {};
        Buffer<cl_char> codes = {};
        Buffer<cl_float> word_norms = {};
        Buffer<cl_float> code_norms = {};
    };
    /// The buffers that a search needs besides the images. They are kept, since to allocate takes
    /// long.
    struct Buffers {
        Buffer<cl_uint> rows = {}, plane_starts = {}, list_starts = {}, count = {};
        Buffer<SearchList> lists = {};
        Buffer<cl_int> codes = {}, products = {};
        Buffer<SearchLimit> limits = {};
        Buffer<SearchHit> hits = {};
    };
    class Run;

    void send_words(Part &part);
    void send_codes(Part &part);

    std::shared_ptr<Device> device_;
    const SearchableImages &images_;
    Buffer<cl_uint> values_; ///< of counts
    std::vector<Part> parts_;
    Buffers buffers_;
};

} // namespace bowhist
