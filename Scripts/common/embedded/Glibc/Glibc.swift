// Swift's module of the C library, for targets for which the toolchain has none.
@_exported public import CLibrary

public var errno: Int32 {
  get { library_errno() }
  set { library_set_errno(newValue) }
}

#if arch(wasm32)
  public var EINTR: Int32 { library_interrupted() }
#else
  public let S_IFMT: mode_t = 0o170000
  public let S_IFREG: mode_t = 0o100000
  public let S_IFDIR: mode_t = 0o040000
  public let TIOCGWINSZ: UInt = 0x5413

  public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    library_open(path, flags, mode)
  }
  public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32 = 0) -> Int32 {
    library_fcntl(file, command, value)
  }
  public func fcntl(_ file: Int32, _ command: Int32, _ value: UnsafeMutableRawPointer) -> Int32 {
    library_fcntl_at(file, command, value)
  }
  public func ioctl(_ file: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer) -> Int32 {
    library_ioctl(file, request, value)
  }
  public var SIG_DFL: __sighandler_t? { library_default() }
  public var SIG_IGN: __sighandler_t? { library_ignore() }
#endif
