// Pin configurations of other systems will be read here, into the pins of this module.
@_exported public import Holdfast
