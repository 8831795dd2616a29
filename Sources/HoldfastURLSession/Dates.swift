#if Curl && canImport(FoundationNetworking)
  public import Foundation
  public import Holdfast

  extension Date {
    /// The moment of a timestamp: `Date(certificate.notAfter)`.
    public init(_ time: Timestamp) {
      self.init(timeIntervalSince1970: Double(time.secondsSince1970))
    }
  }

  extension Timestamp {
    /// The last whole second at or before a date.
    public init(_ date: Date) {
      let seconds = date.timeIntervalSince1970.rounded(.down)
      self.init(secondsSince1970: Int64(exactly: seconds) ?? (seconds > 0 ? .max : .min))
    }

    /// The moment as Foundation's type: `certificate.notAfter.date.timeIntervalSinceNow`.
    public var date: Date { Date(self) }
  }

  extension PinSet {
    /// Creates a set of pins that count everywhere on the path, and that expire: from then on every
    /// connection is rejected.
    public init(_ pins: [Pin], expires date: Date) throws(PinSetError) {
      try self.init(pins, expires: Timestamp(date))
    }
  }
#endif
