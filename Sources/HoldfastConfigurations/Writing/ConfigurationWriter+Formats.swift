internal import Holdfast

/// The text of each format.
extension ConfigurationWriter {
  func text() throws(ConfigurationError) -> String {
    switch format {
    case .trustKit: return trustKit.xml
    case .nsPinnedDomains: return pinnedDomains.xml
    case .android: return android
    case .okHttp: return okHttp
    case .curl: return try single().pins.map { $0.pin.text(.curl) }.joined(separator: ";")
    }
  }

  private func single() throws(ConfigurationError) -> Row {
    guard let row = rows.first, rows.count == 1 else {
      throw ConfigurationError(
        .cannotExpress("\(format.name) holds one host, and there are \(rows.count): name only one"))
    }
    return row
  }

  private func member(_ key: String, _ value: PropertyList) -> PropertyList.Member {
    PropertyList.Member(key: key, value: value, line: nil)
  }

  private var trustKit: PropertyList {
    let domains = rows.map { row in
      guard let set = row.set else {
        return member(row.host, ["TSKExcludeSubdomainFromParentPolicy": true])
      }
      let hashes = row.pins.map { PropertyList(.string($0.pin.text(.base64))) }
      var members = [
        member("TSKIncludeSubdomains", PropertyList(.bool(row.reach != .host))),
        member("TSKEnforcePinning", PropertyList(.bool(set.mode != .reportOnly))),
        member("TSKPublicKeyHashes", PropertyList(.array(hashes))),
        member("TSKDisableDefaultReportUri", true),
      ]
      if let expiry = set.expiry {
        members.append(member("TSKExpirationDate", PropertyList(.string(expiry.time.day))))
      }
      if !set.reportURIs.isEmpty {
        let uris = set.reportURIs.map { PropertyList(.string($0)) }
        members.append(member("TSKReportUris", PropertyList(.array(uris))))
      }
      return member(row.host, PropertyList(.dictionary(members)))
    }
    return PropertyList(
      .dictionary([
        member(
          "TSKConfiguration",
          PropertyList(
            .dictionary([
              member("TSKSwizzleNetworkDelegates", false),
              member("TSKIgnorePinningForUserDefinedTrustAnchors", false),
              member("TSKPinnedDomains", PropertyList(.dictionary(domains))),
            ])))
      ]))
  }

  private var pinnedDomains: PropertyList {
    let domains = rows.map { row in
      var members: [PropertyList.Member] = []
      if row.reach != .host { members.append(member("NSIncludesSubdomains", true)) }
      let isLeaf = { (pin: ScopedPin) in
        pin.scope == .leaf || pin.scope.contains(.leaf) && self.placing == .leaf
      }
      func identities(_ pins: [ScopedPin]) -> PropertyList {
        PropertyList(
          .array(
            pins.map { pin in
              ["SPKI-SHA256-BASE64": PropertyList(.string(pin.pin.text(.base64)))]
            }))
      }
      let leaves = row.pins.filter(isLeaf)
      let authorities = row.pins.filter { !isLeaf($0) }
      let scopes = row.set?.requiredScopes ?? []
      if !authorities.isEmpty || scopes.contains(.authority) {
        members.append(member("NSPinnedCAIdentities", identities(authorities)))
      }
      if !leaves.isEmpty || scopes.contains(.leaf) {
        members.append(member("NSPinnedLeafIdentities", identities(leaves)))
      }
      return member(row.host, PropertyList(.dictionary(members)))
    }
    let pinned = member("NSPinnedDomains", PropertyList(.dictionary(domains)))
    return PropertyList(
      .dictionary([member("NSAppTransportSecurity", PropertyList(.dictionary([pinned])))]))
  }

  private var android: String {
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\n"
    for row in rows {
      let wide = row.reach != .host ? " includeSubdomains=\"true\"" : ""
      text +=
        "  <domain-config>\n    <domain\(wide)>\(Printable.escapedForXML(row.host))</domain>\n"
      if let set = row.set {
        let end = set.expiry.map { " expiration=\"\($0.time.day)\"" } ?? ""
        text += "    <pin-set\(end)>\n"
        for pin in row.pins {
          text += "      <pin digest=\"SHA-256\">\(pin.pin.text(.base64))</pin>\n"
        }
        text += "    </pin-set>\n"
      }
      if let transparency = row.transparency {
        text += "    <certificateTransparency enabled=\"\(transparency == .require)\"/>\n"
      }
      text += "  </domain-config>\n"
    }
    return text + "</network-security-config>\n"
  }

  private var okHttp: String {
    var text = ""
    for row in rows {
      let pins = row.pins.map { $0.pin.text() }.joined(separator: " ")
      switch row.reach {
      case .host: text += "\(row.host) \(pins)\n"
      case .hostAndSubdomains: text += "**.\(row.host) \(pins)\n"
      case .oneLabelBelow: text += "*.\(row.host) \(pins)\n"
      case .hostAndOneLabelBelow: text += "\(row.host) \(pins)\n*.\(row.host) \(pins)\n"
      }
    }
    return text
  }
}
