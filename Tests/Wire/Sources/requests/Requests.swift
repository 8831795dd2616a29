import Foundation
import Holdfast
import HoldfastHTTP
import HoldfastIdentities
import Synchronization

/// Makes requests for Scripts/wire/wire, and prints one line for each run:
///
///     requests COMMAND URL ANCHORS [--pin PIN]… [--address HOST=ADDRESS]… [--proxy URL] [--rules NAME]
///         [--revocation] [--identity FILE PASSWORD] [--http1] [--connections N] [--then URL]
///
/// `get` prints status, version and size; `down` and `up` a size and the most memory used; `many`
/// the number of successes; `long` what becomes of a body that is longer than announced; `library` the
/// end of libcurl's folder; `speed` the requests per second, one after the other and 16 at once.
@main
struct Requests {
  // Not async: valgrind cannot follow how the main thread of such a program ends.
  static func main() {
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await start() } catch { print(error) }
      end.signal()
    }
    end.wait()
  }

  private static func start() async throws {
    var words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3 else { exit(2) }
    let (command, url, file) = (words.removeFirst(), words.removeFirst(), words.removeFirst())
    var (pins, options, numbers) = ([String](), HTTPOptions(), [String: Int]())
    var (rules, revocation) = (ValidationRules.webPKI, Revocation?.none)
    var urls = [url]
    func next() -> String { words.isEmpty ? "" : words.removeFirst() }
    while !words.isEmpty {
      let word = next()
      switch word {
      case "--pin": pins.append(next())
      case "--address":
        let parts = next().split(separator: "=")
        options.addresses[String(parts[0])] = String(parts[1])
      case "--proxy": options.proxy = HTTPProxy(next())
      case "--rfc5280": rules = .rfc5280
      case "--revocation": revocation = Revocation(.required(of: .leaf))
      case "--then": urls.append(next())
      case "--http1": options.allowsHTTP2 = false
      case "--connections":
        options.maximumConnectionsPerHost = Int(next()) ?? 1
      case "--identity":
        let identity = try Identity(file: next(), password: next())
        options.identity = identity
      default: numbers[word] = Int(next())
      }
    }
    options.limits.dataBytes = 1 << 32
    let anchors = AnchorSet(try Certificate.certificates(inFile: file))
    guard let host = URL(string: url)?.host else { exit(2) }
    let table = try PinTable(pins.isEmpty ? [:] : [host: PinSet(pins.map { try Pin($0) })])
    let manager = TrustManager(
      pins: table, anchors: anchors, rules: rules, revocation: revocation,
      otherHosts: pins.isEmpty ? .validate : .reject)
    let client = HTTPClient(manager, options: options)
    do throws(HTTPError) {
      for url in urls { try await run(command, client, HTTPRequest(url), numbers) }
    } catch {
      print(name(of: error))
      FileHandle.standardError.write(Data("\(error)\n".utf8))
    }
  }

  private static func run(
    _ command: String, _ client: HTTPClient, _ request: HTTPRequest, _ numbers: [String: Int]
  ) async throws(HTTPError) {
    let count = numbers["--count"] ?? 1
    switch command {
    case "get":
      for _ in 0..<count {
        let (data, response) = try await client.data(for: request)
        print(response.status, response.version.rawValue, data.count)
      }
    case "down":
      let (body, _) = try await client.bytes(for: request)
      var (size, pieces) = (0, body.makeAsyncIterator())
      while let piece = try await pieces.next() { size += piece.count }
      print(size, memory())
    case "up":
      var upload = request
      upload.method = "PUT"
      let piece = [UInt8](repeating: 7, count: 1 << 20)
      upload.body = .stream(
        AsyncStream(unfolding: Countdown(numbers["--megabytes"] ?? 1, piece).next))
      let (_, response) = try await client.data(for: upload)
      print(response.status, memory())
    case "many":
      let successes = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<count {
          group.addTask {
            do { return try await client.data(for: request).response.isSuccess } catch {
              return false
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      print(successes)
    case "long":
      var upload = request
      upload.method = "PUT"
      upload.body = .stream(AsyncStream(unfolding: Countdown(2, [1, 2, 3]).next), count: 3)
      print(try await client.data(for: upload).response.status)
    case "library":
      // The file has no size, and is read in pieces.
      let data = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
      let maps = String(decoding: data ?? Data(), as: UTF8.self)
      let words = maps.split(whereSeparator: \.isWhitespace)
      let path = words.first { $0.contains("/libcurl.so") } ?? ""
      print(path.split(separator: "/").dropLast().joined(separator: "/").suffix(28))
    case "speed":
      let one = try await rate(client, request, count, tasks: 1)
      let many = try await rate(client, request, count, tasks: 16)
      print(one, many, memory())
    default: exit(2)
    }
  }

  /// Returns the requests per second.
  private static func rate(
    _ client: HTTPClient, _ request: HTTPRequest, _ count: Int, tasks: Int
  ) async throws(HTTPError) -> Int {
    _ = try await client.data(for: request)
    let start = ContinuousClock.now
    let failure = await withTaskGroup(of: HTTPError?.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          do throws(HTTPError) {
            for _ in 0..<count / tasks { _ = try await client.data(for: request) }
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    if let failure { throw failure }
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Int(Double(count) / (Double(seconds) + Double(attoseconds) / 1e18))
  }

  /// The most memory that was used, in MiB.
  private static func memory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) / 1024
  }

  private static func name(of error: HTTPError) -> String {
    let kind = "\(Mirror(reflecting: error).children.first?.label ?? "\(error)")"
    guard case .notTrusted(let trust) = error else { return kind }
    if case .invalidPath(let path) = trust, let rule = path.rejections.first?.rule {
      return "\(kind) \(rule.name)"
    }
    return "\(kind) \(Mirror(reflecting: trust).children.first?.label ?? "\(trust)")"
  }

  /// The same piece, a number of times.
  private final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let piece: [UInt8]

    init(_ count: Int, _ piece: [UInt8]) {
      left = Mutex(count)
      self.piece = piece
    }

    @Sendable func next() async -> [UInt8]? {
      left.withLock { left in
        left -= 1
        return left >= 0 ? piece : nil
      }
    }
  }
}
