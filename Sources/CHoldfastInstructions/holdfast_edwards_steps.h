// Included by holdfast_edwards.h, once for each kind of product. RFC 8032 §5.1.4.

HOLDFAST_LANES_INLINE HOLDFAST_STEP(four) HOLDFAST_STEP(load)(const HOLDFAST_WORD *words) {
  HOLDFAST_STEP(four) result;
  HOLDFAST_LIMBS(i, 5) result.limb[i] = HOLDFAST_LOAD(words + 4 * i);
  return result;
}

HOLDFAST_LANES_INLINE void HOLDFAST_STEP(store)(HOLDFAST_WORD *words, HOLDFAST_STEP(four) x) {
  HOLDFAST_LIMBS(i, 5) HOLDFAST_STORE(words + 4 * i, x.limb[i]);
}

/// Doubles a point: 20 words, carried, of the numbers X, Y, Z, T.
HOLDFAST_LANES void HOLDFAST_STEP(double)(HOLDFAST_WORD *point) {
  const HOLDFAST_STEP(four) p = HOLDFAST_STEP(load)(point);
  HOLDFAST_STEP(four) x, left, right;
  HOLDFAST_LIMBS(i, 5) {  // X, Y, X + Y, Z
    const HOLDFAST_VECTOR swapped = HOLDFAST_SWAP(p.limb[i]);
    const HOLDFAST_VECTOR sum = HOLDFAST_LOW(HOLDFAST_PLUS(p.limb[i], swapped));
    x.limb[i] = HOLDFAST_CHOOSE(HOLDFAST_CHOOSE(p.limb[i], sum, 4), swapped, 8);
  }
  // A, B, S = (X + Y)^2, C = Z^2
  const HOLDFAST_STEP(four) square = HOLDFAST_STEP(square)(HOLDFAST_STEP(carried)(x));
  HOLDFAST_LIMBS(i, 5) {  // G = A - B, H = A + B, F = 2 C + G, E = H - S
    const HOLDFAST_VECTOR swapped = HOLDFAST_SWAP(square.limb[i]);
    const HOLDFAST_VECTOR first = HOLDFAST_CHOOSE(
        HOLDFAST_CHOOSE(square.limb[i], swapped, 4), HOLDFAST_ALL(0), 8);  // A, B, C, 0
    const HOLDFAST_VECTOR sum =  // G, H, 2 C, -S
        HOLDFAST_PLUS(first, HOLDFAST_STEP(negated)(i, swapped, 9));
    const HOLDFAST_VECTOR low = HOLDFAST_LOW(sum);
    x.limb[i] = HOLDFAST_CHOOSE(low, HOLDFAST_PLUS(sum, low), 12);
  }
  const HOLDFAST_STEP(four) carried = HOLDFAST_STEP(carried)(x);
  HOLDFAST_LIMBS(i, 5) {  // F, H, F, E and E, G, G, H
    const HOLDFAST_VECTOR halves = HOLDFAST_HALVES(carried.limb[i]);
    const HOLDFAST_VECTOR swapped = HOLDFAST_CHOOSE(
        HOLDFAST_SWAP(halves), HOLDFAST_SWAP(carried.limb[i]), 2);
    left.limb[i] = HOLDFAST_CHOOSE(carried.limb[i], halves, 1);
    right.limb[i] = HOLDFAST_CHOOSE(swapped, halves, 12);
  }
  HOLDFAST_STEP(store)(point, HOLDFAST_STEP(product)(left, right));
}

/// Adds to a point one that is given by y + x, y - x and 2dxy of its affine coordinates, each four
/// words below 2^256; or subtracts it.
HOLDFAST_LANES void HOLDFAST_STEP(add)(
    HOLDFAST_WORD *point, const uint64_t *addend, int subtracts) {
  const HOLDFAST_STEP(four) p = HOLDFAST_STEP(load)(point);
  // A subtraction adds (-x, y): the first two factors change places, and the third its sign, below.
  const HOLDFAST_STEP(four) factors = HOLDFAST_STEP(factors)(
      addend + (subtracts ? 0 : 4), addend + (subtracts ? 4 : 0), addend + 8);
  HOLDFAST_STEP(four) x, left, right;
  HOLDFAST_LIMBS(i, 5) {  // Y - X, Y + X, Z, T
    const HOLDFAST_VECTOR sum = HOLDFAST_PLUS(
        HOLDFAST_SWAP(p.limb[i]), HOLDFAST_STEP(negated)(i, p.limb[i], 1));
    x.limb[i] = HOLDFAST_CHOOSE(sum, p.limb[i], 12);
  }
  // A, B, D, C
  const HOLDFAST_STEP(four) product =
      HOLDFAST_STEP(product)(HOLDFAST_STEP(carried)(x), factors);
  HOLDFAST_LIMBS(i, 5) {  // E = B - A, H = B + A, G = D + C, F = D - C
    const HOLDFAST_VECTOR swapped = HOLDFAST_SWAP(product.limb[i]);
    const HOLDFAST_VECTOR sum =
        HOLDFAST_PLUS(swapped, HOLDFAST_STEP(negated)(i, product.limb[i], 9));
    const HOLDFAST_VECTOR other = HOLDFAST_CHOOSE(sum, HOLDFAST_SWAP(sum), 12);
    x.limb[i] = subtracts ? other : sum;
  }
  const HOLDFAST_STEP(four) carried = HOLDFAST_STEP(carried)(x);
  HOLDFAST_LIMBS(i, 5) {  // E, H, G, H and F, G, F, E
    const HOLDFAST_VECTOR halves = HOLDFAST_HALVES(carried.limb[i]);
    left.limb[i] = HOLDFAST_CHOOSE(carried.limb[i], halves, 8);
    right.limb[i] =
        HOLDFAST_CHOOSE(HOLDFAST_SWAP(halves), HOLDFAST_SWAP(carried.limb[i]), 4);
  }
  HOLDFAST_STEP(store)(point, HOLDFAST_STEP(product)(left, right));
}
