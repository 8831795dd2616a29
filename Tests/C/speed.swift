// The warm verdicts of speed.c, asked of the library in Swift.
//
//     speed ANCHORS HOST TIME CHAIN COUNT
import Holdfast

@main
struct Speed {
  static func main() throws {
    let words = CommandLine.arguments
    let chain = try CertificateBundle(file: words[4]).certificates.map { $0.der }
    let root = try CertificateBundle(file: words[1]).certificates
    let anchors = AnchorSet(try AnchorSet.system().anchors + AnchorSet(root).anchors)
    let manager = TrustManager(pins: PinTable(), anchors: anchors, otherHosts: .validate)
    let time = Timestamp(secondsSince1970: Int64(words[3]) ?? 0)
    for _ in 0..<(Int(words[5]) ?? 0) {
      _ = try manager.evaluate(der: chain, host: words[2], at: time)
    }
  }
}
