#include <bowhist/io/foreign_kinds.hpp>

#include <algorithm>
#include <array>

namespace bowhist {
namespace {

constexpr std::string_view to_floats = "convert it to .fvecs or .npy of float32";

constexpr std::array endings{
    Kind{".bvecs", "a file of rows of bytes by its name (.bvecs), cut off or damaged", to_floats},
    Kind{".ivecs", "a file of rows of whole numbers by its name (.ivecs)", to_floats},
    Kind{".hvecs", "a file of rows of half floats by its name (.hvecs)", to_floats},
    Kind{".u8bin", "a file of rows of bytes by its name (.u8bin)", to_floats},
    Kind{".i8bin", "a file of rows of bytes by its name (.i8bin)", to_floats},
    Kind{".ibin", "a file of rows of whole numbers by its name (.ibin)", to_floats},
    Kind{".f16bin", "a file of rows of half floats by its name (.f16bin)", to_floats},
    Kind{".mat", "a file of MATLAB by its name (.mat)",
         "save its matrix as float32: numpy.save('x.npy', "
         "scipy.io.loadmat(f)['x'].astype('<f4'))"},
    Kind{".h5", "an HDF5 file by its name", "save its array as .npy of float32"},
    Kind{".hdf5", "an HDF5 file by its name", "save its array as .npy of float32"},
    Kind{".pkl", "a pickle of Python by its name", "save its array as .npy of float32"},
    Kind{".pickle", "a pickle of Python by its name", "save its array as .npy of float32"},
    Kind{".pt", "a file of PyTorch by its name", "save its array as .npy of float32"},
    Kind{".safetensors", "a file of safetensors by its name", "save its array as .npy of float32"},
    Kind{".tfrecord", "a file of TensorFlow by its name", "save its array as .npy of float32"},
    Kind{".onnx", "an ONNX model by its name", "give another file"},
    Kind{".tga", "a Targa picture by its name", "convert it to PNG or JPEG"},
    Kind{".pcx", "a PCX picture by its name", "convert it to PNG or JPEG"},
    Kind{".wbmp", "a WBMP picture by its name", "convert it to PNG or JPEG"},
    Kind{".icloud", "a file that is only in iCloud", "download it first"},
};

/// What bowhist itself writes, where images are expected.
constexpr std::array results{
    Kind{".csv", "a table (.csv)",
         "tables of histograms are for bowhist cluster; save descriptors as .npy"},
    Kind{".tsv", "a table (.tsv)",
         "tables of histograms are for bowhist cluster; save descriptors as .npy"},
    Kind{".jsonl", "a table (.jsonl)", "tables of histograms are for bowhist cluster"},
    Kind{".svm", "a table (.svm)", "give the pictures that it was made of"},
    Kind{".bin", "a vocabulary by its name (.bin)", "a vocabulary is given by --centroids"},
};

} // namespace

std::optional<ForeignFile> kind_by_ending(std::string_view ending, Expected expected) {
    const auto find = [&](const auto &table) -> std::optional<ForeignFile> {
        const auto found = std::ranges::find(table, ending, &Kind::key);
        if (found == table.end()) return std::nullopt;
        return found->file();
    };
    if (auto kind = find(endings)) return kind;
    return expected == Expected::image ? find(results) : std::nullopt;
}

} // namespace bowhist
