// unit_shape: the matrix unit that unit.cl is. Tests put others in its place.

#define PRODUCTS 8
#define FRACTION 24
#define LEAST 0
