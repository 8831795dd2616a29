import HoldfastConfigurations
import Testing

/// Tables written for other systems, and what is lost.
@Suite("Writing configurations") struct WritingTests {
  private func read(
    _ text: String, _ format: PinConfiguration.Format
  ) throws -> PinConfiguration {
    try PinConfiguration(Array(text.utf8), as: format, Samples.context)
  }

  @Test("a configuration written in its own format reads back the same")
  func roundTrips() throws {
    for (format, text) in Samples.all {
      let table = try read(text, format).table
      let written = try PinConfiguration.write(table, as: format)
      let again = try read(written.text, format)
      #expect(again.table == table, "\(format)\n\(written.text)")
    }
  }

  @Test("every format converts to every other, and each weakening is reported")
  func conversions() throws {
    for (source, text) in Samples.all {
      let table = try read(text, source).table
      for target in PinConfiguration.Format.allCases {
        if source == .nsPinnedDomains, target == .curl { continue }
        let written = try PinConfiguration.write(
          table, as: target, placing: .authority)
        let again = try read(written.text, target)
        let pins = { (table: PinTable) in
          Set(table.entries.flatMap { $0.pins?.pins.map(\.pin) ?? [] })
        }
        #expect(pins(again.table) == pins(table), "\(source) to \(target)")
        for host in ["good.com", "www.good.com", "a.b.good.com"] {
          let name = try HostName(host)
          let was = table.selection(for: name) != .unknown
          let isNow = again.table.selection(for: name) != .unknown
          // curl's pins are for one host here, and others are rejected.
          if was && !isNow && again.otherHosts == .validate {
            #expect(
              written.losses.contains { $0.message.hasPrefix("weaker") },
              "\(source) to \(target): \(host)")
          }
        }
      }
    }
  }

  @Test("what the other system does with hosts that are not named is among the losses")
  func otherHosts() throws {
    for (source, text) in Samples.all where source != .nsPinnedDomains {
      let configuration = try read(text, source)
      for target in PinConfiguration.Format.allCases {
        let losses = try configuration.written(as: target, placing: .leaf).losses
          .filter { $0.subject == "other hosts" }.map(\.message)
        let expected: [String] =
          switch (source, target) {
          case (.curl, .curl): []
          case (.curl, _):
            ["weaker: \(target.name) trusts them without pins; here they are rejected"]
          case (_, .curl): ["stricter: curl compares the pins with them, too"]
          default: []
          }
        #expect(losses == expected, "\(source) to \(target)")
      }
    }
    let text = Samples.android.replacing(
      "</network-security-config>",
      with: "<base-config><certificateTransparency enabled=\"true\"/></base-config>"
        + "</network-security-config>")
    let losses = try read(text, .android).written(as: .android).losses
    #expect(losses.contains { $0.message.hasPrefix("weaker: certificate transparency") })
  }

  @Test("anything that a format cannot express is an error or a reported loss")
  func losses() throws {
    let pins = try [Samples.first, Samples.second].map { try Pin(base64: $0) }
    let denied = try Pin(digest: Array(9..<41))
    let longer = try Pin(digest: Array(9..<57), by: .sha384)
    let host = try HostPattern("good.com")
    func write(_ set: PinSet, _ format: PinConfiguration.Format) throws -> [String] {
      let table = try PinTable([.init(host, set)])
      return try PinConfiguration.write(table, as: format, placing: .leaf).losses.map(\.message)
    }
    for format in PinConfiguration.Format.allCases {
      #expect(
        try write(PinSet(pins, denied: [denied]), format).contains {
          $0.hasPrefix("weaker: the target cannot deny")
        }, "\(format)")
      #expect(
        try write(PinSet(pins + [longer]), format).contains { $0.contains("sha384/") }, "\(format)")
      #expect(
        try write(PinSet(pins, mode: .enforcedFrom(Timestamp(secondsSince1970: 0))), format)
          .contains {
            $0.hasPrefix("stricter")
          })
      #expect(throws: ConfigurationError.self, "\(format)") {
        try write(PinSet([longer], backup: .waived), format)
      }
    }
    #expect(throws: ConfigurationError.self) {
      try write(PinSet([pins[0]], backup: .waived), .trustKit)
    }
    let two = try PinTable([
      .init(host, PinSet(pins)), .init(try HostPattern("other.com"), PinSet(pins)),
    ])
    #expect(throws: ConfigurationError.self) { try PinConfiguration.write(two, as: .curl) }
    #expect(throws: ConfigurationError.self) {
      try PinConfiguration.write(two, as: .nsPinnedDomains)
    }
  }

  @Test("anchors and rules for one host are a loss in every format")
  func trust() throws {
    let pins = try PinSet([Samples.first, Samples.second].map { try Pin(base64: $0) })
    let trust = HostTrust(anchors: AnchorSet([Certificate]()))
    let table = try PinTable([
      .init(HostPattern("good.com"), pins, trust: trust),
      .init(HostPattern("only.good.com"), trust: trust),
      .init(HostPattern("logged.org"), trust: trust, transparency: .require),
    ])
    for format in PinConfiguration.Format.allCases {
      let losses = try PinConfiguration.write(table, as: format, placing: .leaf).losses
        .filter { $0.message.hasPrefix("different: \(format.name) does not get the anchors") }
      #expect(
        losses.map(\.subject).sorted() == ["good.com", "logged.org", "only.good.com"], "\(format)")
    }
  }
}
