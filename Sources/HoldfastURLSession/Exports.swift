// One import for everything that a session needs: policies, identities, and the client below it.
@_exported public import HoldfastHTTP
