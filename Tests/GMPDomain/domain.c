// Wraps GMP's functions for the tests, and ends the process with a line that names the function
// if GMP is called outside its domain or with a number beyond our own limits.
// Built and preloaded by Scripts/checks/gmp-domain.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

// SwiftLimbs.maximumCount: 2 * 16384 + 64 bits in limbs, in whole blocks of four.
enum { MOST_LIMBS = 516 };

static unsigned long calls;

static void outside(const char *function, const char *why) {
  fprintf(stderr, "GMP domain: %s: %s\n", function, why);
  abort();
}

static void *next(const char *name) {
  void *symbol = dlsym(RTLD_NEXT, name);
  if (!symbol) outside(name, "is not in GMP");
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  return symbol;
}

#define NEXT(type, name) \
  static type real; \
  if (!real) real = (type)next(name); \
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED)

static void limbs(const char *function, mp_size_t count) {
  if (count <= 0 || count > MOST_LIMBS) outside(function, "a count beyond the limit");
}

void __gmpn_sqr(mp_ptr r, mp_srcptr a, mp_size_t count) {
  typedef void (*function)(mp_ptr, mp_srcptr, mp_size_t);
  NEXT(function, "__gmpn_sqr");
  limbs("mpn_sqr", count);
  real(r, a, count);
}

void __gmpn_mul_n(mp_ptr r, mp_srcptr a, mp_srcptr b, mp_size_t count) {
  typedef void (*function)(mp_ptr, mp_srcptr, mp_srcptr, mp_size_t);
  NEXT(function, "__gmpn_mul_n");
  limbs("mpn_mul_n", count);
  real(r, a, b, count);
}

void __gmpn_tdiv_qr(
    mp_ptr q, mp_ptr r, mp_size_t zero, mp_srcptr n, mp_size_t count, mp_srcptr d,
    mp_size_t divisorCount) {
  typedef void (*function)(
      mp_ptr, mp_ptr, mp_size_t, mp_srcptr, mp_size_t, mp_srcptr, mp_size_t);
  NEXT(function, "__gmpn_tdiv_qr");
  limbs("mpn_tdiv_qr", count);
  limbs("mpn_tdiv_qr", divisorCount);
  if (zero != 0 || count < divisorCount) outside("mpn_tdiv_qr", "a dividend that is too short");
  if (d[divisorCount - 1] == 0) outside("mpn_tdiv_qr", "a divisor without its highest limb");
  real(q, r, zero, n, count, d, divisorCount);
}

mp_size_t __gmpn_gcdext(
    mp_ptr g, mp_ptr s, mp_size_t *sCount, mp_ptr u, mp_size_t count, mp_ptr v,
    mp_size_t otherCount) {
  typedef mp_size_t (*function)(
      mp_ptr, mp_ptr, mp_size_t *, mp_ptr, mp_size_t, mp_ptr, mp_size_t);
  NEXT(function, "__gmpn_gcdext");
  limbs("mpn_gcdext", count);
  limbs("mpn_gcdext", otherCount);
  if (count < otherCount) outside("mpn_gcdext", "operands in the wrong order");
  if (v[otherCount - 1] == 0) outside("mpn_gcdext", "a number without its highest limb");
  return real(g, s, sCount, u, count, v, otherCount);
}

__attribute__((destructor)) static void report(void) {
  if (calls) fprintf(stderr, "GMP domain: %lu calls, all inside\n", calls);
}
