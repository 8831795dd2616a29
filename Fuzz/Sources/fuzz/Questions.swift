import Holdfast
@testable import HoldfastCertificates

/// Validations of certificates, names and revocation data that the fuzzer supplies.
enum Questions {
  private static let name = Skeleton.element(
    0x30,
    Skeleton.element(
      0x31, Skeleton.element(0x30, [0x06, 0x03, 0x55, 0x04, 0x03, 0x0C, 0x01, 0x41])))

  /// Asks about a certificate as a leaf, and as the issuer of one, below an anchor with its key.
  /// The search and the full account must agree.
  static func ask(_ certificate: Certificate) {
    do throws(ParseError) {
      let anchor = try Certificate(
        der: Skeleton.authority(
          Array(certificate.issuer.der), key: Array(certificate.publicKey.der)))
      let subject = Array(certificate.subject.der)
      let leaf = try Certificate(
        der: Skeleton.leaf(issuer: subject, subject: name, alternativeNames: [0x82, 0x01, 0x61]))
      for rules in [ValidationRules.strict, .strictRFC5280] {
        let validator = PathValidator(anchors: AnchorSet([anchor]), rules: rules, cache: nil)
        for chain in [[certificate], [leaf, certificate]] {
          diagnose(chain, .anyServer, at: certificate.notBefore, validator, .handshake(staple: nil))
        }
      }
    } catch {
      mustSay("\(error)")
    }
  }

  private static let nameRules: Set<Rule> = [
    .nameNotPermitted, .nameExcluded, .nameMalformed, .constraintUnsupported, .constraintMalformed,
  ]

  /// Asks about alternative names below an anchor that permits and excludes a base of names.
  static func ask(_ names: [UInt8], below base: [UInt8]) {
    do throws(ParseError) {
      let anchor = try Certificate(der: Skeleton.authority(name, constraint: base))
      let leaf = try Certificate(
        der: Skeleton.leaf(
          issuer: name, subject: Skeleton.element(0x30, []), alternativeNames: names))
      var purpose = Purpose.any
      do throws(PathError) {
        purpose = try .email(String(decoding: base.dropFirst(2), as: UTF8.self))
      } catch {
        mustSay("\(error)")
      }
      let validator = PathValidator(anchors: AnchorSet([anchor]), rules: .webPKI, cache: nil)
      let diagnosis = diagnose([leaf], purpose, at: leaf.notBefore, validator, nil)
      // The base is permitted and excluded, so no name of its form can pass.
      guard let form = base.first, names.first == form else { return }
      precondition(
        diagnosis.limitReached != nil
          || diagnosis.attempts.contains { attempt in
            attempt.violations.contains { nameRules.contains($0.rule) }
          },
        "a name passes its own exclusion: \(diagnosis)")
    } catch {
      mustSay("\(error)")
    }
  }

  /// Asks about the last chain of the pool with a good list and this one. A list can only revoke,
  /// or leave the status unknown.
  static func ask(list bytes: [UInt8]) {
    guard let chain = PathCase.pool.listed else { return }
    var revocation = Revocation(.required(of: .leaf), crls: [chain.list])
    let error = revocation.addCRL(der: bytes)
    precondition(revocation.crls.count == (error == nil ? 2 : 1))
    precondition(revocation.unreadableCRLs.map { $0.der } == (error == nil ? [] : [bytes]))
    let answer = ask(revocation, about: chain)
    // The order of lists decides nothing.
    revocation.crls.reverse()
    precondition(ask(revocation, about: chain) == answer, "the order decides")
    // What this list revokes, a good one does not undo, unless it was a hold.
    revocation.crls.removeAll { $0 == chain.list }
    revocation.demand = .ifAvailable
    let alone = ask(revocation, about: chain)
    for (alone, both) in zip(alone, answer) where alone == [.revoked] {
      precondition(!both.isEmpty, "a revocation was undone")
    }
    for unreadable in revocation.unreadableCRLs { search(unreadable) }
  }

  /// Asks about the same chain with a stapled response.
  static func ask(staple: OCSPResponse) {
    guard let chain = PathCase.pool.listed else { return }
    let alone = ask(.handshake(staple: staple), about: chain)
    // What a response revokes, a good list does not undo; and a list is no better for a response.
    var both = Revocation.handshake(staple: staple)
    both.crls = [chain.list]
    for (alone, both) in zip(alone, ask(both, about: chain)) where alone == [.revoked] {
      precondition(!both.isEmpty, "a revocation was undone")
    }
  }

  /// Looks for serial numbers in a list that cannot be read, and compares with a plain search.
  private static func search(_ list: UnreadableCRL) {
    let tail = list.der.suffix(24)
    for length in [1, 2, 3, 8, 20] where tail.count >= length {
      let digits = Array(tail.dropLast(tail.count - length))
      do throws(ParseError) {
        let leaf = try Certificate(
          der: Skeleton.leaf(
            issuer: name, subject: name, alternativeNames: [0x82, 0x01, 0x61], serial: digits))
        guard let tbs = list.outline?.tbs, list.searchLength > 0 else {
          precondition(list.mayName(leaf.serialNumber), "a list that is not searched names any")
          continue
        }
        let bytes = Array(tbs)
        let wanted = Array(leaf.serialNumber.bytes.drop { $0 == 0 })
        let isThere =
          wanted.isEmpty || bytes.count < wanted.count
          || bytes.indices.contains { bytes[$0...].starts(with: wanted) }
        precondition(list.mayName(leaf.serialNumber) == isThere, "\(wanted)")
      } catch {}
    }
  }

  /// Returns the rules that each validator's answer names.
  @discardableResult
  private static func ask(
    _ revocation: Revocation, about chain: Pool.Listed
  ) -> [Set<Rule>] {
    chain.validators.map { validator in
      let diagnosis = diagnose(
        chain.certificates, .anyServer, at: chain.time, validator, revocation)
      for violation in diagnosis.attempts.flatMap({ $0.violations }) {
        precondition([.revoked, .revocationUnknown].contains(violation.rule), "\(violation)")
      }
      return diagnosis.path == nil
        ? Set(diagnosis.attempts.flatMap { $0.violations }.map { $0.rule }) : []
    }
  }

  @discardableResult
  private static func diagnose(
    _ chain: [Certificate], _ purpose: Purpose, at time: Timestamp, _ validator: PathValidator,
    _ revocation: Revocation?
  ) -> Diagnosis {
    let diagnosis = validator.diagnose(chain, for: purpose, at: time, revocation: revocation)
    mustSay("\(diagnosis)")
    do throws(PathError) {
      _ = try validator.validate(chain, for: purpose, at: time, revocation: revocation)
      precondition(diagnosis.path != nil || diagnosis.limitReached != nil, "\(diagnosis)")
    } catch {
      precondition(diagnosis.path == nil, "\(error)")
    }
    return diagnosis
  }
}
