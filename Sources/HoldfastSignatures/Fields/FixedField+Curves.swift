extension FieldP256 {
  package static let curveB = FieldP256(constant: CurveParameters.p256.b)
  package static let generator = AffinePoint(
    x: FieldP256(constant: CurveParameters.p256.generatorX),
    y: FieldP256(constant: CurveParameters.p256.generatorY))
  package static let generatorTable = PointTable(generator, layout.generator)
  static let order = MontgomeryModulus<4>(constant: CurveParameters.p256.n)

  package static var layout: TableLayout {
    TableLayout(
      generator: TableShape(chunkLength: 11, width: 8, bits: 256),
      unseen: TableShape(chunkLength: 264, width: 5, bits: 256),
      reuse: TableShape(chunkLength: 66, width: 5, bits: 256),
      anchor: TableShape(chunkLength: 11, width: 7, bits: 256))
  }
}

extension FieldP384 {
  package static let curveB = FieldP384(constant: CurveParameters.p384.b)
  package static let generator = AffinePoint(
    x: FieldP384(constant: CurveParameters.p384.generatorX),
    y: FieldP384(constant: CurveParameters.p384.generatorY))
  package static let generatorTable = PointTable(generator, layout.generator)
  static let order = MontgomeryModulus<6>(constant: CurveParameters.p384.n)

  package static var layout: TableLayout {
    TableLayout(
      generator: TableShape(chunkLength: 26, width: 8, bits: 384),
      unseen: TableShape(chunkLength: 390, width: 5, bits: 384),
      reuse: TableShape(chunkLength: 78, width: 5, bits: 384),
      anchor: TableShape(chunkLength: 26, width: 6, bits: 384))
  }
}

extension FieldP521 {
  package static let curveB = FieldP521(constant: CurveParameters.p521.b)
  package static let generator = AffinePoint(
    x: FieldP521(constant: CurveParameters.p521.generatorX),
    y: FieldP521(constant: CurveParameters.p521.generatorY))
  package static let generatorTable = PointTable(generator, layout.generator)
  static let order = MontgomeryModulus<9>(constant: CurveParameters.p521.n)

  package static var layout: TableLayout {
    TableLayout(
      generator: TableShape(chunkLength: 35, width: 7, bits: 521),
      unseen: TableShape(chunkLength: 525, width: 5, bits: 521),
      reuse: TableShape(chunkLength: 140, width: 5, bits: 521),
      anchor: TableShape(chunkLength: 35, width: 6, bits: 521))
  }
}

extension FixedField {
  /// Creates a constant of the curve, which is below p.
  init(constant: [UInt64]) {
    let limbs = Limbs { $0 < constant.count ? constant[$0] : 0 }
    guard constant.count <= limbs.count, let element = Self(limbs: limbs) else {
      preconditionFailure("not an element of the field")
    }
    self = element
  }
}

extension MontgomeryModulus {
  fileprivate init(constant: [UInt64]) {
    let number = Number { $0 < constant.count ? constant[$0] : 0 }
    precondition(constant.count <= number.count, "not a modulus of this width")
    self.init(number)
  }
}
