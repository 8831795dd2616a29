// Included by the headers of curves y^2 = x^3 - 3x + b, once for each kind of product, after the
// product of four numbers of HOLDFAST_COUNT limbs of 48 bits.
//
// A point is (X / ZZ, Y / ZZZ) with ZZ^3 = ZZZ^2. Infinity, and every sum of a point and itself or
// its opposite, has ZZ = 0. Each further step keeps that, so the steps need no branch: their caller
// looks at the end. The formulas are "dbl-2008-s-1" and "madd-2008-s" of the Explicit-Formulas
// Database.

HOLDFAST_LANES_INLINE HOLDFAST_STEP(four) HOLDFAST_STEP(load)(const HOLDFAST_WORD *words) {
  HOLDFAST_STEP(four) result;
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) result.limb[i] = HOLDFAST_LOAD(words + 4 * i);
  return result;
}

/// The end of both steps: X' is the first lane of `x`, Y' = L (S - X') - W Y with the slope L, ZZ'
/// is the third lane of `others` after S and W, and ZZZ' = W ZZZ.
HOLDFAST_LANES_INLINE void HOLDFAST_STEP(finish)(
    HOLDFAST_WORD *point, HOLDFAST_STEP(four) before, HOLDFAST_STEP(four) slope,
    HOLDFAST_STEP(four) w, HOLDFAST_STEP(four) others, HOLDFAST_STEP(four) x) {
  HOLDFAST_STEP(four) left, right;
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {  // L, W, W, W and S - X', Y, ZZZ, ZZZ
    left.limb[i] = HOLDFAST_CHOOSE(w.limb[i], slope.limb[i], 1);
    right.limb[i] = HOLDFAST_CHOOSE(
        HOLDFAST_ORDER(before.limb[i], 0, 1, 3, 3),
        HOLDFAST_STEP(minus)(i, others.limb[i], x.limb[i], 6), 1);
  }
  const HOLDFAST_STEP(four) product = HOLDFAST_STEP(product)(left, right);
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {
    const HOLDFAST_VECTOR y = HOLDFAST_STEP(minus)(
        i, HOLDFAST_SPREAD(product.limb[i], 0), HOLDFAST_SPREAD(product.limb[i], 1), 2);
    const HOLDFAST_VECTOR xy = HOLDFAST_CHOOSE(x.limb[i], y, 2);
    const HOLDFAST_VECTOR zs = HOLDFAST_CHOOSE(others.limb[i], product.limb[i], 8);
    HOLDFAST_STORE(point + 4 * i, HOLDFAST_CHOOSE(xy, zs, 12));
  }
}

/// Doubles a point: four words a limb, of the numbers X, Y, ZZ, ZZZ, with limbs as the steps leave them: at
/// most those of `minus` with the factor 4 for X, 2 for Y, and those of a product for the others.
HOLDFAST_LANES void HOLDFAST_STEP(double)(HOLDFAST_WORD *point) {
  const HOLDFAST_STEP(four) p = HOLDFAST_STEP(load)(point);
  HOLDFAST_STEP(four) left, right, slope, w, x;
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {  // 2Y, X - ZZ and 2Y, X + ZZ
    const HOLDFAST_VECTOR first = HOLDFAST_ORDER(p.limb[i], 1, 0, 0, 0);
    const HOLDFAST_VECTOR second = HOLDFAST_ORDER(p.limb[i], 1, 2, 2, 2);
    right.limb[i] = HOLDFAST_PLUS(first, second);
    left.limb[i] = HOLDFAST_CHOOSE(HOLDFAST_STEP(minus)(i, first, second, 2), right.limb[i], 1);
  }
  const HOLDFAST_STEP(four) squares = HOLDFAST_STEP(product)(left, right);
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {  // V, V, V, L and X, 2Y, ZZ, L with L = 3 (X - ZZ) (X + ZZ)
    const HOLDFAST_VECTOR third = HOLDFAST_SPREAD(squares.limb[i], 1);
    slope.limb[i] = HOLDFAST_PLUS(HOLDFAST_PLUS(third, third), third);
    left.limb[i] = HOLDFAST_CHOOSE(HOLDFAST_SPREAD(squares.limb[i], 0), slope.limb[i], 8);
    right.limb[i] = HOLDFAST_CHOOSE(
        HOLDFAST_CHOOSE(p.limb[i], HOLDFAST_PLUS(p.limb[i], p.limb[i]), 2), slope.limb[i], 8);
  }
  const HOLDFAST_STEP(four) others = HOLDFAST_STEP(product)(left, right);  // S, W, ZZ', L^2
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {
    w.limb[i] = HOLDFAST_SPREAD(others.limb[i], 1);
    x.limb[i] = HOLDFAST_STEP(minus)(
        i, HOLDFAST_SPREAD(others.limb[i], 3), HOLDFAST_PLUS(others.limb[i], others.limb[i]), 3);
  }
  HOLDFAST_STEP(finish)(point, p, slope, w, others, x);
}

