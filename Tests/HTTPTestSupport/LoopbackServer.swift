#if Curl
  internal import Foundation
  package import Holdfast
  internal import HoldfastHTTP
  package import HoldfastIdentities
  package import TestSupport

  /// The keys and certificates of the tests, made by OpenSSL once for each run.
  package struct Material {
    package static let folder = Result { try make() }

    package static func path(_ name: String) throws -> String { "\(try folder.get().path)/\(name)" }

    package static func certificate(_ name: String) throws -> Certificate {
      try Certificate.certificates(inFile: try path("\(name).pem"))[0]
    }

    /// The programs that the tests need are installed.
    package static let isAvailable = program("python3") != nil && program("openssl") != nil

    static func program(_ name: String) -> String? {
      ["/usr/bin", "/usr/local/bin", "/bin"].map { "\($0)/\(name)" }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
    }

    private static func make() throws -> ScratchFolder {
      let folder = try ScratchFolder()
      for (name, issuer, extensions) in [
        ("root", nil, authority),
        ("good", "root", server("DNS:localhost,IP:127.0.0.1")),
        ("other", "root", server("DNS:localhost,IP:127.0.0.1")),
        ("elsewhere", "root", server("DNS:elsewhere.example")),
        (
          "workload", "root",
          server("URI:spiffe://example.org/api", usages: "serverAuth,clientAuth")
        ),
        ("client", "root", ["basicConstraints=critical,CA:FALSE", "extendedKeyUsage=clientAuth"]),
        ("middle", "root", authority), ("other-root", nil, authority),
        ("below", "middle", ["basicConstraints=critical,CA:FALSE", "extendedKeyUsage=clientAuth"]),
      ] as [(String, String?, [String])] {
        var words = [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
          "-days", "30", "-subj", "/CN=\(name)", "-out", "\(folder.path)/\(name).pem",
          "-keyout", "\(folder.path)/\(name).key",
        ]
        if let issuer {
          words += [
            "-CA", "\(folder.path)/\(issuer).pem", "-CAkey", "\(folder.path)/\(issuer).key",
          ]
        }
        try runOpenSSL(words + extensions.flatMap { ["-addext", $0] })
      }
      return folder
    }

    private static func runOpenSSL(_ words: [String]) throws {
      let process = Process()
      process.executableURL = program("openssl").map { URL(fileURLWithPath: $0) }
      process.arguments = words
      process.standardError = FileHandle.nullDevice
      try ChildProcess.begin(process)
      process.waitUntilExit()
    }

    private static let authority = [
      "basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign",
    ]

    /// Makes a list of the root that is current for a month.
    package static func list(revoking names: String...) throws -> CRL {
      let folder = try ScratchFolder()
      let index = try names.map { name in
        let certificate = try certificate(name)
        let number = Hexadecimal.text(of: certificate.serialNumber.bytes.array).uppercased()
        return "R\t491231000000Z\t250101000000Z\t\(number)\tunknown\t/CN=\(name)\n"
      }
      try folder.file("index.txt", index.joined().utf8)
      try folder.file("number", "01\n".utf8)
      let configuration = """
        [ca]
        default_ca = tests
        [tests]
        database = \(folder.path)/index.txt
        crlnumber = \(folder.path)/number
        default_md = sha256
        default_crl_days = 30
        """
      try runOpenSSL([
        "ca", "-gencrl", "-config", try folder.file("ca.conf", configuration.utf8),
        "-keyfile", try path("root.key"), "-cert", try path("root.pem"),
        "-out", "\(folder.path)/list.pem",
      ])
      return try CRL(file: "\(folder.path)/list.pem")
    }

    /// Returns a certificate with its key, and the certificates that are presented with it.
    package static func identity(_ name: String, with issuers: String...) throws -> Identity {
      let certificates = try ([name] + issuers).flatMap { try bytes("\($0).pem") }
      return try Identity(pem: bytes("\(name).key"), certificates: certificates)
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    private static func server(_ names: String, usages: String = "serverAuth") -> [String] {
      [
        "basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
        "extendedKeyUsage=\(usages)", "subjectAltName=\(names)",
      ]
    }

    /// A policy: the test's root and, if given, pins to the keys of these certificates.
    package static func manager(
      pins names: String..., host: String = "localhost"
    ) throws -> TrustManager {
      let anchors = AnchorSet([try certificate("root")])
      guard !names.isEmpty else {
        return TrustManager(
          pins: try PinTable([:]), anchors: anchors, otherHosts: .validate)
      }
      let pins = try names.map { Pin(keyOf: try certificate($0)) }
      return TrustManager(pins: try PinTable([host: PinSet(pins)]), anchors: anchors)
    }
  }

  /// `server.py` as a process of its own; it ends with this object.
  package final class LoopbackServer {
    private let process = Process()
    private let input = ChildProcess.pipe()
    package let port: Int
    package let scheme: String

    package init(_ certificate: String = "good", _ more: String...) throws {
      let output = ChildProcess.pipe()
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("server.py")
      process.executableURL = Material.program("python3").map { URL(fileURLWithPath: $0) }
      process.arguments = [
        script.path, try Material.path("\(certificate).pem"),
        try Material.path("\(certificate).key"),
      ]
      process.arguments? += more
      process.standardInput = input
      process.standardOutput = output
      try ChildProcess.begin(process)
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
        throw NotStarted(line: line)
      }
      self.port = port
      scheme = more.contains("--plain") ? "http" : "https"
    }

    package struct NotStarted: Error { let line: String }

    deinit { process.terminate() }

    package func url(_ path: String, host: String = "localhost") -> String {
      "\(scheme)://\(host):\(port)\(path)"
    }

    /// What the server has seen.
    package struct Log: Decodable {
      package struct Request: Decodable {
        package struct Body: Decodable {
          package let size: Int
          package let sha256: String
        }
        package let method: String
        package let target: String
        package let headers: [String: String]
        /// The server name of the handshake. RFC 6066 §3.
        package let name: String?
        package let body: Body?
      }
      package let requests: [Request]
      package let connections: Int?
      package let handshakes: Int?
      package let resumed: Int?
      package let open: Int?
      /// The number of long responses that the client has not read to the end.
      package let cut: Int?
    }

    /// Returns what the server has seen, asked on a connection of its own.
    package func log() async throws -> Log {
      var options = HTTPOptions()
      options.allowsPlainHTTP = true
      let client = HTTPClient(try Material.manager(), options: options)
      let (data, _) = try await client.data(for: HTTPRequest(url("/log")))
      return try JSONDecoder().decode(Log.self, from: Data(data))
    }

    /// Whether what the server has seen fulfils a condition within half a minute. A busy server takes a
    /// moment to notice.
    package func eventually(_ condition: (Log) -> Bool) async throws -> Bool {
      for _ in 0..<300 {
        if condition(try await log()) { return true }
        try await Task.sleep(for: .milliseconds(100))
      }
      return false
    }
  }
#endif
