#include <bowhist/group/device_neighbors.hpp>

#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/round_up.hpp>
#include <bowhist/group/group_launch.hpp>
#include <bowhist/group/nearest_list.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t lost_share =
    64; ///< the host finds all rows where more than 1/lost_share are lost

/// A row's list by the host.
void find_by_host(const IntegerRows &rows, std::span<const std::int32_t> squared_norms,
                  std::size_t row, std::span<Neighbor> list) {
    std::uint32_t length = 0;
    for (std::uint32_t other = 0; other < rows.size(); ++other)
        if (other != row && squared_norms[other] != 0)
            offer(list, length, {other, product(rows.row(row), rows.row(other))}, squared_norms);
}

/// Lists of equal length of all rows but those of zeros.
class Collected {
  public:
    Collected(std::vector<std::int32_t> squared_norms, std::size_t most) : most_(most) {
        neighbors_.starts.reserve(squared_norms.size() + 1);
        for (const std::int32_t norm : squared_norms)
            neighbors_.starts.push_back(neighbors_.starts.back() + (norm == 0 ? 0 : most));
        neighbors_.all.resize(neighbors_.starts.back());
        neighbors_.squared_norms = std::move(squared_norms);
    }

    std::span<const std::int32_t> squared_norms() const { return neighbors_.squared_norms; }
    std::span<Neighbor> list(std::size_t row) {
        return std::span(neighbors_.all).subspan(neighbors_.starts[row], most_);
    }
    std::size_t most() const { return most_; }
    Neighbors take() { return std::move(neighbors_); }

  private:
    std::size_t most_;
    Neighbors neighbors_;
};

/// Turns places into rows. @return whether the list has no gap
bool take_list(const DeviceCodes &codes, std::span<const cl_uint2> found,
               std::span<Neighbor> list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (found[i].s[0] >= codes.size()) return false;
        list[i] = {codes.rows[found[i].s[0]], static_cast<std::int32_t>(found[i].s[1])};
    }
    return true;
}

bool has(const Device &device, CodeProducts products, std::size_t dimensions) {
    const std::size_t capability = device.info().compute_capability;
    if (products == CodeProducts::matrix)
        return capability >= 80 && code_bytes(dimensions) <= CODE_SLICE * MATRIX_CODE_SLICES;
    return products == CodeProducts::plain || capability >= 61;
}

/// Codes of all sizes, some of which are equally alike; in few dimensions most would be.
IntegerRows probe_rows(std::size_t dimensions) {
    constexpr std::size_t count = 700;
    IntegerRows rows{dimensions, std::vector<std::int16_t>(count * dimensions)};
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
        state = state * 1664525 + 1013904223;
        const std::uint32_t largest = i / dimensions % 3 == 0 ? 127 : i / dimensions % 3;
        rows.values[i] = static_cast<std::int16_t>(
            static_cast<int>((state >> 8) % (2 * largest + 1)) - static_cast<int>(largest));
    }
    return rows;
}

/// Whether the device finds the host's neighbors that way. Kernels know dimensions by slices.
bool agrees(Device &device, CodeProducts products, std::size_t dimensions) {
    const std::size_t whole_slices = code_bytes(dimensions);
    const auto check = [&] {
        try {
            Observer silent;
            const IntegerRows rows = probe_rows(whole_slices);
            const Neighbors expected = nearest_neighbors(rows, 10, silent);
            const Neighbors found = device_neighbors(rows, 10, silent, device, products);
            return found.starts == expected.starts && found.all == expected.all;
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            return false; // it does not build, for one
        }
    };
    return device.verdict(fmt::format("neighbors {} {}", name_of(products), whole_slices), check);
}

} // namespace

bool are_codes(const IntegerRows &rows) {
    return std::ranges::all_of(rows.values,
                               [](std::int16_t value) { return value >= -128 && value <= 127; });
}

std::string name_of(CodeProducts products) {
    return products == CodeProducts::plain ? "plain"
           : products == CodeProducts::dot ? "dot"
                                           : "matrix";
}

std::optional<std::string> neighbors_obstacle(const Device &device, const IntegerRows &rows,
                                              std::size_t most) {
    constexpr std::size_t slice_steps = CODE_SLICE / 4 * 64; // of the loops of codes_plain.cl
    const std::size_t bytes = code_bytes(rows.dimensions);
    if (most > MOST_NEIGHBORS) return fmt::format("finds at most {} neighbors", +MOST_NEIGHBORS);
    if (bytes / CODE_SLICE * slice_steps > device.limits().loop_steps)
        return fmt::format("takes no codes of {} values", rows.dimensions);
    if (device.limits().local_bytes < 2 * CODE_SLICE * CODE_TILE ||
        device.limits().work_group_size < PLAIN_GROUP * PLAIN_GROUP)
        return "has too little local memory or too small groups";
    const std::size_t largest =
        std::max(rows.size() * bytes, CodeNeighborSearch::batch_rows * CANDIDATES * 8);
    if (device.limits().allocation_bytes < largest)
        return fmt::format("has no buffers of {} bytes", largest);
    if (!are_codes(rows)) return "takes codes of 8 bits only";
    return {};
}

