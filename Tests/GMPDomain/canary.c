// Calls GMP with a divisor whose highest limb is zero, which the preloaded library must catch.
#include <gmp.h>

int main(void) {
  mp_limb_t quotient[2], remainder[1], dividend[2] = {5, 1}, divisor[1] = {0};
  mpn_tdiv_qr(quotient, remainder, 0, dividend, 2, divisor, 1);
  return 0;
}
