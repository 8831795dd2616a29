import HoldfastConfigurations
import Testing

/// Configurations of other systems: what they say, and what is wrong with bad ones.
@Suite("Configurations of other systems") struct ReadingTests {
  private func read(
    _ text: String, _ format: PinConfiguration.Format? = nil
  ) throws -> PinConfiguration {
    try PinConfiguration(Array(text.utf8), as: format, Samples.context)
  }

  @Test("each format is detected, and pins the two keys for the host")
  func looks() throws {
    let pins = try [Samples.first, Samples.second].map { try Pin(base64: $0) }
    for (format, text) in Samples.all {
      let configuration = try read(text)
      #expect(configuration.format == format)
      guard case .pinned(_, let set) = configuration.table.selection(for: try HostName("good.com"))
      else {
        Issue.record("\(format): not pinned")
        continue
      }
      #expect(set.pins.map(\.pin) == pins, "\(format)")
      #expect(set.mode == .enforced)
    }
    let lines = try read(Samples.okHttpLines)
    #expect(lines.format == .okHttp && lines.table.entries.count == 2)
  }

  @Test("dates, scopes, reports and subdomains are imported")
  func details() throws {
    let end = try #require(Timestamp("2030-01-01"))
    func set(_ text: String) throws -> (HostPattern, PinSet) {
      guard
        case .pinned(let pattern, let set) = try read(text).table.selection(
          for: try HostName("www.good.com"))
      else { throw ConfigurationMissing() }
      return (pattern, set)
    }
    for text in [Samples.trustKit, Samples.android] {
      let (pattern, pins) = try set(text)
      #expect(pattern.reach == .hostAndSubdomains)
      #expect(pins.expiry == .init(at: end, action: .failClosed))
    }
    #expect(try set(Samples.trustKit).1.reportURIs == ["https://report.example/"])
    let (pattern, apple) = try set(Samples.nsPinnedDomains)
    #expect(pattern.reach == .hostAndOneLabelBelow)
    #expect(apple.requiredScopes == [.authority])
    #expect(apple.pins.allSatisfy { $0.scope == .authority })
    let curl = try read(Samples.curl).table.entries[0]
    #expect(curl.pins?.pins.allSatisfy { $0.scope == .leaf } == true)
  }

  private struct ConfigurationMissing: Error {}

  @Test("hosts that are not named are treated as the system does, which a remark and lint say")
  func otherHosts() throws {
    for (format, text) in Samples.all {
      let configuration = try read(text)
      // `--pinnedpubkey` names no host: curl compares it with the server of every URL.
      let expected: TrustManager.OtherHosts = format == .curl ? .reject : .validate
      #expect(configuration.otherHosts == expected, "\(format)")
      let manager = TrustManager(configuration: configuration, anchors: AnchorSet([]))
      #expect(manager.otherHosts == expected, "\(format)")
      let words = format == .curl ? "other hosts are rejected" : "need a valid path and no pins"
      let remarks = configuration.remarks.filter { $0.message.contains(words) }
      #expect(remarks.count == 1 && configuration.remarks.last == remarks.first, "\(format)")
      let findings = PinLint.findings(of: configuration).filter { $0.message.contains(words) }
      #expect(findings.map(\.name) == ["otherHosts"], "\(format)")
    }
  }

  @Test("a report that TrustKit would send is not sent, which a remark says")
  func reports() throws {
    let remarks = try read(Samples.trustKit).remarks
    #expect(remarks.contains { $0.subject == "good.com" && $0.message.contains("TSKReportUris") })
    let without = Samples.trustKit.replacing("<string>https://report.example/</string>", with: "")
    #expect(try !read(without).remarks.contains { $0.message.contains("TSKReportUris") })
  }

  @Test("a placeholder of an example is no pin and no backup in any format")
  func placeholders() throws {
    let zeros = String(repeating: "A", count: 43) + "="
    for (format, text) in Samples.all {
      let changed = text.replacing(Samples.second, with: zeros)
      let error = #expect(throws: ConfigurationError.self, "\(format)") { try read(changed) }
      guard case .badPin(_, let problem)? = error?.problem else {
        Issue.record("\(format): \(String(describing: error))")
        continue
      }
      #expect(problem.problem == .placeholder, "\(format)")
    }
  }

  @Test("a difference in behavior is a remark with its line")
  func remarks() throws {
    let android = try read(Samples.android).remarks
    #expect(android.contains { $0.line == 6 && $0.message.contains("Android stops pinning") })
    let apple = try read(Samples.nsPinnedDomains).remarks
    #expect(apple.contains { $0.message.contains("covers one label below") })
    let lone = try read("good.com sha256/\(Samples.first)\n").remarks
    #expect(lone.contains { $0.line == 1 && $0.message.contains("no backup") })
  }

