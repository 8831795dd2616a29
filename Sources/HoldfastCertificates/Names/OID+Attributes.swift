public import HoldfastDER

/// Attribute types of names. RFC 4519 §2, RFC 5280 appendix A.1.
extension OID {
  /// 2.5.4.3: a common name.
  @inlinable public static var commonName: OID {
    OID(high: 0x5504_0300_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.4: a family name.
  @inlinable public static var surname: OID {
    OID(high: 0x5504_0400_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.5: a serial number of the subject itself.
  @inlinable public static var subjectSerialNumber: OID {
    OID(high: 0x5504_0500_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.6: a country, in two letters.
  @inlinable public static var countryName: OID {
    OID(high: 0x5504_0600_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.7: a locality.
  @inlinable public static var localityName: OID {
    OID(high: 0x5504_0700_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.8: a state or province.
  @inlinable public static var stateOrProvinceName: OID {
    OID(high: 0x5504_0800_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.9: a street address.
  @inlinable public static var streetAddress: OID {
    OID(high: 0x5504_0900_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.10: an organisation.
  @inlinable public static var organizationName: OID {
    OID(high: 0x5504_0A00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.11: a part of an organisation.
  @inlinable public static var organizationalUnitName: OID {
    OID(high: 0x5504_0B00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.12: a title.
  @inlinable public static var title: OID {
    OID(high: 0x5504_0C00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.15: the kind of an organisation.
  @inlinable public static var businessCategory: OID {
    OID(high: 0x5504_0F00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.17: a postal code.
  @inlinable public static var postalCode: OID {
    OID(high: 0x5504_1100_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.42: a given name.
  @inlinable public static var givenName: OID {
    OID(high: 0x5504_2A00_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 2.5.4.97: a registered identifier of an organisation.
  @inlinable public static var organizationIdentifier: OID {
    OID(high: 0x5504_6100_0000_0000, low: 0x0000_0000_0000_0003)
  }
  /// 0.9.2342.19200300.100.1.1: a user identifier.
  @inlinable public static var userID: OID {
    OID(high: 0x0992_2689_93F2_2C64, low: 0x0101_0000_0000_000A)
  }
  /// 0.9.2342.19200300.100.1.25: one label of a domain name.
  @inlinable public static var domainComponent: OID {
    OID(high: 0x0992_2689_93F2_2C64, low: 0x0119_0000_0000_000A)
  }
  /// 1.2.840.113549.1.9.1: an e-mail address. RFC 2985 §5.2.1.
  @inlinable public static var emailAddress: OID {
    OID(high: 0x2A86_4886_F70D_0109, low: 0x0100_0000_0000_0009)
  }
  /// 1.3.6.1.4.1.311.60.2.1.1: where an organisation is registered: the locality.
  @inlinable public static var jurisdictionLocality: OID {
    OID(high: 0x2B06_0104_0182_373C, low: 0x0201_0100_0000_000B)
  }
  /// 1.3.6.1.4.1.311.60.2.1.2: where an organisation is registered: the state.
  @inlinable public static var jurisdictionState: OID {
    OID(high: 0x2B06_0104_0182_373C, low: 0x0201_0200_0000_000B)
  }
  /// 1.3.6.1.4.1.311.60.2.1.3: where an organisation is registered: the country.
  @inlinable public static var jurisdictionCountry: OID {
    OID(high: 0x2B06_0104_0182_373C, low: 0x0201_0300_0000_000B)
  }
}