std::optional<CodeProducts> best_products(Device &device, std::size_t dimensions) {
    for (const CodeProducts products :
         {CodeProducts::matrix, CodeProducts::dot, CodeProducts::plain})
        if (has(device, products, dimensions) && agrees(device, products, dimensions))
            return products;
    return {};
}

Neighbors device_neighbors(const IntegerRows &rows, std::size_t most, Observer &observer,
                           Device &device, CodeProducts products) {
    std::vector<std::int32_t> norms = squared_norms(rows);
    const std::size_t kept = norms.size() - static_cast<std::size_t>(std::ranges::count(norms, 0));
    if (kept < 2 || most == 0) return nearest_neighbors(rows, most, observer);
    Collected collected(std::move(norms), std::min(most, kept - 1));
    const DeviceCodes codes = upload_codes(device, rows, collected.squared_norms());
    std::vector<std::uint32_t> lost_rows;
    CodeNeighborSearch search(device, codes, rows.dimensions, collected.most(), products);
    search.run(observer, [&](std::size_t first, std::span<const cl_uint2> nearest,
                             std::span<const cl_uint> lost) {
        for (std::size_t i = 0; i < lost.size(); ++i) {
            const std::uint32_t row = codes.rows[first + i];
            const auto found = nearest.subspan(i * collected.most(), collected.most());
            if (lost[i] != 0)
                lost_rows.push_back(row);
            else if (!take_list(codes, found, collected.list(row)))
                throw Error(Fault::device, fmt::format("{}: {} left a list of neighbors with gaps",
                                                       device.info().name, name_of(products)));
        }
    });
    observer.note(fmt::format("neighbors: {} compared codes for {:.3f} s ({}); {} rows of them are "
                              "left to the host",
                              device.info().name, search.seconds(), name_of(products),
                              lost_rows.size()));
    if (lost_rows.size() > rows.size() / lost_share) return nearest_neighbors(rows, most, observer);
    tbb::parallel_for(std::size_t{0}, lost_rows.size(), [&](std::size_t i) {
        observer.stop_if_interrupted();
        find_by_host(rows, collected.squared_norms(), lost_rows[i], collected.list(lost_rows[i]));
    });
    return collected.take();
}

FindNeighbors neighbors_on(std::shared_ptr<Device> device) {
    return [device = std::move(device)](const IntegerRows &rows, std::size_t most,
                                        Observer &observer) {
        if (!device) return nearest_neighbors(rows, most, observer);
        if (const auto obstacle = neighbors_obstacle(*device, rows, most)) {
            observer.note(fmt::format("neighbors are found on the host: {} {}", device->info().name,
                                      *obstacle));
            return nearest_neighbors(rows, most, observer);
        }
        try {
            if (const auto products = best_products(*device, rows.dimensions))
                return device_neighbors(rows, most, observer, *device, *products);
            observer.warning(fmt::format("neighbors are found on the host: {} gave wrong ones",
                                         device->info().name));
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            observer.warning(fmt::format("neighbors are found on the host: {}", error.what()));
        }
        return nearest_neighbors(rows, most, observer);
    };
}

namespace {

/// In an order without any: neighbors do not depend on it.
std::vector<std::uint32_t> mixed_rows(std::span<const std::int32_t> squared_norms) {
    std::vector<std::uint32_t> rows;
    rows.reserve(squared_norms.size());
    for (std::size_t row = 0; row < squared_norms.size(); ++row)
        if (squared_norms[row] != 0) rows.push_back(static_cast<std::uint32_t>(row));
    std::mt19937_64 draw(1); // NOLINT(cert-msc51-cpp): the same on every machine, and meant to be
    for (std::size_t left = rows.size(); left > 1; --left)
        std::swap(rows[left - 1], rows[draw() % left]);
    return rows;
}

} // namespace

std::size_t code_bytes(std::size_t dimensions) {
    return round_up(dimensions, std::size_t{CODE_SLICE});
}

DeviceCodes upload_codes(Device &device, const IntegerRows &rows,
                         std::span<const std::int32_t> squared_norms) {
    DeviceCodes codes;
    codes.rows = mixed_rows(squared_norms);
    const std::size_t bytes = code_bytes(rows.dimensions);
    const std::size_t places = round_up(codes.size(), std::size_t{MATRIX_CODE_GROUP});
    std::vector<std::int8_t> values(places * bytes, 0);
    std::vector<float> inverse_norms(places, 0);
    std::vector<cl_int> norms(places, 0);
    tbb::parallel_for(std::size_t{0}, codes.size(), [&](std::size_t place) {
        const DefaultFloats floats;
        const auto row = rows.row(codes.rows[place]);
        std::ranges::transform(row, values.data() + place * bytes,
                               [](std::int16_t value) { return static_cast<std::int8_t>(value); });
        norms[place] = squared_norms[codes.rows[place]];
        inverse_norms[place] = static_cast<float>(1 / std::sqrt(double(norms[place])));
    });
    codes.values = uploaded(device, values);
    codes.inverse_norms = uploaded(device, inverse_norms);
    codes.squared_norms = uploaded(device, norms);
    codes.numbers = uploaded<cl_uint>(device, codes.rows);
    return codes;
}

