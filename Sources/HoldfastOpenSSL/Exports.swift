// One import for everything that a connection needs: policies, and identities with their keys.
@_exported public import Holdfast
@_exported public import HoldfastIdentities
