internal import Foundation

/// grow: the cost of a validation as one part of its input grows. make.py makes the certificates.
enum Growth {
  /// The cost for each size, ours and that of peers.
  struct Curve {
    let name: String
    let sizes: [Int]
    let points: [Row]

    var contenders: [String] { points.first?.figures.map(\.contender) ?? [] }

    /// Returns the sizes for which a contender was measured, with the medians.
    func costs(of contender: String) -> [(size: Int, median: Double)] {
      zip(sizes, points).compactMap { size, row in
        row[contender]?.spread.map { (size, $0.median) }
      }
    }

    /// Returns the slope of the logarithm of cost over that of size, at the end of the curve: 1 is
    /// linear. At small sizes the fixed cost would hide the growth.
    func exponent(of contender: String) -> Double? {
      let costs = costs(of: contender)
      guard costs.count >= 4, let last = costs.last else { return nil }
      let end = costs.filter { $0.size * 8 >= last.size }
      let (x, y) = (end.map { log(Double($0.size)) }, end.map { log($0.median) })
      let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
      let above = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
      let below = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
      return below > 0 ? above / below : nil
    }
  }

  /// A part of the input that grows.
  struct Kind: Sendable {
    let name: String
    /// The name as one word.
    let short: String
    let sizes: [Int]
    let question: @Sendable (Int) -> Question

    /// A quarter, a half and the whole of the largest size.
    var quarters: [Int] { [4, 2, 1].map { (sizes.last ?? 4) / $0 } }

    /// Returns the name under which the gate records a size.
    func key(_ size: Int) -> String { "grow-\(short)-\(size)" }
  }

  /// The curves; none if the certificates are missing.
  static let curves: [Kind] = {
    let files = ["chain", "strangers", "namesakes", "leaves", "limited", "ten"].map { name in
      ChainFiles.certificates(".build/bench/growth/\(name).der")
    }
    guard files.map(\.count) == [3, 1_024, 256, 12, 12, 1] else { return [] }
    let (base, anchor) = (Array(files[0][..<2]), files[0][2])
    let (strangers, namesakes, leaves, limited, ten) =
      (files[1], files[2], files[3], files[4], files[5][0])
    let powers = (0...11).map { 1 << $0 }
    return [
      Kind(
        name: "intermediates that are sent", short: "intermediates", sizes: Array(powers[...8])
      ) { size in
        Question(chain: base + strangers.prefix(size - 1), anchors: [anchor])
      },
      Kind(
        name: "intermediates of one name", short: "namesakes", sizes: Array(powers[...8])
      ) { size in
        Question(chain: [base[0]] + namesakes.prefix(size - 1) + [base[1]], anchors: [anchor])
      },
      Kind(name: "names of the leaf", short: "names", sizes: powers) { size in
        Question(chain: [leaves[size.trailingZeroBitCount], base[1]], anchors: [anchor])
      },
      Kind(name: "constraints of the issuer", short: "constraints", sizes: powers) { size in
        Question(chain: [ten, limited[size.trailingZeroBitCount]], anchors: [anchor])
      },
      Kind(name: "anchors", short: "anchors", sizes: Array(powers[...10])) { size in
        Question(chain: base, anchors: strangers.prefix(size - 1) + [anchor])
      },
    ]
  }()

  static func measure(_ runner: Runner, _ peers: Peers) -> [Curve] {
    curves.map { kind in
      let points = kind.sizes.map { size in
        let question = kind.question(size)
        return runner.measure(
          Case(
            subject: "grow", name: "\(size) \(kind.name)",
            contenders: [question.cold] + peers.able(to: question.inquiry)))
      }
      return Curve(name: kind.name, sizes: kind.sizes, points: points)
    }
  }
}
