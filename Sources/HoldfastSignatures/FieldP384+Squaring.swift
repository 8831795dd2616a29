extension FieldP384 {
  @inline(never)
  package func squared() -> FieldP384 {
    // The products of different limbs, once, by diagonals of rows.
    let c1 = multiply(l0, l1)
    let c2 = multiply(l0, l2) &+ wide(high(c1))
    let c3 = multiply(l0, l3) &+ wide(high(c2))
    let c4 = multiply(l0, l4) &+ wide(high(c3))
    let c5 = multiply(l0, l5) &+ wide(high(c4))
    let d3 = multiply(l1, l2) &+ wide(low(c3))
    let d4 = multiply(l1, l3, plus: low(c4), carryOf: d3)
    let d5 = multiply(l1, l4, plus: low(c5), carryOf: d4)
    let d6 = multiply(l1, l5, plus: high(c5), carryOf: d5)
    let e5 = multiply(l2, l3) &+ wide(low(d5))
    let e6 = multiply(l2, l4, plus: low(d6), carryOf: e5)
    let e7 = multiply(l2, l5, plus: high(d6), carryOf: e6)
    let f7 = multiply(l3, l4) &+ wide(low(e7))
    let f8 = multiply(l3, l5, plus: high(e7), carryOf: f7)
    let g9 = multiply(l4, l5) &+ wide(high(f8))
    // Twice that, plus the squares.
    let q0 = multiply(l0, l0)
    let z1 = wide(low(c1) &<< 1) &+ wide(high(q0))
    let q1 = multiply(l1, l1)
    let z2 = add(low(c2) &<< 1 | low(c1) &>> 63, low(q1), carryOf: z1)
    let z3 = add(low(d3) &<< 1 | low(c2) &>> 63, high(q1), carryOf: z2)
    let q2 = multiply(l2, l2)
    let z4 = add(low(d4) &<< 1 | low(d3) &>> 63, low(q2), carryOf: z3)
    let z5 = add(low(e5) &<< 1 | low(d4) &>> 63, high(q2), carryOf: z4)
    let q3 = multiply(l3, l3)
    let z6 = add(low(e6) &<< 1 | low(e5) &>> 63, low(q3), carryOf: z5)
    let z7 = add(low(f7) &<< 1 | low(e6) &>> 63, high(q3), carryOf: z6)
    let q4 = multiply(l4, l4)
    let z8 = add(low(f8) &<< 1 | low(f7) &>> 63, low(q4), carryOf: z7)
    let z9 = add(low(g9) &<< 1 | low(f8) &>> 63, high(q4), carryOf: z8)
    let q5 = multiply(l5, l5)
    let z10 = add(high(g9) &<< 1 | low(g9) &>> 63, low(q5), carryOf: z9)
    let z11 = high(g9) &>> 63 &+ high(q5) &+ high(z10)

    // Six limbs cleared one after the other; what goes over the sixth is added with the upper half.
    var t0 = low(q0)
    var t1 = low(z1)
    var t2 = low(z2)
    var t3 = low(z3)
    var t4 = low(z4)
    var t5 = low(z5)
    FieldP384.rotate(&t0, &t1, &t2, &t3, &t4, &t5)
    FieldP384.rotate(&t0, &t1, &t2, &t3, &t4, &t5)
    FieldP384.rotate(&t0, &t1, &t2, &t3, &t4, &t5)
    FieldP384.rotate(&t0, &t1, &t2, &t3, &t4, &t5)
    FieldP384.rotate(&t0, &t1, &t2, &t3, &t4, &t5)
    FieldP384.rotate(&t0, &t1, &t2, &t3, &t4, &t5)
    let s0 = wide(t0) &+ wide(low(z6))
    let s1 = add(t1, low(z7), carryOf: s0)
    let s2 = add(t2, low(z8), carryOf: s1)
    let s3 = add(t3, low(z9), carryOf: s2)
    let s4 = add(t4, low(z10), carryOf: s3)
    let s5 = add(t5, z11, carryOf: s4)
    return FieldP384(low(s0), low(s1), low(s2), low(s3), low(s4), low(s5))
      .plusComplement(high(s5))
  }

  /// One step of Montgomery's reduction of six limbs: clears the lowest and moves the others down.
  /// The value stays below 2^384 (a limb's worth of p is added, 64 bits are dropped).
  @inline(__always)
  private static func rotate(
    _ t0: inout UInt64, _ t1: inout UInt64, _ t2: inout UInt64, _ t3: inout UInt64,
    _ t4: inout UInt64, _ t5: inout UInt64
  ) {
    let multiple = t0 &+ t0 &<< 32
    let left = multiple &<< 32
    let right = multiple &>> 32
    let v0 = wide(multiple) &- wide(left)
    let v1 = subtract(left, right, borrowOf: v0)
    let v2 = wide(right) &+ wide(multiple) &- (v1 &>> 127)
    let d1 = wide(t1) &- wide(low(v1))
    let d2 = subtract(t2, low(v2), borrowOf: d1)
    let d3 = subtract(t3, high(v2), borrowOf: d2)
    let d4 = subtract(t4, 0, borrowOf: d3)
    let d5 = subtract(t5, 0, borrowOf: d4)
    t0 = low(d1)
    t1 = low(d2)
    t2 = low(d3)
    t3 = low(d4)
    t4 = low(d5)
    t5 = multiple &- (high(d5) & 1)
  }
}
