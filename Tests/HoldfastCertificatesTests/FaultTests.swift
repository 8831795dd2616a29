import Foundation
import HoldfastCertificates
import HoldfastConformance
import HoldfastDER
import TestSupport
import Testing

/// Forty certificates of many kinds and at most 2 KiB.
private func seeds() throws -> [[UInt8]] {
  let all = try VectorSuites.cases(of: "certificate-corpus").filter {
    try $0.value("expected", .string) == "accept"
  }.map { try $0.value("der", .base64) }
  let small = all.filter { $0.count <= 2048 }
  let step = max(1, small.count / 40)
  return stride(from: 0, to: small.count, by: step).prefix(40).map { small[$0] }
}

private let hasCorpus = VectorSuites.has("certificate-corpus")
private let absence: Comment = "\(VectorSuites.absence(of: "certificate-corpus"))"

/// Reads bytes; whatever the answer, it must be in order: a certificate gives its bytes back, and
/// an error names a place in them.
private func answer(_ bytes: [UInt8]) -> String? {
  do throws(ParseError) {
    let certificate = try Certificate(der: bytes)
    return certificate.der == bytes ? nil : "other bytes came back"
  } catch {
    return 0...bytes.count ~= error.offset ? nil : "\(error) is outside of \(bytes.count) bytes"
  }
}

@Suite("Malformed certificates")
struct FaultTests {
  @Test("a certificate cut at any length is rejected", .enabled(if: hasCorpus, absence))
  func truncations() throws {
    var complaints: [String] = []
    for seed in try seeds() {
      for count in 0..<seed.count {
        do throws(ParseError) {
          _ = try Certificate(der: Array(seed[..<count]))
          complaints.append("\(count) of \(seed.count) bytes were read")
        } catch {
          if error.offset > count { complaints.append("\(error) is outside of \(count) bytes") }
        }
      }
    }
    #expect(complaints.isEmpty)
  }

  @Test("a certificate with any bit changed is read or rejected", .enabled(if: hasCorpus, absence))
  func bitFlipsHeavy() throws {
    var complaints: [String] = []
    for var bytes in try seeds() {
      for index in bytes.indices {
        for bit in 0..<8 {
          bytes[index] ^= 1 << bit
          if let complaint = answer(bytes) { complaints.append(complaint) }
          bytes[index] ^= 1 << bit
        }
      }
    }
    #expect(complaints.isEmpty)
  }

  @Test("every length byte may have any value without a crash", .enabled(if: hasCorpus, absence))
  func lengths() throws {
    var complaints: [String] = []
    #if DEBUG
      let few = 8
    #else
      let few = 40
    #endif
    for seed in try seeds().prefix(few) {
      for index in seed.indices {
        for value in [0x00, 0x7F, 0x80, 0x81, 0x84, 0xFF] as [UInt8] {
          var bytes = seed
          bytes[index] = value
          if let complaint = answer(bytes) { complaints.append(complaint) }
        }
        let bytes = seed[..<index] + [0x84, 0xFF, 0xFF, 0xFF, 0xFF] + seed[(index + 1)...]
        if let complaint = answer(Array(bytes)) { complaints.append(complaint) }
      }
    }
    #expect(complaints.isEmpty)
  }

  @Test("certificates are read on a stack of 64 KiB", .enabled(if: hasCorpus, absence))
  func smallStack() throws {
    let bytes = try VectorSuites.cases(of: "certificate-corpus").map {
      try $0.value("der", .base64)
    }
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      for der in bytes { _ = answer(der) }
      done.signal()
    }
    thread.stackSize = 64 << 10
    thread.start()
    // A stack that is too small ends the process. The time is that of a machine with much else to
    // do.
    #expect(done.wait(timeout: .now() + 600) == .success)
  }

  @Test("exceeding the size limit is an error")
  func size() {
    let bytes = [0x30, 0x83, 0x01, 0x00, 0x00] + [UInt8](repeating: 0, count: 65_536)
    let error = #expect(throws: ParseError.self) { try Certificate(der: bytes) }
    #expect(error?.problem == .tooLarge(limit: 65_536))
    let other = #expect(throws: ParseError.self) {
      try Certificate(der: bytes, maximumSize: 1 << 20)
    }
    #expect(other?.field == .tbs)
  }
}

@Suite("Bundles")
struct BundleTests {
  private let good = "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n"

  @Test("the errors of a bundle are in the order of the file, whatever is wrong with each")
  func orderOfErrors() throws {
    let good = try String(
      contentsOfFile: CommittedVectors.path("demo/root.pem"), encoding: .utf8)
    func block(_ body: String) -> String {
      "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n"
    }
    // No base64, no certificate, good, cut off by the next BEGIN, no certificate, and an END alone.
    let text =
      block("M*A=") + block("MAA=") + good + "-----BEGIN CERTIFICATE-----\nx\n" + block("MAA=")
      + "-----END CERTIFICATE-----\n"
    let bundle = CertificateBundle(Array(text.utf8))
    #expect(bundle.certificates.count == 1)
    #expect(bundle.errors.map { $0.block?.block } == [1, 2, 4, 5, 5])
    let lines = bundle.errors.compactMap { $0.block?.line }
    #expect(lines.count == 5 && lines == lines.sorted(), "\(lines)")
  }

  @Test(
    "a bad certificate in a bundle is reported at its position and does not affect the others",
    .enabled(if: hasCorpus, absence))
  func neighbors() throws {
    let all = try seeds().prefix(3).map { try Certificate(der: $0) }
    let text = all[0].pem + good + all[1].pem + "-----BEGIN CERTIFICATE-----\n*\n" + all[2].pem
    let bundle = CertificateBundle(Array(text.utf8))
    #expect(bundle.certificates == all)
    #expect(bundle.errors.compactMap(\.block?.block).sorted() == [2, 4])
    #expect(throws: ParseError.self) { try Certificate.certificates(inPEM: text) }
  }

  @Test("several concatenated DER certificates are read", .enabled(if: hasCorpus, absence))
  func concatenatedDER() throws {
    let all = try seeds().prefix(3).map { try Certificate(der: $0) }
    let bytes = all[0].der + [0x30, 0x01, 0x00] + all[1].der
    let bundle = CertificateBundle(bytes)
    #expect(bundle.certificates == [all[0], all[1]])
    #expect(bundle.errors.map(\.offset) == [all[0].der.count + 2])
  }

  @Test("bytes that are neither PEM nor DER are an error, not an empty list")
  func garbage() {
    for bytes in [[], Array("hello".utf8), [0x00], [0x30], [0x30, 0x00]] as [[UInt8]] {
      let bundle = CertificateBundle(bytes)
      #expect(bundle.certificates.isEmpty && !bundle.errors.isEmpty, "\(bytes)")
    }
  }
}
