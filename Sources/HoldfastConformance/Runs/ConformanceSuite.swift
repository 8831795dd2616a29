/// The suites that can be run by name.
public enum ConformanceSuite: String, Sendable, CaseIterable {
  /// C2SP's x509-limbo.
  case limbo
  /// Project Wycheproof.
  case wycheproof
  /// NIST's PKITS, in the format of the vectors' README.
  case pkits
  /// BoringSSL's chains.
  case bsslVerifyChain = "bssl-verify-chain"
  /// BoringSSL's revocation lists.
  case bsslCRL = "bssl-crl"
  /// BoringSSL's OCSP responses.
  case bsslOCSP = "bssl-ocsp"
  /// Our own cases.
  case chains

  /// Runs the suite on files: JSON, archives, folders, each perhaps packed with `xz`. Without any,
  /// on what `VectorSuites` finds.
  public func run(
    _ paths: [String], limboRules: LimboRun.Rules = .strict
  ) throws(VectorError) -> ConformanceReport {
    var report = ConformanceReport()
    var paths = paths
    if paths.isEmpty { paths = [try defaultPath()] }
    for path in paths {
      if self == .chains {
        report.add(ChainCase.report(try ChainCase.load(at: path)))
        continue
      }
      for file in try VectorFile.files(at: path) {
        report.add(try run(file, limboRules))
      }
    }
    return report
  }

  private func run(
    _ file: VectorFile, _ limboRules: LimboRun.Rules
  ) throws(VectorError) -> ConformanceReport {
    switch self {
    case .limbo: LimboRun.report(try LimboCase.load(file), rules: limboRules)
    case .wycheproof: WycheproofRun.report(try WycheproofFile(file))
    case .pkits: PKITSRun.report(try PKITS.load(file))
    case .bsslVerifyChain:
      VerifyChainRun.report(try file.decode(SuiteDocument<VerifyChainCase>.self).tests)
    case .bsslCRL: RevocationRun.report(try file.decode(SuiteDocument<CRLCase>.self).tests)
    case .bsslOCSP: RevocationRun.report(try file.decode(SuiteDocument<OCSPCase>.self).tests)
    case .chains: ChainCase.report([try ChainCase(file)])
    }
  }

  private func defaultPath() throws(VectorError) -> String {
    if self == .chains, let root = VectorSuites.packageRoot { return "\(root)/Vectors" }
    guard let path = VectorSuites.path(of: rawValue) else {
      throw .absent(suite: rawValue, searched: VectorSuites.folders)
    }
    return path
  }
}
