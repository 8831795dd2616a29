// Calls GMP with an even modulus, which the preloaded library must catch.
#include <gmp.h>

int main(void) {
  mpz_t base, exponent, modulus;
  mpz_init_set_ui(base, 3);
  mpz_init_set_ui(exponent, 5);
  mpz_init_set_ui(modulus, 8);
  mpz_powm(base, base, exponent, modulus);
  return 0;
}
