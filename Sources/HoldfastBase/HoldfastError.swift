/// An error of this library. All its public errors conform.
///
/// `description` tells an engineer what was found, where, and which document forbids it; `logLine` is
/// the first of it on one line, with the host. `summary` can be shown to the people who use a program:
///
/// ```swift
/// print((error as? any HoldfastError)?.summary ?? "No secure connection could be made.")
/// ```
public protocol HoldfastError: Error, Loggable {
  /// What is wrong, in one plain sentence.
  var summary: String { get }
}
