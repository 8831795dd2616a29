// Included by the headers of curves, once for each kind of product, where they know no instructions: the
// Swift version is used.

static inline void HOLDFAST_STEP(double)(HOLDFAST_WORD *point) { (void)point; }

static inline void HOLDFAST_STEP(begin)(
    HOLDFAST_WORD *point, const HOLDFAST_WORD *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

static inline void HOLDFAST_STEP(add)(
    HOLDFAST_WORD *point, const HOLDFAST_WORD *addend, int subtracts) {
  (void)point;
  (void)addend;
  (void)subtracts;
}

#undef HOLDFAST_STEP
#undef HOLDFAST_WORD
