import Holdfast
import HoldfastHTTP

let key = "sha256/rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
let backup = "sha256/3SONQBy5VsS6Am39ZjgoZ7tmC+j1D2K6cje4Xp5l9YQ="
let client = HTTPClient(try TrustManager(pins: ["www.demo.example": [key, backup]]))
do {
  let (data, response) = try await client.data(from: "https://www.demo.example/flour")
  print(response.status, String(decoding: data, as: UTF8.self))
} catch {
  print(error)
  print(error.logLine)  // one line, for a log
}
