internal import Foundation
internal import Holdfast
internal import HoldfastOnline
internal import HoldfastPaths
internal import Synchronization

/// fetch: what an `OnlineValidator` costs when its cache has what is missing.
enum Fetched {
  static func cases() -> [Case] { [hit].compactMap(\.self) }

  /// Serves one certificate.
  private struct Server: Fetching {
    let body: [UInt8]

    func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
      FetchResponse(body)
    }
  }

  private static let count = 100

  /// A hundred answers about a chain whose intermediate is in the cache, beside as many warm
  /// validations of the whole chain. A hundred, because beginning and ending asynchronous work takes
  /// longer than an answer.
  private static var hit: Case? {
    guard let text = ChainFiles.bytes("Vectors/demo/chain.pem"),
      let anchor = ChainFiles.bytes("Vectors/demo/root.pem").flatMap({
        CertificateBundle($0).certificates.first
      }), let time = Timestamp("2026-06-01T00:00:00Z"),
      let purpose = try? Purpose.server("www.demo.example")
    else { return nil }
    let chain = CertificateBundle(text).certificates
    guard chain.count > 1 else { return nil }
    let validator = PathValidator(anchors: AnchorSet([anchor]))
    let online = OnlineValidator(
      validator, fetching: Server(body: chain[1].der), policy: FetchPolicy([.issuers]))
    let request = HoldfastPaths.Question([chain[0]], for: purpose, at: time)
    return Case(
      subject: "fetch", name: "\(count) chains, the intermediate cached",
      contenders: [
        .ours("cached") {
          waited {
            for _ in 0..<count {
              guard case .success = await online.answer(to: request).result else { return false }
            }
            return true
          }
        },
        .ours("sent") {
          waited {
            for _ in 0..<count {
              guard (try? validator.validate(chain, for: purpose, at: time)) != nil else {
                return false
              }
            }
            return true
          }
        },
      ])
  }

  /// Waits for asynchronous work.
  private static func waited(_ work: @escaping @Sendable () async -> Bool) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let result = Box()
    Task {
      let value = await work()
      result.value.withLock { $0 = value }
      done.signal()
    }
    done.wait()
    return result.value.withLock { $0 }
  }

  private final class Box: Sendable {
    let value = Mutex(false)
  }
}
