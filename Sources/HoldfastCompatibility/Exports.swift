// One import for ported code: policies, identities and, with the trait, sessions.
@_exported public import Holdfast
@_exported public import HoldfastIdentities
#if Curl
  @_exported public import HoldfastURLSession
#endif
