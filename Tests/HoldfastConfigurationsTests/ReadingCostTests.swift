import Foundation
import HoldfastConfigurations
import Testing

/// The time to read, lint and write a configuration grows with its length, not with its square.
@Suite("Costs of configurations", .serialized) struct ReadingCostTests {
  /// Texts in which one thing occurs some number of times.
  enum Shape: String, CaseIterable, CustomTestStringConvertible {
    case okHttpCalls, okHttpLines, okHttpPins, curlPins
    case androidDomains, androidOpenDomains, androidExclusions, androidSharedPins, androidPins
    case trustKitDomains, trustKitExclusions, trustKitPins, trustKitUnknownKeys
    case nsPinnedDomains, nsPinnedPins

    var testDescription: String { rawValue }

    var format: PinConfiguration.Format {
      switch self {
      case .okHttpCalls, .okHttpLines, .okHttpPins: .okHttp
      case .curlPins: .curl
      case .androidDomains, .androidOpenDomains, .androidExclusions, .androidSharedPins,
        .androidPins:
        .android
      case .trustKitDomains, .trustKitExclusions, .trustKitPins, .trustKitUnknownKeys: .trustKit
      case .nsPinnedDomains, .nsPinnedPins: .nsPinnedDomains
      }
    }

    func text(_ count: Int) -> String {
      func repeated(_ part: (Int) -> String) -> String { (0..<count).map(part).joined() }
      func android(_ text: String) -> String {
        "<network-security-config>\(text)</network-security-config>"
      }
      func domain(_ name: String, _ rest: String = "") -> String {
        "<domain-config><domain includeSubdomains=\"true\">\(name)</domain>\(rest)</domain-config>"
      }
      func pin(_ number: Int) -> String { "<pin digest=\"SHA-256\">\(digest(number))</pin>" }
      let set = "<pin-set>\(pin(1))\(pin(2))</pin-set>"
      func trustKit(_ text: String) -> String {
        "<plist><dict><key>TSKPinnedDomains</key><dict>\(text)</dict></dict></plist>"
      }
      func hashes(_ text: String) -> String {
        "<dict><key>TSKIncludeSubdomains</key><true/><key>TSKPublicKeyHashes</key>"
          + "<array>\(text)</array></dict>"
      }
      func string(_ number: Int) -> String { "<string>\(digest(number))</string>" }
      let pair = hashes(string(1) + string(2))
      func pinned(_ text: String) -> String {
        "<plist><dict><key>NSPinnedDomains</key><dict>\(text)</dict></dict></plist>"
      }
      func identities(_ text: String) -> String {
        "<dict><key>NSPinnedCAIdentities</key><array>\(text)</array></dict>"
      }
      func identity(_ number: Int) -> String {
        "<dict><key>SPKI-SHA256-BASE64</key>\(string(number))</dict>"
      }
      switch self {
      case .okHttpCalls: return repeated { ".add(\"h\($0).example\", \"sha256/\(digest(1))\")\n" }
      case .okHttpLines: return repeated { "h\($0).example sha256/\(digest(1))\n" }
      case .okHttpPins: return "a.example" + repeated { " sha256/\(digest($0))" }
      case .curlPins:
        return (0..<count).map { "sha256//\(digest($0))" }.joined(separator: ";")
      case .androidDomains: return android(repeated { domain("h\($0).example", set) })
      case .androidOpenDomains:
        return android(
          repeated { domain("h\($0).example", set) + domain("o\($0).example") })
      case .androidExclusions:
        return android(
          repeated { domain("h\($0).example", set) + domain("o.h\($0).example") })
      case .androidSharedPins:
        return android(
          "<domain-config>" + repeated { "<domain>h\($0).example</domain>" } + "<pin-set>"
            + repeated(pin) + "</pin-set></domain-config>")
      case .androidPins: return android(domain("a.example", "<pin-set>\(repeated(pin))</pin-set>"))
      case .trustKitDomains: return trustKit(repeated { "<key>h\($0).example</key>\(pair)" })
      case .trustKitExclusions:
        let excluded =
          "<dict><key>TSKExcludeSubdomainFromParentPolicy</key><true/></dict>"
        return trustKit(
          repeated {
            "<key>h\($0).example</key>\(pair)<key>o.h\($0).example</key>\(excluded)"
          })
      case .trustKitPins: return trustKit("<key>a.example</key>" + hashes(repeated(string)))
      case .trustKitUnknownKeys:
        return "<plist><dict>" + repeated { "<key>Key\($0)</key><true/>" } + "</dict></plist>"
      case .nsPinnedDomains:
        return pinned(repeated { "<key>h\($0).example</key>\(identities(identity(1)))" })
      case .nsPinnedPins: return pinned("<key>a.example</key>" + identities(repeated(identity)))
      }
    }

    /// The base64 of a digest that begins with a number.
    private func digest(_ number: Int) -> String {
      let bytes: [UInt8] = [0xA5, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
      return Data(bytes + (3..<32).map { UInt8($0) }).base64EncodedString()
    }
  }

  /// The time of what all of the configuration's users do with it.
  private func time(_ shape: Shape, _ count: Int) -> Duration {
    let bytes = Array(shape.text(count).utf8)
    precondition(bytes.count <= PinConfiguration.maximumSize)
    return ContinuousClock().measure {
      do throws(ConfigurationError) {
        let configuration = try PinConfiguration(bytes, as: shape.format, Samples.context)
        _ = PinLint.findings(of: configuration)
        for format in PinConfiguration.Format.allCases {
          do throws(ConfigurationError) {
            _ = try PinConfiguration.write(configuration.table, as: format, placing: .authority)
          } catch {}
        }
      } catch {
        // Some shapes are mistakes: to find them costs something, too.
      }
    }
  }

  @Test("eight times as much takes less than 24 times as long", arguments: Shape.allCases)
  func growth(shape: Shape) {
    var times: [(Duration, Duration)] = []
    // Other processes may take the time of one attempt, hardly that of all.
    repeat {
      times.append((time(shape, 200), time(shape, 1600)))
    } while times.allSatisfy({ $1 >= $0 * 24 }) && times.count < 5
    #expect(times.contains { $1 < $0 * 24 }, "\(times)")
  }

  @Test("pins that many domains of Android share are counted for each, and too many are an error")
  func shared() throws {
    let bytes = Array(Shape.androidSharedPins.text(230).utf8)
    let error = #expect(throws: ConfigurationError.self) {
      try PinConfiguration(bytes, as: .android)
    }
    #expect(error?.problem == .malformed("more than 50000 pins, counted for each domain"))
    #expect(error?.line == 1)
    let fine = try PinConfiguration(Array(Shape.androidSharedPins.text(220).utf8), as: .android)
    #expect(fine.table.entries.count == 220)
  }
}
