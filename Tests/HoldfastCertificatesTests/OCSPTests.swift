import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import Testing

@Suite("OCSP")
struct OCSPTests {
  @Test("the fields of responses are those that OpenSSL prints")
  func fields() throws {
    let printed = try RevocationMaterial.fields()
    var compared = 0
    for (name, der) in try RevocationMaterial.blocks("answers.pem") {
      guard let lines = printed[name] else { continue }
      compared += 1
      let basic = try #require(try OCSPResponse(der: der).basic)
      var ours = ["Produced At: \(basic.producedAt.openSSLMessage)"]
      for single in basic.responses {
        let id = single.certificateID
        let hash = id.hash.map { "\($0)" } ?? ""
        ours.append("Hash Algorithm: \(hash.filter { $0 != "-" }.lowercased())")
        ours.append("Issuer Name Hash: \("\(id.issuerNameHash)".uppercased())")
        ours.append("Issuer Key Hash: \("\(id.issuerKeyHash)".uppercased())")
        ours.append("Serial Number: \("\(id.serialNumber)".uppercased())")
        switch single.status {
        case .good: ours.append("Cert Status: good")
        case .unknown: ours.append("Cert Status: unknown")
        case .revoked(let time, let reason):
          ours.append("Cert Status: revoked")
          ours.append("Revocation Time: \(time.openSSLMessage)")
          if let reason {
            ours.append(
              "Revocation Reason: \(reason) (0x\(String(reason.rawValue, radix: 16)))")
          }
        }
        ours.append("This Update: \(single.thisUpdate.openSSLMessage)")
        if let next = single.nextUpdate { ours.append("Next Update: \(next.openSSLMessage)") }
      }
      if let nonce = basic.nonce { ours.append("0410\(nonce)".uppercased()) }
      let starts = [
        "Produced At", "Hash Algorithm", "Issuer Name Hash", "Issuer Key Hash", "Serial Number",
        "Cert Status", "Revocation", "This Update", "Next Update", "0410",
      ]
      let facts = lines.filter { line in starts.contains { line.hasPrefix($0) } }
      #expect(ours == facts, "\(name)")
    }
    #expect(compared == 5)
  }

  @Test("responders are identified by name or by key")
  func responders() throws {
    func basic(_ name: String) throws -> BasicOCSPResponse {
      let der = try RevocationMaterial.block(name, in: "answers.pem")
      return try #require(try OCSPResponse(der: der).basic)
    }
    let responder = try Certificate(
      der: RevocationMaterial.block("responder", in: "certificates.pem"))
    #expect(try basic("good-by-name-sha1").responder == .name(responder.subject))
    let key = HashAlgorithm.sha1.hash(responder.publicKey.bytes.array).array
    #expect(try basic("good-by-key-sha1").responder == .keyHash(Bytes(key)))
    #expect(try basic("good-by-name-sha1").certificates == [responder])
    #expect(try basic("good-without-sha1").certificates.isEmpty)
  }

  @Test("a CertID matches its certificate and no other")
  func certificateIDs() throws {
    let certificates = try RevocationMaterial.blocks("certificates.pem").map {
      try Certificate(der: $0.der)
    }
    let authority = certificates[1]
    for hash in ["sha1", "sha256"] {
      let der = try RevocationMaterial.block("keys-by-name-\(hash)", in: "answers.pem")
      let id = try #require(try OCSPResponse(der: der).basic?.responses.first).certificateID
      let matching = certificates.filter { id.matches($0, issuerKey: authority.publicKey) }
      #expect(matching.map { "\($0.subject)" } == ["CN=keys"])
      for other in certificates where other.publicKey != authority.publicKey {
        #expect(!id.matches(matching[0], issuerKey: other.publicKey))
      }
    }
  }

  @Test("statuses other than successful are read, and unknown ones are rejected")
  func states() throws {
    for value in 0...20 as ClosedRange<UInt8> {
      let der: [UInt8] = [0x30, 0x03, 0x0A, 0x01, value]
      do throws(ParseError) {
        let response = try OCSPResponse(der: der)
        #expect([1, 2, 3, 5, 6].contains(value) && response.basic == nil)
        #expect(response.status.rawValue == value)
      } catch {
        #expect(![1, 2, 3, 5, 6].contains(value))
        #expect(error.field == (value == 0 ? .responseBytes : .responseStatus))
      }
    }
  }

