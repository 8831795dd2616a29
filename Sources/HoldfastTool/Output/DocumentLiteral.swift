package import HoldfastAnswers

/// A dictionary literal has what only programs get. It needs the runtime of Swift, for values of any
/// type; what is compiled without it adds members one by one.
extension Document: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral members: (String, any DocumentValue)...) {
    self.init()
    for (name, value) in members { add(name, value) }
  }
}
