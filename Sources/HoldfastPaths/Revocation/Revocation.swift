public import HoldfastCertificates
public import HoldfastFilters

/// Revocation data for a validation, and how strictly to apply it. Nothing is ever fetched.
///
/// The data are CRLs, OCSP responses and filters.
///
/// ```swift
/// let revocation = Revocation(.required(of: .leaf), crls: crls, ocspResponses: [stapled])
/// let path = try validator.validate(chain, for: .server("example.com"), revocation: revocation)
/// for certificate in path.revocation { print(certificate) }
/// ```
///
/// CRLs are evaluated by RFC 5280 §6.3, OCSP responses by RFC 6960 §3.2. A revocation in an
/// authentic source counts whatever others say, even newer ones, and however old the source is.
/// RFC 5280 §5.3.1 allows one exception: a hold ends with a newer source, or with a delta CRL that
/// removes the entry from its base CRL. A source past its nextUpdate shows no hold, and no revocation
/// that a newer source of the same key does not repeat.
/// Otherwise an OCSP response for the certificate takes precedence over CRLs, and both over a
/// filter. A responder that does not know the certificate does not: then a filter that says good
/// decides.
/// `CertificateRevocation.facts` lists the deciding source, and why others were skipped.
public struct Revocation: Sendable {
  /// How strictly revocation is checked.
  public var demand: Demand

  /// The CRLs, complete and delta.
  public var crls: [CRL]

  /// CRLs that cannot be read. The status is unknown, even if other sources say good, unless it is
  /// certain that the CRL is of another issuer or does not name the certificate.
  package var unreadableCRLs: [UnreadableCRL] = []

  /// The OCSP responses, stapled or fetched by the caller.
  public var ocspResponses: [OCSPResponse]

  /// Why other OCSP responses cannot be read. Each may be about any certificate, so every status is
  /// unknown, even if other sources say good.
  package var unreadableResponses: [ParseError] = []

  /// The places of the responses that were fetched. Anybody may have made one whose signer is not
  /// found, so it decides nothing; what was given, and may be damaged, does.
  package var fetchedResponses: Set<Int> = []

  /// The revocation filters. Each is asked, and one that says revoked suffices.
  public var filters: [RevocationFilter]

  /// What was asked for and did not come. It decides nothing: where a status is unknown for want of
  /// it, the answer says so.
  package var unanswered: [Unanswered] = []

  /// The maximum age of a filter in seconds, from the end of what it covers.
  ///
  /// By default 10 days: so long may a CRL of the web be used, CA/B BR §4.9.7. An older filter
  /// shows only revocations, and so does one from the future.
  public var maximumFilterAge: Int64 = 10 * 86_400

  /// Certificates of CRL and OCSP signers, in addition to those sent with the leaf.
  ///
  /// They are not trusted: they are validated by the same rules, to the same anchor, and are issued
  /// under a key of the path itself, above the certificate that the CRL is about. No signer vouches
  /// for itself. What it has signed as revoked counts under every demand, unless the signer itself is
  /// revoked. Where every status must be known, what else is in the CRLs of a signer counts only if
  /// its own status is known, or if nothing but its own CRLs can have it. A responder of unknown
  /// status counts, RFC 6960 §4.2.2.2.1, unless a CRL that may revoke it cannot be read.
  public var signers: [Certificate]

  /// The allowed difference between this clock and those of CAs in seconds, applied to times in the
  /// future and in the past.
  ///
  /// By default 5 minutes, as in the `ocsp` command of OpenSSL (`-validity_period`); Java allows 15
  /// (`com.sun.security.ocsp.clockSkew`).
  public var tolerance: Int64 = 300

  /// The maximum age in seconds of a CRL or an OCSP response that says good.
  ///
  /// If nil, nextUpdate alone decides, and a source without one shows only revocations.
  public var maximumAge: Int64?

  /// The nonce that OCSP responses must repeat, if the caller's request had one: RFC 9654.
  public var nonce: [UInt8]?

  /// Whether a leaf that demands a stapled OCSP response (must-staple) is rejected without one:
  /// RFC 7633.
  ///
  /// Of a chain that does not come from a handshake, any OCSP response that says good counts.
  public var honorsMustStaple = true