  @Test("a bad configuration is an error that names file, line, key and problem")
  func rejections() throws {
    func changed(_ text: String, _ old: String, _ new: String) -> String {
      #expect(text.contains(old), "\(old)")
      return text.replacing(old, with: new)
    }
    let rows: [(String, String)] = [
      (
        changed(Samples.trustKit, "TSKIncludeSubdomains", "TSKIncludeSubdomain"),
        "pins, line 15: TSKConfiguration.TSKPinnedDomains.good.com: unknown key "
          + "\"TSKIncludeSubdomain\"; did you mean \"TSKIncludeSubdomains\"?"
      ),
      (
        changed(Samples.trustKit, "TSKPinnedDomains", "TSKPinedDomains"),
        "pins, line 8: TSKConfiguration: TSKPinnedDomains (there is \"TSKPinedDomains\") is missing"
      ),
      (
        changed(Samples.trustKit, "2030-01-01", "01/01/2030"),
        "pins, line 18: TSKConfiguration.TSKPinnedDomains.good.com.TSKExpirationDate: "
          + "\"01/01/2030\": expected a date like 2027-01-31"
      ),
      (
        changed(Samples.trustKit, Samples.second, Samples.first),
        "pins, line 13: TSKConfiguration.TSKPinnedDomains.good.com.TSKPublicKeyHashes: "
          + "sha256/\(Samples.first) is the only pin: add one of a key that is kept elsewhere"
      ),
      (
        changed(Samples.trustKit, Samples.first, "AAAA"),
        "line 21: TSKConfiguration.TSKPinnedDomains.good.com.TSKPublicKeyHashes: the pin \"AAAA\": "
          + "a digest of 3 bytes instead of 32"
      ),
      (changed(Samples.trustKit, ">good.com<", ">192.0.2.1<"), "an address"),
      (changed(Samples.trustKit, ">good.com<", ">com<"), "a name of one label with its subdomains"),
      (changed(Samples.trustKit, ">good.com<", ">https://good.com<"), "a URL, not a host"),
      (changed(Samples.android, "pin-set", "pinset"), "did you mean \"pin-set\"?"),
      (changed(Samples.android, "digest=\"SHA-256\"", "digest=\"SHA-1\""), "\"SHA-1\""),
      (
        changed(Samples.android, "<domain includeSubdomains", "<domain includesubdomains"),
        "unknown key \"includesubdomains\""
      ),
      (
        changed(Samples.android, "<trust-anchors>", "<pin-set/><trust-anchors>"),
        "duplicate key \"pin-set\""
      ),
      (
        changed(Samples.android, "</domain>", "</domain><domain>GOOD.com.</domain>"),
        "duplicate key \"GOOD.com.\""
      ),
      (
        changed(Samples.nsPinnedDomains, "NSPinnedCAIdentities", "NSPinnedCaIdentities"),
        "did you mean \"NSPinnedCAIdentities\"?"
      ),
      (
        changed(Samples.nsPinnedDomains, "SPKI-SHA256-BASE64", "SPKI-SHA256"),
        "unknown key \"SPKI-SHA256\""
      ),
      (changed(Samples.okHttp, "sha256/\(Samples.second)", "sha1/AAAA"), "sha1"),
      (changed(Samples.okHttp, "**.good.com", "*.*.good.com"), "wildcard"),
      (changed(Samples.okHttpLines, "*.good.com    sha256", "*.good.com #"), "no pins"),
      (changed(Samples.curl, ";", ","), "the pin"),
      ("good.com\n", "unknown pin format"),
      ("<plist/>", "must hold exactly one value"),
      ("bplist00", "plutil -convert xml1"),
    ]
    for (text, expected) in rows {
      let error = #expect(throws: ConfigurationError.self, "\(expected)") { try read(text) }
      #expect("\(error.map { "\($0)" } ?? "")".contains(expected), "\(String(describing: error))")
      // A file cannot do what a program can.
      #expect(error.map { "\($0)".contains("PinSet(") } == false)
    }
  }

