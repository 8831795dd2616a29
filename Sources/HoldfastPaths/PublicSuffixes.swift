internal import HoldfastCertificates
internal import HoldfastDER

/// Domains under which unrelated parties register names, so that a wildcard directly below one
/// would cover strangers. CA/Browser Forum Baseline Requirements §3.2.2.6.
public struct PublicSuffixes: Sendable, Hashable {
  /// Suffixes, and `*.` before domains of which every direct child is one.
  private var suffixes: Set<String> = []
  private var exceptions: Set<String> = []
  /// Whether common second-level labels below country domains count without being listed.
  private var knowsCategories = false

  /// Reads the format of the Public Suffix List: one suffix on each line, `*.` before a domain
  /// whose every child is a suffix, `!` before an exception, `//` before a comment.
  ///
  /// Labels beyond ASCII become A-labels, in which certificates have them. Letters become lowercase,
  /// and otherwise the list is expected to be normalized, as the published one is.
  public init(list: String) {
    for line in list.split(whereSeparator: \.isNewline) where !line.hasPrefix("//") {
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

  /// The suffixes known without a list: common second-level labels below country domains, and the
  /// domains of the largest providers that give each customer a name of their own.
  ///
  /// This does not replace the list, which has many thousand entries, but catches the mistakes that
  /// affect the most people.
  public static let usual: PublicSuffixes = {
    var usual = PublicSuffixes(list: providers)
    usual.knowsCategories = true
    return usual
  }()

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
    if labels.count == 1 || suffixes.contains(name) || suffixes.contains(wildcard) { return true }
    guard knowsCategories, labels.count == 2, labels[1].utf8.count == 2 else { return false }
    return PublicSuffixes.categories.contains(String(labels[0]))
  }

  /// Second-level labels that country registries reserve for one kind of registrant.
  private static let categories: Set<String> = [
    "ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "gub", "id", "info", "int", "ltd",
    "mil", "muni", "ne", "net", "nhs", "nom", "or", "org", "plc", "police", "pro", "sch", "web",
  ]

  /// Domains whose operators, according to their own documentation, give names below them to
  /// customers.
  private static let providers = """
    s3.amazonaws.com
    cloudfront.net
    elasticbeanstalk.com
    awsapps.com
    appspot.com
    blogspot.com
    firebaseapp.com
    run.app
    web.app
    withgoogle.com
    azurewebsites.net
    azureedge.net
    blob.core.windows.net
    cloudapp.net
    github.io
    githubusercontent.com
    gitlab.io
    bitbucket.io
    herokuapp.com
    netlify.app
    vercel.app
    pages.dev
    workers.dev
    fly.dev
    onrender.com
    myshopify.com
    wordpress.com
    weebly.com
    readthedocs.io
    ngrok.io
    dyndns.org
    no-ip.org
    duckdns.org
    eu.org
    uk.com
    us.com
    """
}
