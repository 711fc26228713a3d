import { docs, entriesOf, PAGES, standard } from '../entry'

const http = standard(9110, 'HTTP semantics')
const impersonation = docs(
  'User impersonation',
  'reference/access-authn-authz/authentication/#user-impersonation',
)
const proxy = docs(
  'Authenticating proxy',
  'reference/access-authn-authz/authentication/#authenticating-proxy',
)

export const HEADERS = entriesOf('header', {
  accept: [
    'The media types that the client accepts, preferred first: JSON, YAML, Protobuf, a table, metadata only.',
  ],
  'accept-encoding': [
    'Whether the response can be compressed. Large responses are, if the client accepts gzip.',
  ],
  authorization: [
    'The credential: `Bearer` and a token. The page never stores it in its log.',
    PAGES.authentication,
  ],
  'content-type': ['What the body is. For a patch it decides what the patch means.'],
  'if-match': ['Only if the document still has this tag.', http],
  'if-none-match': [
    'Only if the document has another tag by now; otherwise 304 and no body. Discovery and OpenAPI use it.',
    http,
  ],
  'if-modified-since': ['Only if the document changed since then.', http],
  'if-unmodified-since': ['Only if the document did not change since then.', http],
  'if-range': ['Resume a download only if the document is unchanged.', http],
  range: ['Only a part of the document.', http],
  upgrade: ['Requests a protocol upgrade: a stream for exec and port-forward.', http],
  connection: ['Connection options; `Upgrade` accompanies the Upgrade header.', http],
  'sec-websocket-protocol': [
    'The subprotocols of a WebSocket. A browser can send a bearer token as one of them, because it cannot set other headers.',
    standard(6455, 'WebSockets, section 11.3.4'),
  ],
  'user-agent': [
    'The client program. Writes without a field manager use the part before the first slash.',
  ],
  'impersonate-user': ['Impersonate this user. Requires impersonate permission.', impersonation],
  'impersonate-group': ['Impersonate a member of this group; can be repeated.', impersonation],
  'impersonate-uid': ['The other user’s uid.', impersonation],
  'impersonate-extra-': [
    'Extra information about the other user; the key follows the dash.',
    impersonation,
  ],
  'x-remote-user': ['The user name that an authenticating proxy sets.', proxy],
  'x-remote-uid': ['The UID that an authenticating proxy sets.', proxy],
  'x-remote-group': ['The groups that an authenticating proxy sets.', proxy],
  'x-remote-extra-': ['Extra information from a trusted proxy.', proxy],
  'x-forwarded-for': ['The proxies of the request; recorded in audit events.', PAGES.audit],
  'x-real-ip': ['The client address as set by a proxy; recorded in audit events.', PAGES.audit],
  'x-kubetab-client': [
    'Specific to this page: the user agent, because a page cannot set User-Agent.',
  ],
  'x-kubetab-client-certificate': [
    'Specific to this page: a client certificate, because a page does not control TLS.',
  ],
  'x-kubetab-channels': [
    'Specific to this page: requests the output of exec as one response, because a service worker cannot upgrade a connection.',
  ],
  'x-kubetab-request-id': [
    'Specific to this page: identifies a request, because a browser can send it twice when the service worker was stopped.',
    http,
  ],
  'audit-id': ['The identity of this request: its audit events carry the same.', PAGES.audit],
  warning: [
    'Something to know about a request that passed: a deprecated version, an unknown field, a risky setting.',
    standard(7234, 'HTTP caching, section 5.5'),
  ],
  'retry-after': ['How many seconds to wait before trying again.', http],
  'content-encoding': ['The body is compressed this way.'],
  'content-length': ['How many bytes the body has.', http],
  'content-range': ['Which part of the document this is.', http],
  'transfer-encoding': ['The body is chunked: a stream, for example of a watch.'],
  'cache-control': [
    'Cache directives. Objects are never cached, because they can change at any time.',
    http,
  ],
  etag: ['The tag of this version of the document.', http],
  vary: ['The response depends on these request headers.', http],
  'last-modified': ['When the document changed last.', http],
  expires: ['When the cached response expires: after a year if its URL contains its hash.', http],
  location: ['Where the document is now.', http],
  date: ['When the response was generated.', http],
  'x-content-type-options': ['Browsers must not guess a type other than Content-Type.', http],
  'x-kubernetes-pf-flowschema-uid': [
    'Which FlowSchema the request belonged to.',
    docs('API priority and fairness', 'concepts/cluster-administration/flow-control/'),
  ],
  'x-kubernetes-pf-prioritylevel-uid': [
    'Which priority level the request was served at.',
    docs('API priority and fairness', 'concepts/cluster-administration/flow-control/'),
  ],
})

export const MEDIA = entriesOf('media', {
  'application/json': ['The form that every resource speaks.'],
  'application/yaml': ['The same as JSON, easier to read for people. Taken and given.'],
  'application/vnd.kubernetes.protobuf': [
    'Binary: smaller and quicker to read for programs. Only built-in kinds have it.',
    docs('Protobuf encoding', 'reference/using-api/api-concepts/#protobuf-encoding'),
  ],
  'application/json;as=Table': [
    'Rows and columns, as kubectl prints them: the server decides what is worth a column.',
  ],
  'application/json;as=PartialObjectMetadata': [
    'Only the metadata of each object. The explorer uses it.',
    PAGES.concepts,
  ],
  'application/apply-patch+yaml': [
    'Server-side apply: the body is what the manager wants to be so, and owns from then on.',
    PAGES.apply,
  ],
  'application/json-patch+json': [
    'A list of operations on paths: add, remove, replace, move, copy, test.',
    standard(6902, 'JSON Patch'),
  ],
  'application/merge-patch+json': [
    'A piece of the object that is laid over it; null removes, lists are replaced whole.',
    standard(7386, 'JSON Merge Patch'),
  ],
  'application/strategic-merge-patch+json': [
    'As a merge patch, but lists with keys are merged item by item. Only for built-in kinds.',
  ],
})
