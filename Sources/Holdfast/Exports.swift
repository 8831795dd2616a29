// One import for everything: certificates (with `OID`, `Timestamp` and the reader's errors) and
// paths.
@_exported public import HoldfastCertificates
@_exported public import HoldfastPaths
