/// A field element that is slow to invert.
package protocol Invertible {
  static var one: Self { get }
  static func * (left: Self, right: Self) -> Self
  /// Returns the inverse; zero for zero.
  func inverted() -> Self
}

extension Invertible {
  /// Inverts all elements, none of which may be zero, with one inversion: Montgomery's trick.
  static func invertAll(_ elements: inout [Self]) {
    guard !elements.isEmpty else { return }
    var products: [Self] = []
    products.reserveCapacity(elements.count)
    var product = Self.one
    for element in elements {
      products.append(product)
      product = product * element
    }
    var inverse = product.inverted()
    for index in elements.indices.reversed() {
      let element = elements[index]
      elements[index] = inverse * products[index]
      inverse = inverse * element
    }
  }
}
