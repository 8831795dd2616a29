internal import CHoldfast
internal import HoldfastBase

/// Everything that is read from the memory of a C program, or written to it.
enum Memory {
  /// The most bytes of a text: of a path, a host or a pin.
  static let maximumText = 4_096
  /// The most certificates of a chain.
  static let maximumCertificates = 10_000
  /// The most bytes of a chain, and of a CRL.
  static let maximumChain = 64 << 20

  /// Copies bytes; nil if there are none.
  static func bytes(
    _ start: UnsafeRawPointer?, _ size: Int, limit: Int, _ what: String
  ) throws(Problem) -> [UInt8]? {
    guard let start = unsafe start else {
      guard size == 0 else { throw Problem(.badArgument, "\(what): NULL with a size") }
      return nil
    }
    // A size of more than half the memory is negative here.
    guard 0...limit ~= size else {
      throw Problem(.tooLarge, "\(what): larger than the limit of \(limit) bytes")
    }
    // SAFETY: the caller promises `size` readable bytes, which are copied before the call returns.
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: size))
  }

  /// Copies a text; nil if there is none.
  static func optionalText(
    _ start: UnsafePointer<CChar>?, _ size: Int, _ what: String
  ) throws(Problem) -> String? {
    // SAFETY: the pointer is only passed on.
    guard
      let bytes = unsafe try bytes(UnsafeRawPointer(start), size, limit: maximumText, what)
    else { return nil }
    guard !bytes.contains(0) else { throw Problem(.badText, "\(what): has a NUL") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(.badText, "\(what): not UTF-8")
    }
    return text
  }

  /// Copies a text that must be there.
  static func text(
    _ start: UnsafePointer<CChar>?, _ size: Int, _ what: String
  ) throws(Problem) -> String {
    // SAFETY: the pointer is only passed on.
    guard let text = unsafe try optionalText(start, size, what), !text.isEmpty else {
      throw Problem(.badArgument, "\(what): missing")
    }
    return text
  }

  /// Copies the path of a file. `-` is a file here, and not standard input.
  static func path(
    _ start: UnsafePointer<CChar>?, _ size: Int, _ what: String
  ) throws(Problem) -> String {
    // SAFETY: the pointer is only passed on.
    let path = unsafe try text(start, size, what)
    return path == "-" ? "./-" : path
  }

  /// Copies the certificates of a chain.
  private static func chain(
    _ start: UnsafePointer<holdfast_bytes>?, _ count: Int
  ) throws(Problem) -> [[UInt8]] {
    guard let start = unsafe start else {
      guard count == 0 else { throw Problem(.badArgument, "chain: NULL with a count") }
      return []
    }
    guard 0...maximumCertificates ~= count else {
      throw Problem(.tooLarge, "chain: more than \(maximumCertificates) certificates")
    }
    var chain: [[UInt8]] = []
    chain.reserveCapacity(count)
    var rest = maximumChain
    for index in 0..<count {
      // SAFETY: the caller promises `count` structures at `start`.
      let part = unsafe start[index]
      let name = "certificate \(index + 1) of the chain"
      // SAFETY: the pointer is only passed on.
      let bytes = unsafe try bytes(part.data, part.size, limit: rest, name) ?? []
      rest -= bytes.count
      chain.append(bytes)
    }
    return chain
  }

  /// Copies a question.
  static func question(
    _ pointer: UnsafePointer<holdfast_question>?
  ) throws(Problem) -> AskedQuestion {
    guard let pointer = unsafe pointer else { throw Problem(.badArgument, "question: NULL") }
    // SAFETY: every version of the structure begins with its size, and nothing else is read before that
    // is known to be the size of this one.
    let size = unsafe UnsafeRawPointer(pointer).load(as: Int.self)
    guard unsafe size == MemoryLayout<holdfast_question>.size else {
      throw Problem(.badArgument, "question: structure_size is not one that this version knows")
    }
    // SAFETY: the structure has the size that it should have.
    let question = unsafe pointer.pointee
    let flags = unsafe question.flags
    guard [0, HOLDFAST_HANDSHAKE, HOLDFAST_FILES].contains(flags) else {
      throw Problem(.badArgument, "question: unknown flags")
    }
    // SAFETY: the pointers of the structure are only passed on.
    let name = unsafe try optionalText(question.name, question.name_size, "name")
    let use = unsafe try use(question.purpose, name)
    let seconds = unsafe question.time
    guard seconds == .min || times ~= seconds else {
      throw Problem(.badArgument, "time: not in the years 0 to 9999")
    }
    let timestamps = unsafe try bytes(
      question.timestamps.data, question.timestamps.size, limit: 1 << 20, "timestamps")
    if timestamps != nil, !use.isServer {
      throw Problem(.badArgument, "timestamps: only of a server")
    }
    return AskedQuestion(
      use: use, chain: unsafe try chain(question.chain, question.chain_count),
      holdsFiles: flags == HOLDFAST_FILES,
      time: seconds == .min ? .now : Timestamp(secondsSince1970: seconds),
      // A client cannot staple before TLS 1.3, and is not asked to: that it did not tells nothing.
      isHandshake: flags & HOLDFAST_HANDSHAKE != 0 && use.isServer,
      staple: unsafe try bytes(
        question.staple.data, question.staple.size, limit: 16 << 20, "staple"),
      timestamps: timestamps)
  }

  /// The seconds of the years 0 to 9999.
  static let times: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  private static func use(
    _ purpose: UInt32, _ name: String?
  ) throws(Problem) -> AskedQuestion.Use {
    func named() throws(Problem) -> String {
      guard let name, !name.isEmpty else { throw Problem(.badArgument, "name: missing") }
      return name
    }
    let use: AskedQuestion.Use
    switch Int(purpose) {
    case HOLDFAST_SERVER: return .server(try named())
    case HOLDFAST_PEER: return .peer(try named())
    case HOLDFAST_EMAIL: return .email(try named())
    case HOLDFAST_CLIENT: use = .client
    case HOLDFAST_CODE_SIGNING: use = .codeSigning
    case HOLDFAST_TIME_STAMPING: use = .timeStamping
    case HOLDFAST_ANY_PURPOSE: use = .any
    default: throw Problem(.badArgument, "purpose: unknown")
    }
    guard name == nil else { throw Problem(.badArgument, "name: does not go with this purpose") }
    return use
  }

  /// Writes a text with a NUL at its end, cut to what fits.
  static func copy(_ text: String, to buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int) {
    guard let buffer = unsafe buffer, capacity > 0 else { return }
    var count = 0
    for byte in text.utf8.prefix(capacity - 1) {
      // SAFETY: the caller promises `capacity` bytes, and `count` stays below.
      unsafe buffer[count] = CChar(bitPattern: byte)
      count += 1
    }
    // SAFETY: at most `capacity - 1` bytes were written.
    unsafe buffer[count] = 0
  }
}

extension AskedQuestion.Use {
  fileprivate var isServer: Bool { if case .server = self { true } else { false } }
}

/// Bytes that C borrows, with a NUL after them, until nothing refers to them.
final class LentBytes: Sendable {
  /// The address, a number because pointers cannot be shared between threads.
  private let start: UInt
  let count: Int

  init(_ bytes: some Collection<UInt8>) {
    count = bytes.count
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 1)
    // SAFETY: there is room for all bytes and the NUL.
    var end = unsafe memory
    for byte in bytes {
      unsafe end.initialize(to: byte)
      unsafe end += 1
    }
    unsafe end.initialize(to: 0)
    start = UInt(bitPattern: memory)
  }

  /// What C gets, which lives as long as this object.
  var pointer: UnsafeRawPointer? {
    // SAFETY: this is what `allocate` returned.
    unsafe UnsafeRawPointer(bitPattern: start)
  }

  deinit {
    // SAFETY: this is what `allocate` returned.
    unsafe UnsafeMutablePointer<UInt8>(bitPattern: start)?.deallocate()
  }
}