  @Test(
    "requests equal those of BoringSSL",
    .enabled(if: VectorSuites.has("bssl-ocsp"), "\(VectorSuites.absence(of: "bssl-ocsp"))"))
  func requests() throws {
    var compared = 0
    // The serial number of one certificate is not DER.
    for test in try VectorSuites.cases(of: "bssl-ocsp") {
      let name = try test.value("id", .string)
      if name == "good_response_invalid_serial" { continue }
      let certificate = try Certificate(der: test.value("certificate", .base64))
      let issuer = try Certificate(der: test.value("issuer", .base64))
      let request = try test.value("request", .base64)
      let id = OCSPCertificateID(of: certificate, issuerKey: issuer.publicKey)
      #expect(OCSPRequest(id).der == request, "\(name)")
      let read = try OCSPRequest(der: request)
      #expect(read.certificateIDs == [id] && read.nonce == nil && !read.isSigned, "\(name)")
      compared += 1
    }
    #expect(compared > 0)
  }

  @Test("a request names its hash function, and there is none by one that OCSP has no name for")
  func hashFunctions() throws {
    let certificate = try Certificate(der: RevocationMaterial.block("good", in: "certificates.pem"))
    let key = certificate.publicKey
    for hash in [HashAlgorithm.sha1, .sha256, .sha384, .sha512] {
      let id = try #require(OCSPCertificateID(of: certificate, issuerKey: key, hash: hash))
      #expect(try OCSPRequest(der: OCSPRequest(id).der).certificateIDs == [id])
      #expect(id.hash == hash && id.matches(certificate, issuerKey: key))
    }
    #expect(OCSPCertificateID(of: certificate, issuerKey: key).hash == .sha1)
    for hash in [HashAlgorithm.sha3_256, .sha3_512] {
      #expect(OCSPCertificateID(of: certificate, issuerKey: key, hash: hash) == nil, "\(hash)")
    }
  }

  @Test("an identifier by an unknown hash function stays one when it is written again")
  func unknownHashFunction() throws {
    let certificate = try Certificate(der: RevocationMaterial.block("good", in: "certificates.pem"))
    let known = OCSPCertificateID(of: certificate, issuerKey: certificate.publicKey)
    // 1.3.14.3.2.26 is SHA-1; 1.3.14.3.2.127 is nothing.
    let der = OCSPRequest(known).der.replacing(
      [0x2B, 0x0E, 0x03, 0x02, 0x1A], with: [0x2B, 0x0E, 0x03, 0x02, 0x7F])
    let unknown = try #require(OCSPRequest(der: der).certificateIDs.first)
    #expect(unknown.hash == nil && unknown != known)
    #expect(OCSPRequest(unknown).der == der)
    #expect(!unknown.matches(certificate, issuerKey: certificate.publicKey))
  }

  @Test("a request carries a nonce of 1 to 128 bytes")
  func nonces() throws {
    let certificate = try Certificate(der: RevocationMaterial.block("good", in: "certificates.pem"))
    let id = OCSPCertificateID(of: certificate, issuerKey: certificate.publicKey)
    #expect(OCSPRequest([]) == nil)
    #expect(OCSPRequest([id], nonce: []) == nil)
    #expect(OCSPRequest([id], nonce: [UInt8](repeating: 1, count: 129)) == nil)
    let request = try #require(OCSPRequest([id], nonce: [0xAB, 0xCD]))
    // RFC 9654 §2.1: an OCTET STRING inside of the extension's own.
    let tail: [UInt8] = [
      0xA2, 0x15, 0x30, 0x13, 0x30, 0x11, 0x06, 0x09, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30,
      0x01,
      0x02, 0x04, 0x04, 0x04, 0x02, 0xAB, 0xCD,
    ]
    #expect(Array(request.der.suffix(tail.count)) == tail)
    #expect(request.nonce == [0xAB, 0xCD] && request.extensions.count == 1)
    #expect(OCSPRequest([OCSPCertificateID](repeating: id, count: 1001)) == nil)
  }

