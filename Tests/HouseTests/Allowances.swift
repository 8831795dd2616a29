extension HouseRule {
  /// Every exception from a rule, with its reason. One that is no longer needed fails the test.
  static let allowances: [Allowance] = [
    Allowance(
      "unsafe", "Sources/HoldfastSignatures/Natural.swift",
      because: "GMP takes pointers; this is the one file that calls it"),
    Allowance(
      "unsafe", "Sources/HoldfastSignatures/Montgomery.swift",
      because: "the reduction's inner loop without bounds checks and with carry flags"),
    Allowance(
      "unsafe", "Sources/HoldfastSignatures/VectorMontgomery.swift",
      because: "the CPU's products of 52 bits are reached through a C header that takes pointers"),
    Allowance(
      "unsafe", "Sources/HoldfastDER/Platform.swift",
      because: "the clock and the file system are C functions"),
    Allowance(
      "unsafe", "Sources/HoldfastTool/System.swift",
      because: "output, terminals and signals are C functions"),
    Allowance(
      "swallowed-error", "Sources/HoldfastCertificates/DERList.swift",
      because: "the elements were read by the same initialiser before"),
    Allowance(
      "swallowed-error", "Sources/HoldfastCertificates/Names/DistinguishedName+Matching.swift",
      because: "the relative names were read when the name was made"),
    Allowance(
      "swallowed-error", "Sources/HoldfastCertificates/Certificate+Chaining.swift",
      because: "the policies were read with the certificate"),
    Allowance(
      "swallowed-error", "Sources/HoldfastCertificates/DERContent.swift",
      because: "bytes that are nothing known count as a certificate"),
    Allowance(
      "trap", "Sources/HoldfastCertificates/DERList.swift",
      because: "an index out of range is the programmer's mistake"),
    Allowance(
      "trap", "Sources/HoldfastDER/OID.swift",
      because: "an identifier that is misspelt in source code is the programmer's mistake"),
    Allowance(
      "unsafe", "Sources/HoldfastHashes/SHA1.swift",
      because: "the CPU's SHA instructions are reached through a C header that takes pointers"),
    Allowance(
      "unsafe", "Sources/HoldfastHashes/SHA256.swift",
      because: "the CPU's SHA instructions are reached through a C header that takes pointers"),
    Allowance(
      "unsafe", "Sources/HoldfastHashes/SHA256+Portable.swift",
      because: "the schedule waits in memory without bounds checks, which halves the time"),
    Allowance(
      "unsafe", "Sources/HoldfastHashes/SHA512+Rounds.swift",
      because: "the schedule waits in memory without bounds checks, which halves the time"),
    Allowance(
      "unsafe", "Sources/HoldfastHashes/VectorShifts.swift",
      because: "SSE2 shifts take another vector type of the same size"),
    Allowance(
      "unsafe", "Benchmarks/Sources/bench/Peers/OpenSSLKey.swift",
      because: "OpenSSL takes pointers"),
    Allowance(
      "unsafe", "Benchmarks/Sources/bench/Peers/LinkedPeers.swift",
      because: "OpenSSL and GnuTLS take pointers"),
    Allowance(
      "unsafe", "Benchmarks/Sources/bench/Method/Command.swift",
      because: "what another process prints is read through a C function that takes pointers"),
    Allowance(
      "unchecked-sendable", "Tests/Threads/canary.swift",
      because: "its race is on purpose: the thread sanitizer must find it"),
    Allowance(
      "unsafe", "Sources/HoldfastConformance/ProcessorTime.swift",
      because: "the time that a thread has had a processor is told by a C function"),
    Allowance(
      "standard-extension", "Sources/HoldfastHashes/BlockHash.swift",
      because: "loads and rotations that all hash functions of this module share"),
    Allowance(
      "citation", "Tests/HouseTests/RulesBiteTests.swift",
      because: "its samples show how not to cite"),
  ]
}
