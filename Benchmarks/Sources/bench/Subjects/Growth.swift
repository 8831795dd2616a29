internal import Holdfast

/// grow: what a validation costs when there is more of something.
struct Growth {
  /// A curve: ours and OpenSSL's cost for each size.
  struct Curve {
    let name: String
    let sizes: [Int]
    /// A figure of each contender for each size.
    var points: [Row] = []

    /// The slope of cost over size where both are large, as logarithms: 1 is linear. What costs the
    /// same for any size is in it, so that the slope at the end of the curve is the one that counts.
    func exponent(of contender: String) -> Double? {
      let costs = zip(sizes, points).compactMap { size, row in
        row[contender]?.spread.map { (size, $0.median) }
      }
      guard costs.count >= 4, let last = costs.last else { return nil }
      let end = costs.filter { $0.0 * 8 >= last.0 }
      let (x, y) = (end.map { logarithm(Double($0.0)) }, end.map { logarithm($0.1) })
      let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
      let above = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
      let below = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
      return below > 0 ? above / below : nil
    }
  }

  static let goal = 1.1

  let runner: Runner
  let peers: Peers

  /// Something that there is more of.
  struct Kind: Sendable {
    let name: String
    /// One word for it.
    let short: String
    let sizes: [Int]
    let question: @Sendable (Int) -> Question
  }

  static let curves: [Kind] = {
    guard let root = MadeAuthority("Growth Root"), let middle = MadeAuthority("Growth CA") else {
      return []
    }
    let (anchor, authority) = (root.certify(root), root.certify(middle))
    let powers = (0...11).map { 1 << $0 }
    let base = [middle.leaf(), authority]
    let strangers = (0..<1_024).compactMap { MadeAuthority("Stranger \($0)") }
    let others = strangers.map { $0.certify($0) }
    // Authorities with the name of the one that is sought, and other keys.
    let namesakes = (0..<256).compactMap { _ in
      MadeAuthority("Growth CA").map { root.certify($0) }
    }
    // One for each power of two.
    let leaves = powers.map { middle.leaf(names: $0) }
    let limited = powers.map { root.certify(middle, excluding: $0) }
    let ten = middle.leaf(names: 10)
    return [
      Kind(
        name: "intermediates that are sent", short: "intermediates", sizes: Array(powers[...8])
      ) { size in
        Question(chain: base + others.prefix(size - 1), anchors: [anchor])
      },
      Kind(
        name: "intermediates of one name", short: "namesakes", sizes: Array(powers[...8])
      ) { size in
        Question(chain: [base[0]] + namesakes.prefix(size - 1) + [authority], anchors: [anchor])
      },
      Kind(name: "names of the leaf", short: "names", sizes: powers) { size in
        Question(chain: [leaves[size.trailingZeroBitCount], authority], anchors: [anchor])
      },
      Kind(name: "constraints of the issuer", short: "constraints", sizes: powers) { size in
        Question(
          chain: [ten, limited[size.trailingZeroBitCount]], anchors: [anchor])
      },
      Kind(name: "anchors", short: "anchors", sizes: Array(powers[...10])) { size in
        Question(chain: base, anchors: others.prefix(size - 1) + [anchor])
      },
    ]
  }()

  func measure() -> [Curve] {
    Growth.curves.map { kind in
      var curve = Curve(name: kind.name, sizes: kind.sizes)
      for size in kind.sizes {
        let asked = kind.question(size)
        curve.points.append(
          runner.measure(
            Case(
              subject: "grow", name: "\(size) \(kind.name)",
              contenders: [asked.cold] + peers.linked.prefix(1).map { $0.contender(asked) })))
      }
      return curve
    }
  }
}

extension Question {
  init(chain: [[UInt8]], anchors: some Sequence<[UInt8]>) {
    self.chain = chain
    self.anchors = Array(anchors)
  }
}

/// The natural logarithm, which the standard library has not: 2 atanh((v − 1)/(v + 1)) of the
/// significand, whose powers fall fast, and the exponent.
func logarithm(_ value: Double) -> Double {
  guard value > 0, value.isFinite else { return 0 }
  let ratio = (value.significand - 1) / (value.significand + 1)
  var (power, sum) = (ratio, 0.0)
  for odd in stride(from: 1, through: 41, by: 2) {
    sum += power / Double(odd)
    power *= ratio * ratio
  }
  // ln 2
  return 2 * sum + Double(value.exponent) * 0.693_147_180_559_945_3
}