  @Test("a call of OkHttp's builder in a comment is no pin, and lines keep their numbers")
  func comments() throws {
    let old = ".add(\"old.com\", \"sha256/\(Samples.second)\")"
    let call = ".add(\"good.com\", \"sha256/\(Samples.first)\")"
    for comment in [
      "// \(old)", "/* \(old) */", "/*\n\(old)\n*/", "/** the \"old\" one */ //\(old)",
    ] {
      for text in [
        "\(comment)\n\(call)", "\(call) \(comment)\n", "\(comment)\n\(call)\n\(comment)",
      ] {
        let table = try read(text).table
        #expect(table.entries.map { "\($0.pattern)" } == ["good.com"], "\(text)")
        #expect(table.entries.first?.pins?.pins.count == 1, "\(text)")
      }
      let bad = "\(comment)\n.add(\"good.com\")"
      let error = #expect(throws: ConfigurationError.self) { try read(bad) }
      #expect(error?.line == bad.split(separator: "\n").count, "\(bad)")
    }
    // What looks like a comment in a string is none: the host is wrong, not left out.
    for text in [
      ".add(\"//good.com\", \"sha256/\(Samples.first)\")", "/* \(call)", "/* /* */ \(call) */",
      "\(call) \"// \(old)",
    ] {
      #expect(throws: ConfigurationError.self, "\(text)") { try read(text) }
    }
  }

  @Test("of OkHttp's source only calls with literals are read, and errors name their own line")
  func okHttpSource() throws {
    let call = ".add(\"good.com\", \"sha256/\(Samples.first)\")"
    let outside =
      "a string outside .add(…): give the calls of add alone, with the host as a literal"
    let rows: [(String, String)] = [
      ("\n\nval host = \"good.com\"\n\nval pinner = b\n  \(call)\n", "line 3: \(outside)"),
      ("// pins\n\(call)\n\nval agent = \"a\"\n\n", "line 4: \(outside)"),
      ("\(call)\n  \(call)\nval a = \"a\"; \(call)\n", "line 3: \(outside)"),
      (
        "pinner\n  .add(HOST, \"sha256/\(Samples.first)\")\n",
        "line 2: the host must be a literal: a string in quotes"
      ),
      (
        "pinner\n  .add(\n    \"good.com\", \"sha256/\(Samples.first)\",\n    PIN)\n",
        "line 4: the pin must be a literal: a string in quotes"
      ),
    ]
    for (text, expected) in rows {
      let error = #expect(throws: ConfigurationError.self, "\(text)") { try read(text) }
      #expect(error.map { "\($0)" } == "pins, \(expected)")
    }
  }

  @Test("only an exclusion as Android and TrustKit write it leaves a host out")
  func exclusions() throws {
    let android = Samples.android.replacing(
      "</trust-anchors>",
      with:
        "</trust-anchors><domain-config><domain>open.good.com</domain><pin-set/></domain-config>")
    let trustKit = Samples.trustKit.replacing(
      "<key>good.com</key>",
      with: "<key>open.good.com</key><dict><key>TSKExcludeSubdomainFromParentPolicy</key><true/>"
        + "</dict><key>good.com</key>")
    for text in [android, trustKit] {
      let configuration = try read(text)
      let host = try HostName("open.good.com")
      #expect(configuration.table.selection(for: host) == .excluded(try HostPattern(host)))
    }
    // Without a wider entry an exclusion is a mistake.
    let alone = Samples.trustKit.replacing("<true/>", with: "<false/>").replacing(
      "<key>good.com</key>",
      with: "<key>open.good.com</key><dict><key>TSKExcludeSubdomainFromParentPolicy</key><true/>"
        + "</dict><key>good.com</key>")
    #expect(throws: ConfigurationError.self) { try read(alone) }
    let empty = Samples.android.replacing(
      "<pin digest=\"SHA-256\">\(Samples.first)</pin>", with: ""
    )
    .replacing("<pin digest=\"SHA-256\">\(Samples.second)</pin>", with: "")
    #expect(throws: ConfigurationError.self) { try read(empty) }
  }

