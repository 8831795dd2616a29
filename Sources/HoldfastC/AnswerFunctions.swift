public import CHoldfast
internal import HoldfastAnswers
internal import HoldfastBase

// The functions of `holdfast.h` about answers, in its order; the header describes them.

/// Returns 1 if the chain is trusted.
@c @implementation
public func holdfast_answer_is_trusted(_ answer: OpaquePointer?) -> Int32 {
  // SAFETY: the pointer is a number.
  unsafe given(answer)?.isTrusted == true ? 1 : 0
}

/// Returns the verdict.
@c @implementation
public func holdfast_answer_verdict(_ answer: OpaquePointer?) -> Int32 {
  // SAFETY: the pointer is a number.
  unsafe given(answer)?.verdict ?? 0
}

/// Returns a text of an answer.
@c @implementation
public func holdfast_answer_borrow_text(
  _ answer: OpaquePointer?, _ which: UInt32, _ size: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  // SAFETY: the pointer is a number; the place of the size is only passed on.
  let lent = unsafe given(answer).flatMap { given in
    GivenAnswer.Text(rawValue: which).map { given.lend($0) }
  }
  return unsafe lend(lent, size)?.assumingMemoryBound(to: CChar.self)
}

/// Returns a certificate of the path.
@c @implementation
public func holdfast_answer_borrow_certificate(
  _ answer: OpaquePointer?, _ index: Int, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  // SAFETY: the pointer is a number; the place of the size is only passed on.
  unsafe lend(given(answer)?.lendCertificate(index), size)
}

/// Returns until when the verdict may be used again.
@c @implementation
public func holdfast_answer_valid_until(_ answer: OpaquePointer?) -> Int64 {
  // SAFETY: the pointer is a number.
  unsafe given(answer)?.end?.secondsSince1970 ?? .min
}

/// Returns 1 if the verdict may be used again for a server.
@c @implementation
public func holdfast_answer_holds(
  _ answer: OpaquePointer?, _ policy: OpaquePointer?, _ host: UnsafePointer<CChar>?, _ size: Int,
  _ time: Int64
) -> Int32 {
  // SAFETY: the first two pointers are numbers, and the third is only passed on.
  guard let answer = unsafe given(answer), let policy = unsafe object(policy) else { return 0 }
  do throws(Problem) {
    let host = unsafe try Memory.text(host, size, "host")
    let time = time == .min ? Timestamp.now : Timestamp(secondsSince1970: time)
    return answer.holds(policy, host, at: time) ? 1 : 0
  } catch {
    return 0
  }
}

/// Frees an answer.
@c @implementation
public func holdfast_answer_free(_ answer: OpaquePointer?) -> holdfast_status {
  guard let answer = unsafe answer else { return Status.ok.rawValue }
  // SAFETY: the pointer is a number, and never read through.
  let removed = Objects.answers.remove(UInt(bitPattern: answer))
  return (removed == nil ? Status.badObject : .ok).rawValue
}

/// Returns the answer with a number that looks like a pointer.
private func given(_ answer: OpaquePointer?) -> GivenAnswer? {
  // SAFETY: the pointer is a number, and never read through.
  unsafe answer.flatMap { Objects.answers.object(UInt(bitPattern: $0)) }
}

/// Lends bytes, which live as long as the answer that has them.
private func lend(
  _ bytes: LentBytes?, _ size: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  // SAFETY: the caller promises a place for a size, or NULL.
  if let size = unsafe size { unsafe size.pointee = bytes?.count ?? 0 }
  return unsafe bytes?.pointer
}
