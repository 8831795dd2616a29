// One import for everything: certificates (and with them `OID`, `Timestamp` and the errors of the
// reader) and paths.
@_exported public import HoldfastCertificates
@_exported public import HoldfastPaths
