internal import HoldfastDER

/// Domains under which unrelated parties register names, so that a wildcard directly below one
/// would cover strangers. CA/Browser Forum Baseline Requirements §3.2.2.6.
///
/// The list is yours to supply: <https://publicsuffix.org> publishes it, and Debian and others
/// install it as `/usr/share/publicsuffix/public_suffix_list.dat`. None is built in: it changes
/// every week, and a part of it, or rules of thumb in its place, would reject names that one owner
/// has, such as `*.web.de`.
public struct PublicSuffixes: Sendable, Hashable {
  /// Suffixes, and `*.` before domains of which every direct child is one.
  private var suffixes: Set<String> = []
  private var exceptions: Set<String> = []

  /// Reads the format of the Public Suffix List: one suffix on each line, `*.` before a domain
  /// whose every child is a suffix, `!` before an exception, `//` before a comment.
  ///
  /// Labels beyond ASCII become A-labels, in which certificates have them. Capital letters become
  /// small; otherwise the list is expected to be normalized, as the published one is.
  public init(list: String) {
    for line in list.split(whereSeparator: { $0.isNewline }) where !line.hasPrefix("//") {
      let word = line.prefix { !$0.isWhitespace }.lowercased()
      if word.hasPrefix("!") {
        PublicSuffixes.add(word.dropFirst(), to: &exceptions)
      } else {
        PublicSuffixes.add(word[...], to: &suffixes)
      }
    }
  }

  /// Adds a domain in A-labels, unless it has a label that is empty or too long.
  private static func add(_ domain: Substring, to set: inout Set<String>) {
    var labels: [String] = []
    for label in domain.split(separator: ".", omittingEmptySubsequences: false) {
      guard !label.isEmpty, let label = Punycode.aLabel(label) else { return }
      labels.append(label)
    }
    set.insert(labels.joined(separator: "."))
  }

  /// Whether a host name is a public suffix, ignoring case.
  ///
  /// - Parameter name: A name in A-labels, without a trailing dot. A name of a single label counts
  ///   as a suffix.
  public func contains(_ name: String) -> Bool { contains(Bytes(Array(name.utf8))) }

  func contains(_ host: Bytes) -> Bool {
    let name = String(decoding: host.map(Bytes.lowercased), as: UTF8.self)
    if exceptions.contains(name) { return false }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    let wildcard = "*." + labels.dropFirst().joined(separator: ".")
    return labels.count == 1 || suffixes.contains(name) || suffixes.contains(wildcard)
  }
}