  /// What the server stapled, if the chain comes from a handshake.
  private var handshake: Handshake?

  /// What is known of a handshake.
  private struct Handshake {
    /// The index of the stapled response in `ocspResponses`; nil if the server stapled nothing.
    let staple: Int?
  }

  /// How strictly revocation is checked, the strictest last.
  public enum Demand: Sendable, Hashable, Comparable {
    /// Revocation is not checked.
    case ignored
    /// Soft-fail: a revoked certificate is rejected; one of unknown status passes, and the path
    /// says so.
    case ifAvailable
    /// Hard-fail: certificates that are revoked or of unknown status are rejected.
    case required(of: Scope)
  }

  /// A source that was asked about a certificate, and why it has not answered.
  package struct Unanswered: Sendable, Hashable {
    /// The certificate whose status was asked for.
    package let certificate: Certificate
    /// What was asked, and what failed: `crl http://ca.example/1.crl: no answer in time`.
    package let problem: String

    /// Creates the record of a failure.
    package init(_ certificate: Certificate, _ problem: String) {
      (self.certificate, self.problem) = (certificate, problem)
    }
  }

  /// The certificates whose status must be known, the fewest first.
  public enum Scope: Sendable, Hashable, Comparable {
    /// The leaf; a revoked certificate above it is still rejected.
    case leaf
    /// Every certificate but the anchor.
    case everyCertificate
  }

  /// Creates revocation data from CRLs, OCSP responses and filters.
  ///
  /// - Parameters:
  ///   - demand: How strictly revocation is checked; by default, a certificate of unknown status
  ///     passes.
  ///   - crls: The CRLs, complete and delta.
  ///   - signers: Untrusted certificates of CRL and OCSP signers, in addition to those sent with
  ///     the leaf.
  public init(
    _ demand: Demand = .ifAvailable, crls: [CRL] = [], ocspResponses: [OCSPResponse] = [],
    filters: [RevocationFilter] = [], signers: [Certificate] = []
  ) {
    self.demand = demand
    self.crls = crls
    self.ocspResponses = ocspResponses
    self.filters = filters
    self.signers = signers
  }

  /// Adds a CRL in DER. If it cannot be read it is kept as such: leaving out a CRL would hide what
  /// it revokes.
  ///
  /// - Returns: Why the CRL cannot be read; nil if it can.
  @discardableResult
  public mutating func addCRL(der: some Collection<UInt8>) -> ParseError? {
    do throws(ParseError) {
      crls.append(try CRL(der: der))
      return nil
    } catch {
      unreadableCRLs.append(UnreadableCRL(der: der, error: error))
      return error
    }
  }

  /// Adds an OCSP response in DER. If it cannot be read every status is unknown that no other source
  /// shows to be revoked: leaving out a response would hide what it revokes.
  ///
  /// - Returns: Why the response cannot be read; nil if it can.
  @discardableResult
  public mutating func addOCSPResponse(der: some Collection<UInt8>) -> ParseError? {
    do throws(ParseError) {
      ocspResponses.append(try OCSPResponse(der: der))
      return nil
    } catch {
      unreadableResponses.append(error)
      return error
    }
  }

  /// Returns what a handshake tells: the response that the server stapled, nil for none. RFC 6066
  /// §8.
  ///
  /// A validator adds it to its own revocation data, and the stricter demand counts. A leaf that
  /// demands a stapled response is rejected without a usable one, whatever else is known.
  public static func handshake(staple: OCSPResponse?) -> Revocation {
    var revocation = staple.map { Revocation(ocspResponses: [$0]) } ?? Revocation(.ignored)
    revocation.handshake = Handshake(staple: staple.map { _ in 0 })
    return revocation
  }

  /// The response that the server stapled; nil if there is none, or no handshake.
  package var staple: OCSPResponse? { handshake?.staple.map { ocspResponses[$0] } }

