public import HoldfastCertificates

extension PathValidator {
  /// One validation of many.
  public struct Request: Sendable {
    /// The certificate to validate.
    public var leaf: Certificate
    /// Certificates that the path may go through.
    public var intermediates: [Certificate]
    /// What for.
    public var purpose: Purpose
    /// At which time.
    public var time: Timestamp
    /// What is known of revocations, in place of what the validator has.
    public var revocation: Revocation?

    /// A request.
    public init(
      _ leaf: Certificate, intermediates: [Certificate] = [], for purpose: Purpose,
      at time: Timestamp = .now, revocation: Revocation? = nil
    ) {
      self.leaf = leaf
      self.intermediates = intermediates
      self.purpose = purpose
      self.time = time
      self.revocation = revocation
    }
  }

  /// Validates many certificates on all cores, and answers in the order of the requests.
  ///
  /// The requests are cut into runs, one task a run, because a task costs about as much as a
  /// signature that is remembered.
  public func validate(
    _ requests: [Request]
  ) async -> [Result<ValidatedPath, PathError>] {
    let runs = PathValidator.runs(of: requests.count)
    return await withTaskGroup(
      of: (start: Int, answers: [Result<ValidatedPath, PathError>]).self
    ) { group in
      for run in runs {
        let part = requests[run]
        group.addTask { (run.lowerBound, part.map { answer(to: $0) }) }
      }
      var answers: [Int: [Result<ValidatedPath, PathError>]] = [:]
      for await (start, part) in group { answers[start] = part }
      return runs.flatMap { answers[$0.lowerBound] ?? [] }
    }
  }

  /// The later the shorter, so that no core waits long for the last run of another.
  private static func runs(of count: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    while start < count {
      let end = min(start + min(max((count - start) / 16, 4), 16), count)
      runs.append(start..<end)
      start = end
    }
    return runs
  }

  private func answer(to request: Request) -> Result<ValidatedPath, PathError> {
    do throws(PathError) {
      return .success(
        try validate(
          request.leaf, intermediates: request.intermediates, for: request.purpose,
          at: request.time, revocation: request.revocation))
    } catch {
      return .failure(error)
    }
  }
}
