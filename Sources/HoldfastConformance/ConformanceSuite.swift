package import HoldfastPaths
internal import HoldfastSystem

/// Runs the cases of a suite's files.
protocol SuiteRunner {
  /// Runs the cases of one file.
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError)
}

/// Runs a suite whose files are lists of cases that need no facts beside them.
protocol CaseRunner: SuiteRunner {
  /// Runs one case.
  func run(_ test: SuiteCase, into report: inout ConformanceReport) throws(VectorError)
}

extension CaseRunner {
  func run(_ file: VectorFile, into report: inout ConformanceReport) throws(VectorError) {
    try SuiteDocument(file).forEachCase { test throws(VectorError) in
      try run(test, into: &report)
    }
  }
}

/// The suites that can be run by name.
package enum ConformanceSuite: String, Sendable, CaseIterable {
  /// Our own cases.
  case chains
  /// Our own cases in x509-limbo's schema, with the reasons and the paths.
  case judge
  /// C2SP's x509-limbo.
  case limbo
  /// NIST's PKITS.
  case pkits
  /// Google's x509test.
  case x509test
  /// Project Wycheproof's signatures.
  case wycheproof
  /// Signatures of NIST's CAVP and of pyca, in the form of Wycheproof's files.
  case signatures
  /// NIST's known digests.
  case shaCAVP = "sha-cavp"
  /// NIST's points on elliptic curves, some of which are not.
  case pointsCAVP = "cavp-ecdsa-pkv"
  /// Certificates, real and odd, with their fields.
  case certificateCorpus = "certificate-corpus"
  /// BoringSSL's chains.
  case bsslVerifyChain = "bssl-verify-chain"
  /// BoringSSL's CRLs.
  case bsslCRL = "bssl-crl"
  /// BoringSSL's OCSP responses.
  case bsslOCSP = "bssl-ocsp"
  /// BoringSSL's comparisons of names.
  case bsslNameMatch = "bssl-name-match"
  /// BoringSSL's identifiers of signature algorithms.
  case bsslSignatureAlgorithm = "bssl-signature-algorithm"
  /// Signed certificate timestamps of five projects, and a log list beside real certificates.
  case transparency = "ct"

  /// Whether the suite is about paths, so that other rules than its own make sense.
  package var takesRules: Bool {
    switch self {
    case .limbo, .pkits, .x509test, .bsslVerifyChain: true
    default: false
    }
  }

  /// The names under which the suite is found, in whole or in parts.
  package var parts: [String] {
    switch self {
    case .limbo: [rawValue, "limbo-second", "other-suites.limbo"]
    case .pkits: [rawValue, "pkits-second"]
    case .wycheproof: [rawValue, "wycheproof-second", "wycheproof-second-optional"]
    case .certificateCorpus: [rawValue, "certificate-corpus-second"]
    default: [rawValue]
    }
  }

  /// Which list of divergences a part has under the rules of a name, or under its own.
  package func divergenceList(part: String, rulesName: String?) -> String? {
    switch (self, rulesName) {
    case (.limbo, nil) where part == "other-suites.limbo": "other-suites"
    case (.limbo, nil): "limbo-strict"
    case (.limbo, "webPKI"): part == "other-suites.limbo" ? "other-suites" : "limbo-webpki"
    case (_, nil): rawValue
    default: nil
    }
  }

  /// Runs the suite on files and folders. Without any, on what `VectorSuites` finds under the
  /// suite's name, or under that of a `part` of it.
  ///
  /// - Parameter rules: Rules instead of the suite's own, if it `takesRules`.
  package func run(
    _ paths: [String] = [], part: String? = nil, rules: ValidationRules? = nil
  ) throws(VectorError) -> ConformanceReport {
    // The chains of other projects are not made to satisfy each MUST on issuance.
    let rules = rules ?? (part == "other-suites.limbo" ? .webPKI : nil)
    var files: [VectorFile] = []
    for path in paths.isEmpty ? [try defaultPath(part ?? rawValue)] : paths {
      switch self {
      case .chains: files += try ChainCase.files(at: path)
      case .transparency: files += TransparencyRunner.files(at: path)
      default: files += try VectorFile.files(at: path)
      }
    }
    return try run(files: files, rules: rules)
  }

  /// Runs the suite on files that have been read.
  package func run(
    files: [VectorFile], rules: ValidationRules? = nil
  ) throws(VectorError) -> ConformanceReport {
    switch self {
    case .chains: try report(of: ChainRunner(), files)
    case .judge: try report(of: JudgeRunner(), files)
    case .limbo: try report(of: LimboRunner(rules: rules), files)
    case .pkits: try report(of: PKITSRunner(rules: rules), files)
    case .x509test: try report(of: X509TestRunner(rules: rules), files)
    case .wycheproof, .signatures: try report(of: WycheproofRunner(), files)
    case .shaCAVP: try report(of: DigestRunner(), files)
    case .pointsCAVP: try report(of: PointRunner(), files)
    case .certificateCorpus: try report(of: CorpusRunner(), files)
    case .bsslVerifyChain: try report(of: VerifyChainRunner(rules: rules), files)
    case .bsslCRL: try report(of: CRLRunner(), files)
    case .bsslOCSP: try report(of: OCSPRunner(), files)
    case .bsslNameMatch: try report(of: NameMatchRunner(), files)
    case .bsslSignatureAlgorithm: try report(of: SignatureAlgorithmRunner(), files)
    case .transparency: try report(of: TransparencyRunner(), files)
    }
  }

  private func report(
    of runner: some SuiteRunner, _ files: [VectorFile]
  ) throws(VectorError) -> ConformanceReport {
    var report = ConformanceReport()
    for file in files { try runner.run(file, into: &report) }
    return report
  }

  private func defaultPath(_ name: String) throws(VectorError) -> String {
    if self == .chains, System.exists("\(VectorSuites.own)/chains") { return VectorSuites.own }
    return try VectorSuites.existingPath(of: name)
  }
}