  /// Returns what a handshake tells in addition to what a validator knows; other data replaces it.
  package func added(to known: Revocation?) -> Revocation {
    guard let handshake, var sum = known else { return self }
    sum.handshake = Handshake(staple: handshake.staple.map { $0 + sum.ocspResponses.count })
    sum.crls += crls
    sum.unreadableCRLs += unreadableCRLs
    for place in fetchedResponses { sum.fetchedResponses.insert(place + sum.ocspResponses.count) }
    sum.ocspResponses += ocspResponses
    sum.unreadableResponses += unreadableResponses
    sum.filters += filters
    sum.signers += signers
    sum.unanswered += unanswered
    sum.demand = max(sum.demand, demand)
    sum.honorsMustStaple = sum.honorsMustStaple && honorsMustStaple
    return sum
  }

  /// Which OCSP response satisfies a leaf that demands a stapled one.
  enum StapleDemand {
    /// None is demanded.
    case none
    /// The response that decides.
    case anyResponse
    /// This one, which the server stapled; nil if it stapled nothing.
    case stapled(CertificateRevocation.Source?)
  }

  /// Returns which OCSP response a leaf demands. RFC 7633 §4.2.3.1.
  func stapleDemand(of leaf: Certificate) -> StapleDemand {
    guard honorsMustStaple, leaf.demandsStaple else { return .none }
    guard let handshake else { return .anyResponse }
    return .stapled(handshake.staple.map { .stapledResponse($0) })
  }

  /// The OCSP response at an index.
  func response(_ index: Int) -> CertificateRevocation.Source {
    handshake?.staple == index ? .stapledResponse(index) : .ocspResponse(index)
  }

  /// Whether the chain comes from a handshake in which the server stapled nothing.
  var lacksStaple: Bool { handshake.map { $0.staple == nil } ?? false }

  /// Whether revocation is checked at all for a path with this leaf.
  func isAsked(for leaf: Certificate) -> Bool {
    if demand != .ignored { return true }
    if case .stapled = stapleDemand(of: leaf) { return true }
    return false
  }

  /// Whether the next moment may bring what this one lacks: there is nothing, or something was asked
  /// for and did not come.
  var mayBeAnswered: Bool {
    !unanswered.isEmpty
      || crls.isEmpty && unreadableCRLs.isEmpty && ocspResponses.isEmpty
        && unreadableResponses.isEmpty && filters.isEmpty
  }

  /// What has failed of what was asked about a certificate, each once.
  func failures(about certificate: Certificate) -> [String] {
    var known: Set<String> = []
    return unanswered.filter { $0.certificate == certificate }.map { $0.problem }
      .filter { known.insert($0).inserted }
  }

  /// Whether the status of a certificate must be known.
  func requires(leaf isLeaf: Bool) -> Bool {
    switch demand {
    case .ignored, .ifAvailable: false
    case .required(.leaf): isLeaf
    case .required(.everyCertificate): true
    }
  }
}

extension Certificate {
  /// Whether the certificate demands a stapled OCSP response in each handshake (must-staple): the
  /// TLS extension status_request, 5, is among its TLS features. RFC 7633 §4.2.3.1.
  package var demandsStaple: Bool { extensions.tlsFeatures.contains(5) }

  /// Whether RFC 5280 §6.1.3 (a)(3) is skipped: the certificate has noRevAvail, is not a CA's, and
  /// names no source of CRLs or OCSP responses, which would contradict it. RFC 9608 §2 to §4.
  package var isExemptFromRevocation: Bool {
    let extensions = extensions
    return extensions.hasNoRevocationAvailable && !isCA
      && extensions.crlDistributionPoints.isEmpty && extensions.freshestCRL.isEmpty
      && !extensions.authorityInformationAccess.contains { $0.method == .ocspAccess }
  }
}

extension Revocation: CustomStringConvertible {
  /// How many sources of each kind there are, how many cannot be read, and what is demanded of them.
  public var description: String {
    let demand =
      switch demand {
      case .ignored: "not checked"
      case .ifAvailable: "soft-fail"
      case .required(of: .leaf): "the leaf's status must be known"
      case .required(of: .everyCertificate): "every status must be known"
      }
    let unreadable = unreadableCRLs.count + unreadableResponses.count
    return "\(crls.count) CRLs, \(ocspResponses.count) OCSP responses, \(filters.count) filters; "
      + (unreadable > 0 ? "\(unreadable) cannot be read; " : "") + demand
  }
}