  @Test("a request or an answer has a limit in bytes, and nothing follows it")
  func limits() throws {
    func problem(_ read: () throws(ParseError) -> Void) -> ParseError.Problem? {
      do throws(ParseError) {
        try read()
        return nil
      } catch {
        return error.problem
      }
    }
    for (count, isTooLarge) in [(65_536, false), (65_537, true)] {
      let found = problem { () throws(ParseError) in
        _ = try OCSPRequest(der: [UInt8](repeating: 0, count: count))
      }
      #expect((found == .tooLarge(limit: 65_536)) == isTooLarge)
    }
    for (count, isTooLarge) in [(1_048_576, false), (1_048_577, true)] {
      let found = problem { () throws(ParseError) in
        _ = try OCSPResponse(der: [UInt8](repeating: 0, count: count))
      }
      #expect((found == .tooLarge(limit: 1_048_576)) == isTooLarge)
    }
    let request = try #require(PEMText(Array(Self.signedRequest.utf8)).blocks.first).bytes
    let found = problem { () throws(ParseError) in _ = try OCSPRequest(der: request + [5, 0]) }
    #expect(found == .der(.trailingData))
  }

  /// By `openssl ocsp -issuer ca.pem -cert good.pem -cert keys.pem -signer asker.pem -no_certs
  /// -reqout`; the expectations are what `openssl ocsp -reqin … -req_text` prints.
  static let signedRequest = """
    -----BEGIN OCSP REQUEST-----
    MIIBGTCBu6EUpBIwEDEOMAwGA1UEAwwFYXNrZXIwfjA9MDswCQYFKw4DAhoFAAQUTdH+b+Ehs1Lv
    hAxjD4BgEGOtwR8EFJPY0i5UFWXSgqDLW6nXR38m9JFfAgIQATA9MDswCQYFKw4DAhoFAAQUTdH+
    b+Ehs1LvhAxjD4BgEGOtwR8EFJPY0i5UFWXSgqDLW6nXR38m9JFfAgIQAqIjMCEwHwYJKwYBBQUH
    MAECBBIEEF8SkM607X5edMHlUv7u+Z2gWTBXMAoGCCqGSM49BAMCA0kAMEYCIQDroqn3oDOfvBy/
    +EYp6k7vO+1nqm/jBeraSli5+ersDwIhAObKaJW6umcBhFsG5l46c3mAlYRnULRlWtyK+Q2JcF40
    -----END OCSP REQUEST-----
    """

  @Test("the fields of a request are those that OpenSSL prints")
  func signedRequests() throws {
    let block = try #require(PEMText(Array(Self.signedRequest.utf8)).blocks.first)
    let request = try OCSPRequest(der: block.bytes)
    #expect(request.requestorName.map { "\($0)" } == "directoryName:CN=asker")
    #expect(request.certificateIDs.map { "\($0.serialNumber)" } == ["1001", "1002"])
    for id in request.certificateIDs {
      #expect(id.hash == .sha1)
      #expect("\(id.issuerNameHash)" == "4dd1fe6fe121b352ef840c630f80601063adc11f")
      #expect("\(id.issuerKeyHash)" == "93d8d22e541565d282a0cb5ba9d7477f26f4915f")
    }
    #expect(request.nonce.map { "\(Bytes($0))" } == "5f1290ceb4ed7e5e74c1e552feeef99d")
    #expect(request.isSigned && request.deviations.isEmpty && request.der == block.bytes)
    for count in block.bytes.indices {
      do throws(ParseError) {
        _ = try OCSPRequest(der: Array(block.bytes[..<count]))
        Issue.record("\(count) bytes were read")
      } catch {
        #expect(error.offset <= count)
      }
    }
    var der = block.bytes
    for offset in der.indices {
      der[offset] ^= 0xFF
      do throws(ParseError) { _ = try OCSPRequest(der: der) } catch {
        #expect(0...der.count ~= error.offset && !"\(error)".isEmpty)
      }
      der[offset] ^= 0xFF
    }
  }

  @Test("a response cut at any length is rejected, at an offset inside it")
  func truncations() throws {
    let der = try RevocationMaterial.block("several", in: "answers.pem")
    for count in der.indices {
      do throws(ParseError) {
        _ = try OCSPResponse(der: Array(der[..<count]))
        Issue.record("\(count) bytes were read")
      } catch {
        #expect(error.offset <= count)
      }
    }
  }

  @Test("a response with any bit changed is read or rejected")
  func bitFlips() throws {
    var der = try RevocationMaterial.block("several", in: "answers.pem")
    for index in der.indices {
      for bit in 0..<8 {
        der[index] ^= 1 << bit
        do throws(ParseError) {
          _ = try OCSPResponse(der: der)
        } catch {
          #expect(0...der.count ~= error.offset && !"\(error)".isEmpty)
        }
        der[index] ^= 1 << bit
      }
    }
  }
}
