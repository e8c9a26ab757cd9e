// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Names of the public types of Alamofire 5 (https://github.com/Alamofire/Alamofire), with which stubdb is used: a test
// that imports both must be able to write either without its module.

public enum AFError: Error {}
public class Adapter {}
public class AuthenticationInterceptor<Authenticator> {}
public struct CachedResponseHandler {}
public class ClosureEventMonitor {}
public class ConnectionLostRetryPolicy {}
public class DataRequest {}
public struct DataResponse<Success, Failure> {}
public class DataStreamRequest {}
public class DownloadRequest {}
public struct Empty {}
public protocol EventMonitor {}
public struct HTTPHeader {}
public struct HTTPHeaders {}
public struct HTTPMethod {}
public class Interceptor {}
public struct JSONEncoding {}
public class MultipartFormData {}
public class NetworkReachabilityManager {}
public typealias Parameters = [String: any Sendable]
public enum RedirectHandler {}
public class Request {}
public protocol RequestAdapter {}
public protocol RequestInterceptor {}
public protocol RequestRetrier {}
public protocol ResponseSerializer {}
public class Retrier {}
public class RetryPolicy {}
public class Session {}
public class SessionDelegate {}
public struct StringResponseSerializer {}
public class UploadRequest {}
public struct URLEncoding {}
public struct URLResponseSerializer {}
public class WebSocketRequest {}

// Names that other libraries may well have, and the modules behind `import StubDB` have too, for themselves.

public struct Outcome {}
public class Player {}
public struct Recording {}
public struct Selection {}
public struct SearchHit {}
