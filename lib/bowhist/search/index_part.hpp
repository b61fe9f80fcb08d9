#pragma once

#include <bowhist/compare/image_search.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/library/segments/segments.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace bowhist {

/// The descriptions that are compared, and how words are compared.
struct ComparedBy {
    const WordMeasure *measure = nullptr; ///< null: words are not
    std::size_t words = 0;                ///< of the vocabulary
    std::size_t dimensions = 0;           ///< of codes; 0: they are not compared
};

/// Some contents of a library in memory, in the form that is searched: a segment, or those that
/// are in none.
class IndexPart {
  public:
    /// A segment, without its words.
    IndexPart(Segment &&segment, const ComparedBy &by, SegmentRows &rows);
    /// Contents by the library's rows, with their words.
    IndexPart(const Library &library, std::vector<std::int64_t> &&contents, const ComparedBy &by,
              Observer &observer);
    IndexPart(const IndexPart &) = delete; ///< searchable() names its members
    IndexPart &operator=(const IndexPart &) = delete;

    std::size_t size() const { return segment_.size(); }
    std::int64_t content(std::size_t image) const { return segment_.content(image); }

    /// Reads words of a segment, and forgets the words before.
    /// @param words  rising
    /// @param by_word  their excess stays by word, as it is stored: for few queries that is faster
    void read_words(SegmentRows &rows, std::span<const std::uint32_t> words, bool by_word);

    const SearchableImages &searchable() const { return searchable_; }

  private:
    void number(const std::vector<std::int64_t> &contents);
    void set_lists(std::span<const std::uint32_t> words, std::span<const std::string> lists);
    void take_norms();

    ComparedBy by_;
    bool is_stored_;
    Segment segment_;
    std::optional<WordIndex> words_;
    std::optional<CodeIndex> codes_;
    InverseNorms inverse_word_norms_, inverse_code_norms_;
    ExcessBounds excess_bounds_;
    SearchableImages searchable_;
};

} // namespace bowhist
