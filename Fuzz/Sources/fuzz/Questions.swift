import Holdfast

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
      precondition(!"\(error)".isEmpty)
    }
  }

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
        precondition(!"\(error)".isEmpty)
      }
      let validator = PathValidator(anchors: AnchorSet([anchor]), rules: .webPKI, cache: nil)
      diagnose([leaf], purpose, at: leaf.notBefore, validator, nil)
    } catch {
      precondition(!"\(error)".isEmpty)
    }
  }

  /// Asks about the last chain of the pool with a good list and this one. A list can only revoke,
  /// or leave the status unknown.
  static func ask(list bytes: [UInt8]) {
    guard let chain = PathCase.pool.listed else { return }
    var revocation = Revocation(.required(of: .leaf), crls: [chain.list])
    let error = revocation.addCRL(der: bytes)
    precondition(revocation.crls.count == (error == nil ? 2 : 1))
    precondition(revocation.unreadableCRLs.map(\.der) == (error == nil ? [] : [bytes]))
    ask(revocation, about: chain)
  }

  /// Asks about the same chain with a stapled response.
  static func ask(staple: OCSPResponse) {
    guard let chain = PathCase.pool.listed else { return }
    ask(.handshake(staple: staple), about: chain)
  }

  private static func ask(_ revocation: Revocation, about chain: Pool.Listed) {
    for validator in chain.validators {
      let diagnosis = diagnose(
        chain.certificates, .anyServer, at: chain.time, validator, revocation)
      for violation in diagnosis.attempts.flatMap(\.violations) {
        precondition([.revoked, .revocationUnknown].contains(violation.rule), "\(violation)")
      }
    }
  }

  @discardableResult
  private static func diagnose(
    _ chain: [Certificate], _ purpose: Purpose, at time: Timestamp, _ validator: PathValidator,
    _ revocation: Revocation?
  ) -> Diagnosis {
    let diagnosis = validator.diagnose(chain, for: purpose, at: time, revocation: revocation)
    precondition(!"\(diagnosis)".isEmpty)
    do throws(PathError) {
      _ = try validator.validate(chain, for: purpose, at: time, revocation: revocation)
      precondition(diagnosis.path != nil || diagnosis.limitReached != nil, "\(diagnosis)")
    } catch {
      precondition(diagnosis.path == nil, "\(error)")
    }
    return diagnosis
  }
}
