internal import HoldfastAnswers

/// What this build of the tool is.
enum Version {
  /// The release.
  static let number = "\(Answer.version)"

  /// `git archive` puts the commit here, in a release's archive and for `Scripts/checks/static`
  /// (.gitattributes); a build in a checkout, which may have changes, does not claim one.
  private static let commit = "$Format:%h$"

  #if Curl
    private static let features = "with TLS and HTTP"
  #elseif OpenSSL
    private static let features = "with TLS"
  #else
    private static let features = "without TLS"
  #endif

  /// What `--version` prints.
  static let text: String = {
    let known = commit.hasPrefix("$") ? "" : "commit \(commit), "
    return "holdfast \(number) (\(known)\(features))\n"
  }()
}
