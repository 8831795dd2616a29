// A program with Swift's own runtime asks the library, which has another one inside.
//
//     beside ANCHORS HOST TIME CHAIN.der…
import CHoldfast
import Glibc

final class Kept {
  let words: [String: [UInt8]]
  init(_ words: [String: [UInt8]]) { self.words = words }
}

func ask(_ policy: OpaquePointer?, _ chain: [[UInt8]], _ host: String, _ time: Int64) -> String {
  let kept = Kept([host: chain.flatMap { $0 }])
  var parts: [holdfast_bytes] = []
  for der in chain {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: der.count, alignment: 1)
    copy.copyBytes(from: der)
    parts.append(holdfast_bytes(data: UnsafeRawPointer(copy.baseAddress), size: der.count))
  }
  defer { for part in parts { UnsafeMutableRawPointer(mutating: part.data)?.deallocate() } }
  var question = holdfast_question()
  question.structure_size = MemoryLayout<holdfast_question>.size
  question.purpose = UInt32(HOLDFAST_SERVER)
  question.time = time
  var answer: OpaquePointer?
  host.withCString { name in
    parts.withUnsafeBufferPointer { parts in
      question.name = name
      question.name_size = host.utf8.count
      question.chain = parts.baseAddress
      question.chain_count = parts.count
      _ = holdfast_policy_ask(policy, &question, &answer)
    }
  }
  defer { holdfast_answer_free(answer) }
  let reason = holdfast_answer_borrow_text(answer, UInt32(HOLDFAST_REASON), nil)
    .map { String(cString: $0) }
  return "\(holdfast_answer_is_trusted(answer)) \(kept.words.count) \(reason ?? "no answer")"
}

let words = CommandLine.arguments
let chain = words[4...].compactMap { path -> [UInt8]? in
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
}
var policy: OpaquePointer?
holdfast_policy_new(&policy)
holdfast_policy_add_anchor_file(policy, words[1], words[1].utf8.count, 0)
var failures = 0
for _ in 0..<200 {
  if !ask(policy, chain, words[2], Int64(words[3]) ?? 0).hasPrefix("1 1 valid") { failures += 1 }
  if !ask(policy, chain, "other.example", Int64(words[3]) ?? 0).hasPrefix("0 1 ") { failures += 1 }
}
holdfast_policy_free(policy)
if failures > 0 { print("not ok: \(failures) failures") }
exit(failures > 0 ? 1 : 0)
