/// A valid path that satisfies pins and transparency.
package struct SatisfyingPath: Sendable {
  package let path: ValidatedPath
  /// Where the pins are on it; nil if none were asked for.
  package let match: PinMatch?
  /// What timestamps prove of it; nil if transparency is not checked below its anchor.
  package let transparency: TransparencyReport?
  /// How many paths before it satisfied all but the pins.
  package let unpinnedCount: Int
}

/// Why no valid path satisfies pins and transparency.
package struct NoSatisfyingPath: Error {
  /// Why no path was accepted. What pins and transparency rejected are violations of `Rule.veto`.
  package let error: PathError
  /// The paths that satisfy all but the pins, in the order of the search.
  package let unpinned: [PinnedPath]
  /// Why transparency rejected a path, if nothing else is wrong with it, or if no path satisfies
  /// transparency.
  let insufficient: TrustError?

  /// Whether pins are all that a path lacks, and no path with the pins lacks something else.
  var isForLackOfPins: Bool { !unpinned.isEmpty && insufficient == nil }

  /// The error where pins are not reported in another way.
  package var trustError: TrustError { insufficient ?? .invalidPath(error) }
}

extension PathValidator {
  /// Returns the first valid path that satisfies pins and transparency.
  ///
  /// - Parameters:
  ///   - transparency: Whether the leaf must be in public logs; nil not to check.
  ///   - table: The table that may say otherwise of the host.
  ///   - pins: The pins; nil for none.
  package func find(
    _ question: Question, _ transparency: TransparencyCheck? = nil, _ table: PinTable? = nil,
    satisfying pins: PinSet?
  ) throws(NoSatisfyingPath) -> SatisfyingPath {
    var match: PinMatch?
    var report: TransparencyReport?
    var unpinned: [PinnedPath] = []
    var insufficient: (pinned: TrustError?, other: TrustError?)
    do throws(PathError) {
      let path = try validate(question) { (found, question, _, budget) throws(CheckFailure) in
        var reason: PinnedPath.Reason?
        do throws(PinnedPath.Reason) { match = try pins?.evaluate(found.path.elements) } catch {
          reason = error
        }
        switch try transparency?.evaluate(&found, question, table, &budget) {
        case nil: report = nil
        case .success(let found): report = found
        case .failure(let error):
          if reason == nil {
            insufficient.pinned = insufficient.pinned ?? error
          } else {
            insufficient.other = insufficient.other ?? error
          }
          throw .violation(Violation(error.logLine))
        }
        guard let reason else { return }
        unpinned.append(PinnedPath(path: found.path, reason: reason, transparency: report))
        throw .violation(reason.violation(on: found.path))
      }
      return SatisfyingPath(
        path: path, match: match, transparency: report, unpinnedCount: unpinned.count)
    } catch {
      throw NoSatisfyingPath(
        error: error, unpinned: unpinned,
        insufficient: insufficient.pinned ?? (unpinned.isEmpty ? insufficient.other : nil))
    }
  }
}

extension PinnedPath.Reason {
  /// The reason as a violation, with the keys of the path if none of them is pinned.
  fileprivate func violation(on path: ValidatedPath) -> Violation {
    guard self == .noPin else { return Violation("\(self)") }
    let seen = path.elements.map { "\($0.pin)" }.joined(separator: ", ")
    return Violation("none of the pins is on the path, whose keys are \(seen)")
  }
}
