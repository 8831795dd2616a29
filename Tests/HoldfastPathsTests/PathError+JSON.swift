import HoldfastPaths

@testable import HoldfastTool

extension PathError {
  /// What `verify --json` says of it.
  var json: String { document(RevocationSources()).line }
}