  @Test("Android's certificateTransparency is honored for each domain, and written again")
  func transparency() throws {
    func element(_ value: String) -> String { "<certificateTransparency enabled=\"\(value)\"/>" }
    let text = Samples.android.replacing(
      "</trust-anchors>",
      with: "</trust-anchors>\(element("true"))<domain-config><domain>open.good.com</domain>"
        + "<pin-set/>\(element("false"))</domain-config>"
    ).replacing(
      "</network-security-config>",
      with: "<base-config>\(element("true"))</base-config>"
        + "<domain-config><domain>bare.com</domain></domain-config></network-security-config>")
    let configuration = try read(text)
    // Without a log list nothing is checked, and that is said.
    for subject in ["base-config", "good.com"] {
      #expect(
        configuration.remarks.contains { remark in
          remark.subject == subject && remark.message.contains("required")
            && remark.message.contains("`transparency:`")
        })
    }
    #expect(configuration.transparencyOfOtherHosts == .require)
    let list = try LogList(
      json: Array(#"{"log_list_timestamp":"2026-01-01T00:00:00Z","operators":[]}"#.utf8))
    let manager = TrustManager(
      configuration: configuration, anchors: AnchorSet([]), transparency: .report(list))
    #expect(manager.transparency?.isRequired == true)
    let plain = TrustManager(
      configuration: try read(Samples.android), anchors: AnchorSet([]), transparency: .report(list))
    #expect(plain.transparency?.isRequired == false)
    let excluded = PinLint.findings(of: configuration).filter { $0.name == "excluded" }
    #expect(excluded.map(\.subject) == ["open.good.com"])
    let written = try PinConfiguration.write(configuration.table, as: .android).text
    for table in [configuration.table, try read(written).table] {
      let rows: [(String, TransparencyCheck.Exception?)] = [
        ("good.com", .require), ("a.good.com", .require), ("open.good.com", .excuse),
        ("bare.com", .require), ("other.com", nil),
      ]
      for (host, expected) in rows {
        #expect(table.transparency(for: try HostName(host)) == expected, "\(host)")
      }
    }
    let losses = try PinConfiguration.write(configuration.table, as: .okHttp).losses
    #expect(losses.contains { $0.message.contains("certificate transparency") })
    for bad in ["<certificateTransparency/>", element("maybe"), element("true") + element("true")] {
      let text = Samples.android.replacing("</trust-anchors>", with: "</trust-anchors>\(bad)")
      #expect(throws: ConfigurationError.self, "\(bad)") { try read(text) }
    }
  }

  @Test("a nested domain-config inherits the pins of the outer one")
  func inheritance() throws {
    let text = Samples.android.replacing(
      "</trust-anchors>",
      with: "</trust-anchors><domain-config><domain>other.com</domain></domain-config>")
    let table = try read(text).table
    guard case .pinned(_, let set) = table.selection(for: try HostName("other.com")) else {
      Issue.record("not pinned")
      return
    }
    #expect(set.pins.count == 2)
  }

  @Test("a Swift or Objective-C dictionary is read like its property list")
  func dictionaries() throws {
    let literal: PropertyList = [
      "TSKPinnedDomains": [
        "good.com": [
          "TSKIncludeSubdomains": true,
          "TSKPublicKeyHashes": [.init(.string(Samples.first)), .init(.string(Samples.second))],
        ]
      ]
    ]
    let any: [String: Any] = [
      "TSKPinnedDomains": [
        "good.com": [
          "TSKIncludeSubdomains": true, "TSKPublicKeyHashes": [Samples.first, Samples.second],
        ] as [String: Any]
      ]
    ]
    let a = try PinConfiguration(literal)
    let b = try PinConfiguration(try PropertyList(any: any))
    #expect(a.table == b.table)
    let error = #expect(throws: ConfigurationError.self) {
      try PropertyList(any: ["a": ["b": [1.5]]])
    }
    #expect(error?.key == "a.b")
    #expect(error?.description.hasPrefix("a.b: found Double, expected") == true)
  }

  @Test("expansions and external references are rejected: entities, subsets, depth, size, UTF-16")
  func hostileXML() throws {
    let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    let inner = String(Samples.android.dropFirst(declaration.count))
    let texts: [String] = [
      "<!DOCTYPE a [<!ENTITY x \"y\">]>\(inner)", inner.replacing("good.com", with: "&x;"),
      inner.replacing("good.com", with: "<![CDATA[good.com]]>"),
      inner.replacing("good.com", with: "good.com&#0;"), "<?php ?>\(inner)",
      String(repeating: "<domain-config>", count: 100_000), inner + "<a/>", inner + "x",
      String(inner.dropLast(10)),
      inner.replacing("expiration=", with: "expiration=\"\" expiration="),
      "<?xml version=\"1.0\" encoding=\"utf-16\"?>\(inner)", "<a><b></a></b>", "<", "",
      "\(inner)".replacing("good.com", with: "good.com\u{1}"),
    ]
    for text in texts {
      #expect(throws: ConfigurationError.self, "\(text.prefix(60))") { try read(text, .android) }
    }
    let large = [UInt8](repeating: 0x20, count: PinConfiguration.maximumSize + 1)
    let error = #expect(throws: ConfigurationError.self) {
      try PinConfiguration(large, as: .android)
    }
    #expect(error?.problem == .tooLarge(limit: PinConfiguration.maximumSize))
    // The five entities and numbers are characters.
    let fine = inner.replacing("good.com", with: "g&#111;&#x6f;d.com")
    #expect(try read(String(fine), .android).table.entries.count == 1)
  }
}
