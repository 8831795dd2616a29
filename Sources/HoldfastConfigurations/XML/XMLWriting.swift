/// Text escaped for an element or an attribute value.
func escapedForXML(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "&": escaped += "&amp;"
    case "\"": escaped += "&quot;"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}
