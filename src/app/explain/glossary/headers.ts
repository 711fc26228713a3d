/** Headers of requests and answers, and the media types that stand in them. */
import { docs, entriesOf, PAGES, spec, standard } from '../entry'

const negotiation = spec(1, 'Wire formats and content negotiation')
const http = standard(9110, 'HTTP semantics')
const impersonation = docs('User impersonation', 'reference/access-authn-authz/authentication/#user-impersonation')
const proxy = docs('Authenticating proxy', 'reference/access-authn-authz/authentication/#authenticating-proxy')

export const HEADERS = entriesOf('header', {
  accept: ['The forms that the client takes, the best first: JSON, YAML, Protobuf, a table, metadata only.', negotiation],
  'accept-encoding': ['Whether the answer may be compressed. Large answers to gzip-speaking clients are.', negotiation],
  authorization: ['The credential: `Bearer` and a token. The page never keeps it in its log.', spec(2, 'Methods'), PAGES.authentication],
  'content-type': ['What the body is. For a patch it decides what the patch means.', negotiation, spec(1, 'Patch content types')],
  'if-match': ['Only if the document still has this tag.', http],
  'if-none-match': ['Only if the document has another tag by now; otherwise 304 and no body. Discovery and OpenAPI use it.', http],
  'if-modified-since': ['Only if the document changed since then.', http],
  'if-unmodified-since': ['Only if the document did not change since then.', http],
  'if-range': ['Take up a broken download only if the document is still the same.', http],
  range: ['Only a part of the document.', http],
  upgrade: ['Asks to make the connection something else: a stream for exec and port-forward.', http],
  connection: ['What becomes of the connection afterwards: `Upgrade` goes with the header of that name.', http],
  'sec-websocket-protocol': [
    'What a WebSocket is to speak. A page in a browser may put its token among the protocols, since it may set no other header there.',
    standard(6455, 'WebSockets, section 11.3.4'),
    spec(2, 'Methods'),
  ],
  'user-agent': ['Which program asks. Writes that name no field manager are owned under its first word.', spec(1, 'Server-side apply')],
  'impersonate-user': ['Act as this user. Needs the right to impersonate; roles are then looked up for the other.', impersonation],
  'impersonate-group': ['Act as a member of this group; may be repeated.', impersonation],
  'impersonate-uid': ['The other user’s uid.', impersonation],
  'impersonate-extra-': ['Extra information about the other user; the key follows the dash.', impersonation],
  'x-remote-user': ['Who a trusted proxy says is asking.', proxy],
  'x-remote-uid': ['The uid of whom a trusted proxy says is asking.', proxy],
  'x-remote-group': ['Groups of whom a trusted proxy says is asking.', proxy],
  'x-remote-extra-': ['Extra information from a trusted proxy.', proxy],
  'x-forwarded-for': ['Through which proxies a request came, as they say; audit events tell it.', PAGES.audit],
  'x-real-ip': ['Where a request came from, as a proxy says; audit events tell it.', PAGES.audit],
  'x-kubetab-client': [
    'This page’s own: names the client, since a page may not set User-Agent. The API takes it as one.',
    spec(1, 'Server-side apply'),
  ],
  'x-kubetab-client-certificate': ['This page’s own: shows a client certificate, since a page has no say in TLS.', spec(2, 'Methods')],
  'x-kubetab-channels': [
    'This page’s own: asks for what a command in a container says as one answer, since a page cannot turn a request into a connection.',
    spec(2, 'Methods'),
  ],
  'x-kubetab-request-id': [
    'This page’s own: a browser may send a request twice when its worker was asleep; by this the second is recognised.',
    http,
  ],
  'audit-id': ['The identity of this request: its audit events carry the same.', PAGES.audit],
  warning: [
    'Something to know about a request that passed: a deprecated version, an unknown field, a risky setting.',
    spec(1, 'Deprecated endpoints'),
    standard(7234, 'HTTP caching, section 5.5'),
  ],
  'retry-after': ['How many seconds to wait before trying again.', spec(1, 'Errors'), http],
  'content-encoding': ['The body is compressed this way.', negotiation],
  'content-length': ['How many bytes the body has.', http],
  'content-range': ['Which part of the document this is.', http],
  'transfer-encoding': ['The body comes in pieces: it is a stream, as of a watch.', spec(1, 'Watching')],
  'cache-control': ['Who may keep the answer. Objects are never kept: they may change at any time.', http],
  etag: ['The tag of this version of the document.', http],
  vary: ['The answer depends on these request headers, so caches keep them apart.', http],
  'last-modified': ['When the document changed last.', http],
  expires: ['Until when the answer may be kept: a year, where its address holds its hash.', http],
  location: ['Where the document is now.', http],
  date: ['When the answer was made.', http],
  'x-content-type-options': ['Browsers are not to guess another type than Content-Type says.', http],
  'x-kubernetes-pf-flowschema-uid': [
    'Which FlowSchema the request belonged to.',
    docs('API priority and fairness', 'concepts/cluster-administration/flow-control/'),
  ],
  'x-kubernetes-pf-prioritylevel-uid': [
    'Which priority level the request was served at.',
    docs('API priority and fairness', 'concepts/cluster-administration/flow-control/'),
  ],
})

const patches = spec(1, 'Patch content types')

export const MEDIA = entriesOf('media', {
  'application/json': ['The form that every resource speaks.', negotiation],
  'application/yaml': ['The same as JSON, easier to read for people. Taken and given.', negotiation],
  'application/vnd.kubernetes.protobuf': [
    'Binary: smaller and quicker to read for programs. Only built-in kinds have it.',
    negotiation,
    docs('Protobuf encoding', 'reference/using-api/api-concepts/#protobuf-encoding'),
  ],
  'application/json;as=Table': [
    'Rows and columns, as kubectl prints them: the server decides what is worth a column.',
    spec(1, 'Table representation'),
    negotiation,
  ],
  'application/json;as=PartialObjectMetadata': ['Only the metadata of each object. This page’s tree is made of it.', PAGES.concepts],
  'application/apply-patch+yaml': [
    'Server-side apply: the body is what the manager wants to be so, and owns from then on.',
    spec(1, 'Server-side apply'),
    PAGES.apply,
  ],
  'application/json-patch+json': [
    'A list of operations on paths: add, remove, replace, move, copy, test.',
    patches,
    standard(6902, 'JSON Patch'),
  ],
  'application/merge-patch+json': [
    'A piece of the object that is laid over it; null removes, lists are replaced whole.',
    patches,
    standard(7386, 'JSON Merge Patch'),
  ],
  'application/strategic-merge-patch+json': [
    'As a merge patch, but lists with keys are merged item by item. Only for built-in kinds.',
    patches,
  ],
})
