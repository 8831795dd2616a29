public import HoldfastDER

/// Attribute types of names. RFC 4519 §2, RFC 5280 appendix A.1.
extension OID {
  /// A common name.
  public static let commonName: OID = "2.5.4.3"
  /// A family name.
  public static let surname: OID = "2.5.4.4"
  /// A serial number of the subject itself.
  public static let subjectSerialNumber: OID = "2.5.4.5"
  /// A country, in two letters.
  public static let countryName: OID = "2.5.4.6"
  /// A locality.
  public static let localityName: OID = "2.5.4.7"
  /// A state or province.
  public static let stateOrProvinceName: OID = "2.5.4.8"
  /// A street address.
  public static let streetAddress: OID = "2.5.4.9"
  /// An organisation.
  public static let organizationName: OID = "2.5.4.10"
  /// A part of an organisation.
  public static let organizationalUnitName: OID = "2.5.4.11"
  /// A title.
  public static let title: OID = "2.5.4.12"
  /// The kind of an organisation.
  public static let businessCategory: OID = "2.5.4.15"
  /// A postal code.
  public static let postalCode: OID = "2.5.4.17"
  /// A given name.
  public static let givenName: OID = "2.5.4.42"
  /// A registered identifier of an organisation.
  public static let organizationIdentifier: OID = "2.5.4.97"
  /// A user identifier.
  public static let userID: OID = "0.9.2342.19200300.100.1.1"
  /// One label of a domain name.
  public static let domainComponent: OID = "0.9.2342.19200300.100.1.25"
  /// An e-mail address. RFC 2985 §5.2.1.
  public static let emailAddress: OID = "1.2.840.113549.1.9.1"
  /// Where an organisation is registered: the locality.
  public static let jurisdictionLocality: OID = "1.3.6.1.4.1.311.60.2.1.1"
  /// Where an organisation is registered: the state.
  public static let jurisdictionState: OID = "1.3.6.1.4.1.311.60.2.1.2"
  /// Where an organisation is registered: the country.
  public static let jurisdictionCountry: OID = "1.3.6.1.4.1.311.60.2.1.3"
}
