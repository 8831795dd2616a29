import HoldfastConfigurations
import TestSupport
import Testing

/// Android's network security configuration, beside what all formats have in common.
@Suite("Android's configuration") struct AndroidTests {
  private func read(_ text: String) throws -> PinConfiguration {
    try PinConfiguration(Array(text.utf8), as: .android, Samples.context)
  }

  @Test(
    "of what Android allows once a second one is an error with its line",
    arguments: [
      ("base-config", "<base-config/>\n<base-config/>", "</network-security-config>"),
      ("debug-overrides", "<debug-overrides/>\n<debug-overrides/>", "</network-security-config>"),
      ("trust-anchors", "\n<trust-anchors/>", "<pin-set"), ("pin-set", "\n<pin-set/>", "<pin-set"),
    ])
  func once(name: String, more: String, mark: String) throws {
    let text = Samples.android.replacing(mark, with: more + mark, maxReplacements: 1)
    let error = #expect(throws: ConfigurationError.self) { try read(text) }
    #expect(error?.problem == .duplicateKey(name), "\(String(describing: error))")
    #expect((error?.line ?? 0) > 1)
  }

  @Test("a verdict warns that what is required of other hosts is not checked without a log list")
  func withoutLogList() throws {
    let anchors = AnchorSet([try SignedCertificate.root()], arePublic: true)
    let leaf = try SignedCertificate.leaf(by: "Root", 1)
    for (value, count) in [("true", 1), ("false", 0)] {
      let text = Samples.android.replacing(
        "</network-security-config>",
        with: "<base-config><certificateTransparency enabled=\"\(value)\"/></base-config>"
          + "</network-security-config>")
      let manager = TrustManager(
        configuration: try read(text), anchors: anchors, rules: .rfc5280)
      let verdict = try manager.evaluate(
        [leaf], host: SignedCertificate.host, at: SignedCertificate.time)
      #expect(verdict.warnings.count == count, "\(verdict.warnings)")
      #expect(verdict.unchecked.contains(.transparency))
    }
  }
}
