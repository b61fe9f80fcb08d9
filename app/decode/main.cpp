#include <bowhist/pictures/worker/serve.hpp>

/// bowhist-decode: started by the library, with a socket as descriptor 3.
int main() {
    bowhist::serve_images(3);
}
