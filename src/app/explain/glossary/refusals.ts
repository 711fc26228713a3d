/** Why requests are refused: reasons of a Status, causes of single fields, and the codes of answers. */
import { docs, entriesOf, PAGES, spec, standard } from '../entry'

const errors = spec(1, 'Errors')
const fields = spec(1, 'Field validation rules')

export const REASONS = entriesOf('reason', {
  BadRequest: [
    'The server could not make sense of the request itself: a body that is no object of this kind, a parameter of the wrong form, or, with strict validation, a field that nobody knows. Sending the same again fails again.',
    errors,
    fields,
  ],
  Unauthorized: [
    'Nobody could be recognised: there is a credential, and no authenticator accepts it. It is about who you are; what you may do was not even asked.',
    errors,
    spec(2, 'General rules'),
    PAGES.authentication,
  ],
  Forbidden: [
    'The server knows who asks and does not let them: no authorizer allowed it, or admission refused what the request would do (a quota, a limit, a policy). The message says which.',
    errors,
    spec(2, 'Authorization'),
    PAGES.authorization,
  ],
  NotFound: [
    'There is no object of that name, no such namespace, or no resource served at that path. A misspelt apiVersion answers with this too.',
    errors,
    spec(1, 'Path shapes'),
  ],
  MethodNotAllowed: [
    'The path is served, but not for this verb: a read-only resource was written to, or a collection was patched.',
    spec(1, 'Verbs'),
  ],
  NotAcceptable: [
    'None of the forms that the Accept header names can be given for this resource. Custom resources, for example, have no Protobuf form.',
    spec(1, 'Wire formats and content negotiation'),
  ],
  AlreadyExists: [
    'A create met an object of the same name. Names are unique within a kind and namespace; apply and update change what is there.',
    spec(1, 'Object names'),
    spec(1, 'Verbs'),
  ],
  Conflict: [
    'Somebody else was there first. For an update: the object has another resourceVersion than the one you read. For server-side apply: a field is owned by another manager, with another value.',
    spec(1, 'Update of an existing object'),
    spec(1, 'Field ownership'),
    PAGES.apply,
  ],
  Expired: [
    'The history that the request needs is forgotten: a watch or a page of a list asks for a version that was compacted away. List again, and go on from the version of that list.',
    spec(1, 'Watching'),
    spec(1, 'Chunked lists'),
    PAGES.versions,
  ],
  Gone: ['As Expired, in an older spelling: what was asked for existed once and is not kept any more.', errors, PAGES.versions],
  RequestEntityTooLarge: [
    'The body is larger than the server takes; or a patch, written out, would make more than it takes.',
    errors,
    standard(9110, 'HTTP semantics'),
  ],
  UnsupportedMediaType: [
    'The Content-Type of the body is none that this request can have: a patch needs one of the patch types, for instance.',
    spec(1, 'Patch content types'),
  ],
  Invalid: [
    'The body could be read, and what it says breaks rules of the kind. Each broken rule is a cause with the path of its field.',
    fields,
    errors,
  ],
  TooManyRequests: [
    'The server asks for patience: too many requests at once, or a disruption budget that lets no more pods go. Retry-After says how long to wait.',
    errors,
    standard(6585, 'Additional status codes'),
  ],
  InternalError: [
    'Something that the server relied on failed: a webhook that could not be called, or a fault of the server. The request itself may be fine.',
    errors,
  ],
  NotImplemented: [
    'This simulator does not do that, and says so instead of pretending.',
    docs('Kubernetes components', 'concepts/overview/components/'),
  ],
  ServiceUnavailable: [
    'The server, or the one that it passes the request to, is not ready. The same request may pass in a moment.',
    errors,
  ],
  Timeout: [
    'The request took longer than it may. A list that asks for a resourceVersion from the future waits for it a while, and then ends like this.',
    errors,
    PAGES.versions,
  ],
  ServerTimeout: ['The server could not finish in time and can be asked again.', errors],
  Unknown: ['The answer carries no reason of its own: its message is all there is.', errors],
})

export const CAUSES = entriesOf('cause', {
  FieldValueInvalid: [
    'The value has the right type and breaks a rule: a name with capitals, a number below zero, a field that must not change.',
    fields,
  ],
  FieldValueRequired: ['The field has to be there and is not, or is empty.', fields],
  FieldValueDuplicate: ['The same key occurs twice in a list whose items are told apart by it.', fields],
  FieldValueNotFound: ['The field names something that is not there.', fields],
  FieldValueNotSupported: ['The field takes only certain values, and this is none of them. The message lists those it takes.', fields],
  FieldValueForbidden: ['The field may not be set here: together with another one, for this kind of request, or by this person.', fields],
  FieldValueTooLong: ['The text is longer than the field takes.', fields],
  FieldValueTooMany: ['The list or map has more items than the field takes.', fields],
  FieldValueTypeInvalid: [
    'The value is of another type than the field: a text where a number belongs, an object where a list does.',
    fields,
  ],
  FieldManagerConflict: [
    'Another manager owns the field with another value. Ways out: leave the field to them, take their value and share it, or force yours.',
    spec(1, 'Field ownership'),
    spec(1, 'Server-side apply'),
    PAGES.apply,
  ],
  ResourceVersionTooLarge: ['A version was asked for that the server has not come to yet.', errors, PAGES.versions],
  UnexpectedServerResponse: ['The server answered with something that is no Status.', errors],
  NamespaceTerminating: ['The namespace is being deleted: nothing new is made in it.', spec(1, 'Deletion lifecycle of an object')],
  DisruptionBudget: [
    'A PodDisruptionBudget lets no more of these pods go for now: so many of them have to stay.',
    docs('Disruptions', 'concepts/workloads/pods/disruptions/'),
  ],
})

const http = standard(9110, 'HTTP semantics')

export const CODES = entriesOf('code', {
  200: ['It worked; the body is the object, the list, or a Status.', errors],
  201: ['It worked, and something new is there.', errors],
  202: [
    'It was accepted, and is not finished: a delete that waits for dependents, for example.',
    errors,
    spec(1, 'Deletion lifecycle of an object'),
  ],
  204: ['It worked, and there is nothing to say.', http],
  301: ['The document moved to another address, told in Location.', http],
  304: ['What the client has is still current: it sent the tag of what it has along.', http],
  400: ['The request is malformed. See the reason BadRequest.', errors],
  401: ['The server does not know who asks. See the reason Unauthorized.', errors],
  403: ['The server knows who asks, and does not let them. See the reason Forbidden.', errors],
  404: ['There is nothing at this path. See the reason NotFound.', errors],
  405: ['Not with this method. See the reason MethodNotAllowed.', spec(1, 'Verbs')],
  406: ['Not in a form that the client takes. See the reason NotAcceptable.', errors],
  409: ['It collides with what is there: AlreadyExists, or Conflict.', errors],
  410: ['What was asked for is forgotten. See the reason Expired.', errors],
  412: ['A condition in the request’s headers does not hold.', http],
  413: ['The body is too large.', http],
  415: ['The server does not take bodies of this type here.', http],
  422: ['The object breaks rules of its kind. See the reason Invalid.', errors],
  429: ['Too many requests, or an eviction that a budget forbids for now.', standard(6585, 'Additional status codes')],
  500: ['Something failed on the server’s side.', errors],
  501: ['This simulator does not do that.', http],
  502: ['A server that the request was passed to did not answer properly.', http],
  503: ['Not ready, or a server behind this one cannot be reached.', http],
  504: ['It took too long. See the reason Timeout.', errors],
})
