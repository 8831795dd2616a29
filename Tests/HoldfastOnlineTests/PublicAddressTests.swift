import Holdfast
import HoldfastOnline
import Testing

/// Expectations from the special-purpose registries of IANA (RFC 6890), RFC 4291 and RFC 6052.
@Suite("Addresses that may be fetched from") struct PublicAddressTests {
  @Test(
    "addresses that are not public are refused, with the reason",
    arguments: [
      ([0, 0, 0, 0], "this network"), ([0, 1, 2, 3], "this network"), ([10, 0, 0, 1], "private"),
      ([10, 255, 255, 255], "private"), ([100, 64, 0, 1], "carrier"),
      ([100, 127, 255, 255], "carrier"), ([127, 0, 0, 1], "loopback"),
      ([127, 255, 255, 254], "loopback"), ([169, 254, 169, 254], "link-local"),
      ([169, 254, 0, 1], "link-local"), ([172, 16, 0, 1], "private"),
      ([172, 31, 255, 255], "private"), ([192, 0, 0, 1], "protocols"),
      ([192, 0, 0, 170], "protocols"), ([192, 0, 2, 1], "documentation"),
      ([192, 88, 99, 1], "6to4"), ([192, 168, 0, 1], "private"),
      ([192, 168, 255, 255], "private"), ([198, 18, 0, 1], "benchmarks"),
      ([198, 19, 255, 255], "benchmarks"), ([198, 51, 100, 7], "documentation"),
      ([203, 0, 113, 9], "documentation"), ([224, 0, 0, 1], "multicast"),
      ([239, 255, 255, 250], "multicast"), ([240, 0, 0, 1], "reserved"),
      ([255, 255, 255, 255], "reserved"), ([168, 63, 129, 16], "cloud"),
    ] as [([UInt8], String)])
  func version4(address: [UInt8], reason: String) {
    #expect(PublicAddress.objection(to: address)?.contains(reason) == true)
  }

  @Test(
    "the neighbors of those ranges are public",
    arguments: [
      [1, 1, 1, 1], [9, 255, 255, 255], [11, 0, 0, 0], [100, 63, 255, 255], [100, 128, 0, 0],
      [126, 255, 255, 255], [128, 0, 0, 1], [169, 253, 255, 255], [169, 255, 0, 0],
      [172, 15, 255, 255], [172, 32, 0, 0], [192, 0, 1, 0], [192, 0, 3, 0], [192, 167, 255, 255],
      [192, 169, 0, 0], [198, 17, 255, 255], [198, 20, 0, 0], [203, 0, 112, 255],
      [203, 0, 114, 0], [223, 255, 255, 255], [168, 63, 129, 15], [168, 63, 129, 17],
    ] as [[UInt8]])
  func neighbors(address: [UInt8]) {
    #expect(PublicAddress.objection(to: address) == nil)
  }

  @Test(
    "of IPv6 only global unicast is public, without what stands for other networks",
    arguments: [
      ("::", "unspecified"), ("::1", "loopback"), ("::ffff:127.0.0.1", "an IPv4 address"),
      ("::ffff:8.8.8.8", "an IPv4 address"), ("::ffff:a9fe:a9fe", "an IPv4 address"),
      ("::7f00:1", "not global"), ("64:ff9b::7f00:1", "NAT64"), ("64:ff9b::808:808", "NAT64"),
      ("64:ff9b:1::1", "NAT64"), ("100::1", "discarded"), ("2001::1", "Teredo"),
      ("2001:1::1", "protocols"), ("2001:10::1", "protocols"), ("2001:20::1", "protocols"),
      ("2001:db8::1", "documentation"), ("2002:7f00:1::", "6to4"), ("2002:a00:1::1", "6to4"),
      ("2620:4f:8000::1", "AS112"), ("3fff::1", "documentation"), ("5f00::1", "not global"),
      ("4000::1", "not global"), ("fc00::1", "unique local"), ("fd00:ec2::254", "unique local"),
      ("fe80::1", "link-local"), ("febf::1", "link-local"), ("fec0::1", "site-local"),
      ("ff02::1", "multicast"), ("ff0e::1", "multicast"), ("200::1", "not global"),
    ])
  func version6(text: String, reason: String) throws {
    let address = try #require(IPAddress("[\(text)]")).bytes
    #expect(address.count == 16)
    #expect(PublicAddress.objection(to: address)?.contains(reason) == true)
  }

  @Test(
    "addresses of the Internet are public",
    arguments: ["2001:200::1", "2606:4700::1111", "2a00:1450::1", "2003::1", "3ffe::1"])
  func global(text: String) throws {
    #expect(try PublicAddress.objection(to: #require(HostName("[\(text)]").address).bytes) == nil)
  }

  @Test("other lengths are no addresses")
  func lengths() {
    for count in [0, 1, 3, 5, 15, 17] {
      #expect(PublicAddress.objection(to: [UInt8](repeating: 8, count: count)) != nil)
    }
  }

  /// RFC 4632 §3.1.
  @Test("a range has the addresses that begin with its prefix, of its kind of address")
  func ranges() throws {
    for length in 0...32 {
      let range = try AddressRange("10.77.170.85/\(length)")
      let prefix: [UInt8] = [10, 77, 170, 85]
      #expect(range.contains(prefix) && "\(range)" == "10.77.170.85/\(length)")
      for bit in 0..<32 {
        var other = prefix
        other[bit / 8] ^= 0x80 >> UInt8(bit % 8)
        #expect(range.contains(other) == (bit >= length), "bit \(bit) of /\(length)")
      }
      #expect(!range.contains(prefix + [UInt8](repeating: 0, count: 12)))
    }
    #expect(try AddressRange("10.77.170.85").contains([10, 77, 170, 85]))
    #expect(try !AddressRange("10.77.170.85").contains([10, 77, 170, 84]))
    #expect(
      try AddressRange("2001:db8::/128").contains(
        [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 12)))
  }

  @Test(
    "a range needs an address and a length of its bits at most",
    arguments: [
      "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "/8", "", "ca.example/8",
      "2001:db8::/129",
    ])
  func badRanges(text: String) {
    let error = #expect(throws: FetchError.self) { try AddressRange(text) }
    #expect(error == .invalidRange(text))
  }
}
