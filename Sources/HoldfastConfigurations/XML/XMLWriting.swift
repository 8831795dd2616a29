/// Text escaped for an element or an attribute value in quotation marks of either kind.
package func escapedForXML(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "&": escaped += "&amp;"
    case "\"": escaped += "&quot;"
    case "'": escaped += "&#39;"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}
