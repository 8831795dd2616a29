#ifndef EMULATED_VECTORS_H
#define EMULATED_VECTORS_H

// The vector code of CHoldfastInstructions, compiled against plain C versions of the processors'
// instructions, so that all of it runs on every processor. Names and arguments are those of the
// headers.

#include <stddef.h>
#include <stdint.h>

/// Returns how often a 52-bit multiplication got a factor of more bits, in this thread since the last
/// call.
uint64_t emulated_wide_factors(void);

/// Returns how often a sum of such products wrapped, or one of NEON's.
uint64_t emulated_wraps(void);

void emulated_ifma_product(
    uint64_t *result, const uint64_t *left, const uint64_t *right, const uint64_t *modulus,
    uint64_t negated_inverse, int limbs);

void emulated_doubles_product(
    double *result, const double *left, const double *right, const double *modulus, int limbs);

void emulated_edwards_ifma_product(uint64_t *result, const uint64_t *left, const uint64_t *right);
void emulated_edwards_ifma_square(uint64_t *result, const uint64_t *number);
void emulated_edwards_ifma_double(uint64_t *point);
void emulated_edwards_ifma_add(uint64_t *point, const uint64_t *addend, int subtracts);
void emulated_edwards_doubles_product(double *result, const double *left, const double *right);
void emulated_edwards_doubles_square(double *result, const double *number);
void emulated_edwards_doubles_double(double *point);
void emulated_edwards_doubles_add(double *point, const uint64_t *addend, int subtracts);

void emulated_neon_product(
    uint32_t *result, const uint32_t *left, const uint32_t *right, const uint32_t *modulus, int limbs);
void emulated_edwards_neon_product(uint64_t *result, const uint64_t *left, const uint64_t *right);
void emulated_edwards_neon_square(uint64_t *result, const uint64_t *number);
void emulated_edwards_neon_double(uint64_t *point);
void emulated_edwards_neon_add(uint64_t *point, const uint64_t *addend, int subtracts);

void emulated_p256_ifma_product(uint64_t *result, const uint64_t *left, const uint64_t *right);
void emulated_p256_ifma_double(uint64_t *point);
void emulated_p256_ifma_begin(uint64_t *point, const uint64_t *addend, int subtracts);
void emulated_p256_ifma_add(uint64_t *point, const uint64_t *addend, int subtracts);

void emulated_p384_ifma_product(uint64_t *result, const uint64_t *left, const uint64_t *right);
void emulated_p384_ifma_double(uint64_t *point);
void emulated_p384_ifma_begin(uint64_t *point, const uint64_t *addend, int subtracts);
void emulated_p384_ifma_add(uint64_t *point, const uint64_t *addend, int subtracts);
void emulated_p384_doubles_product(double *result, const double *left, const double *right);
void emulated_p384_doubles_double(double *point);
void emulated_p384_doubles_begin(double *point, const double *addend, int subtracts);
void emulated_p384_doubles_add(double *point, const double *addend, int subtracts);

void emulated_p521_product(double *result, const double *left, const double *right);
void emulated_p521_double(double *point);
void emulated_p521_begin(double *point, const double *addend, int subtracts);
void emulated_p521_add(double *point, const double *addend, int subtracts);

/// `factors` has the value and the quotient of each factor in turns.
void emulated_transform(uint32_t *numbers, const uint32_t *factors);
void emulated_transform_back(uint32_t *numbers, const uint32_t *factors);

int emulated_accept(const uint64_t *lanes, uint32_t *coefficients, int count);
int emulated_response(
    uint32_t *coefficients, const uint8_t *bytes, int bits, uint32_t least, uint32_t span);

void emulated_keccak_permute(uint64_t *states, int width);
void emulated_keccak_one(uint64_t *state);

void emulated_sha512_blocks(
    uint64_t *state, const uint8_t *bytes, size_t blocks, const uint64_t *constants);

void emulated_x86_sha1_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks);
void emulated_x86_sha256_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks);
void emulated_arm_sha1_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks);
void emulated_arm_sha256_blocks(uint32_t *state, const uint8_t *bytes, size_t blocks);

#endif