namespace {

constexpr std::size_t first_pairs = 1 << 22; ///< of a launch: 64 columns and a batch
constexpr double short_seconds = 0.02;       ///< shorter launches grow
constexpr double long_seconds = 0.08;        ///< a desktop that shares the device may wait

std::string options_of(CodeProducts products, std::size_t dimensions) {
    return fmt::format("-DSLICES={}{}", code_bytes(dimensions) / CODE_SLICE,
                       products == CodeProducts::dot ? " -DDP4A" : "");
}

} // namespace

CodeNeighborSearch::CodeNeighborSearch(Device &device, const DeviceCodes &codes,
                                       std::size_t dimensions, std::size_t most,
                                       CodeProducts products)
    : device_(device), codes_(codes), most_(most), products_(products),
      batch_(std::min(batch_rows, round_up(codes.size(), std::size_t{MATRIX_CODE_GROUP}))),
      pairs_(first_pairs),
      compare_(
          device.kernel(products == CodeProducts::matrix ? "codes_matrix.cl" : "codes_plain.cl",
                        "compare", options_of(products, dimensions))),
      keep_(device.kernel("keep_nearest.cl", "keep")), counts_(device.allocate<cl_uint>(batch_)),
      candidates_(device.allocate<cl_uint2>(batch_ * CANDIDATES)),
      nearest_(device.allocate<cl_uint2>(batch_ * most)), limits_(device.allocate<float>(batch_)),
      lost_(device.allocate<cl_uint>(batch_)) {}

void CodeNeighborSearch::run(Observer &observer, const Take &take) {
    for (std::size_t first = 0; first < codes_.size(); first += batch_) {
        const std::size_t rows = std::min(batch_, codes_.size() - first);
        clear(rows);
        for (std::size_t seen = 0; seen < codes_.size();) {
            observer.stop_if_interrupted();
            seen = compare(first, rows, seen);
        }
        std::vector<cl_uint2> nearest(rows * most_);
        std::vector<cl_uint> lost(rows);
        device_.download(std::span(nearest), nearest_);
        device_.download(std::span(lost), lost_);
        take(first, nearest, lost);
        observer.progress("neighbors", first + rows, codes_.size());
    }
}

void CodeNeighborSearch::clear(std::size_t rows) {
    device_.fill(counts_, cl_uint{0}, rows);
    device_.fill(nearest_, cl_uint2{{NO_CANDIDATE, 0}}, rows * most_);
    device_.fill(limits_, -1e9F, rows); // below any product over a norm
    device_.fill(lost_, cl_uint{0}, rows);
}

/// The batch with as many of the next columns as it may. @return the columns seen then
std::size_t CodeNeighborSearch::compare(std::size_t first, std::size_t rows, std::size_t seen) {
    constexpr std::size_t tile = CODE_TILE;
    const std::size_t doubled = std::max(tile, seen);
    const std::size_t at_once = std::max(tile, pairs_ / rows / tile * tile);
    const std::size_t end = std::min(seen + std::min(doubled, at_once), codes_.size());
    launch({static_cast<unsigned>(first), static_cast<unsigned>(first + rows),
            static_cast<unsigned>(seen), static_cast<unsigned>(round_up(end, tile)),
            static_cast<unsigned>(codes_.size())});
    device_.launch(keep_, {rows, 1}, {KEEP_GROUP, 1}, codes_.squared_norms, codes_.inverse_norms,
                   codes_.numbers, counts_, candidates_, nearest_, limits_, lost_,
                   static_cast<cl_uint>(rows), static_cast<cl_uint>(most_));
    const double seconds = device_.take_launches().span_seconds;
    seconds_ += seconds;
    if (seconds < short_seconds && at_once < doubled) pairs_ *= 2;
    if (seconds > long_seconds) pairs_ = std::max(first_pairs, pairs_ / 2);
    return end;
}

void CodeNeighborSearch::launch(const CodePass &pass) {
    const std::size_t rows = pass.end_row - pass.first_row;
    const std::size_t tiles = (pass.end_column - pass.first_column) / CODE_TILE;
    Range group{PLAIN_GROUP, PLAIN_GROUP};
    Range groups{tiles, divided_up(rows, CODE_TILE)};
    if (products_ == CodeProducts::matrix) {
        group = {MATRIX_CODE_GROUP, 1};
        groups = {divided_up(rows, MATRIX_CODE_GROUP), divided_up(tiles, MATRIX_CODE_TILES)};
    }
    device_.launch(compare_, {groups[0] * group[0], groups[1] * group[1]}, group, codes_.values,
                   codes_.inverse_norms, limits_, counts_, candidates_, pass);
}

} // namespace bowhist