/// Makes a point of the limbs of its affine coordinates, x and y in turns; or its opposite.
HOLDFAST_LANES void HOLDFAST_STEP(begin)(
    HOLDFAST_WORD *point, const HOLDFAST_WORD *addend, int subtracts) {
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {
    const HOLDFAST_VECTOR both = HOLDFAST_LOAD_TWO(addend + 2 * i);
    const HOLDFAST_VECTOR negated = HOLDFAST_STEP(minus)(i, HOLDFAST_ALL(0), both, 2);
    const HOLDFAST_VECTOR xy = HOLDFAST_CHOOSE(both, subtracts ? negated : both, 2);
    HOLDFAST_STORE(point + 4 * i, HOLDFAST_CHOOSE(HOLDFAST_STEP(one)(i), xy, 3));
  }
}

/// Adds to a point one that is given as above; or subtracts it.
HOLDFAST_LANES void HOLDFAST_STEP(add)(
    HOLDFAST_WORD *point, const HOLDFAST_WORD *addend, int subtracts) {
  const HOLDFAST_STEP(four) p = HOLDFAST_STEP(load)(point);
  HOLDFAST_STEP(four) left, right, difference, slope, w, x;
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {  // x, y and ZZ, ZZZ
    left.limb[i] = HOLDFAST_LOAD_TWO(addend + 2 * i);
    right.limb[i] = HOLDFAST_ORDER(p.limb[i], 2, 3, 2, 3);
  }
  const HOLDFAST_STEP(four) scaled = HOLDFAST_STEP(product)(left, right);
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {  // x ZZ - X, y ZZZ - Y, or -y ZZZ - Y
    const HOLDFAST_VECTOR negated =
        HOLDFAST_STEP(minus)(i, HOLDFAST_ALL(0), scaled.limb[i], 2);
    const HOLDFAST_VECTOR y = subtracts ? negated : scaled.limb[i];
    difference.limb[i] = HOLDFAST_STEP(minus)(
        i, HOLDFAST_CHOOSE(scaled.limb[i], y, 2), p.limb[i], 6);
  }
  const HOLDFAST_STEP(four) squares = HOLDFAST_STEP(product)(difference, difference);
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {  // V, V, V and X, x ZZ - X, ZZ
    left.limb[i] = HOLDFAST_SPREAD(squares.limb[i], 0);
    right.limb[i] =
        HOLDFAST_CHOOSE(p.limb[i], HOLDFAST_SPREAD(difference.limb[i], 0), 2);
  }
  const HOLDFAST_STEP(four) others = HOLDFAST_STEP(product)(left, right);  // S, W, ZZ'
  HOLDFAST_LIMBS(i, HOLDFAST_COUNT) {
    slope.limb[i] = HOLDFAST_SPREAD(difference.limb[i], 1);
    w.limb[i] = HOLDFAST_SPREAD(others.limb[i], 1);
    x.limb[i] = HOLDFAST_STEP(minus)(
        i, HOLDFAST_SPREAD(squares.limb[i], 1),
        HOLDFAST_PLUS(HOLDFAST_PLUS(others.limb[i], others.limb[i]), w.limb[i]), 4);
  }
  HOLDFAST_STEP(finish)(point, p, slope, w, others, x);
}
