import { docs, entriesOf, PAGES, standard } from '../entry'

export const REASONS = entriesOf('reason', {
  BadRequest: [
    'The request is invalid: a body that does not decode as this kind, a malformed parameter, or, with strict validation, an unknown field. Retrying it unchanged fails again.',
  ],
  Unauthorized: [
    'Not authenticated: no authenticator accepts the credential. Authorization was not evaluated.',
    PAGES.authentication,
  ],
  Forbidden: [
    'Authenticated, but not allowed: no authorizer allowed the request, or admission rejected it (a quota, a limit, a policy). The message states which.',
    PAGES.authorization,
  ],
  NotFound: [
    'No object with that name, no such namespace, or no resource at that path. A misspelled apiVersion causes it too.',
  ],
  MethodNotAllowed: [
    'The path is served, but not for this verb: a read-only resource was written to, or a collection was patched.',
  ],
  NotAcceptable: [
    'None of the forms that the Accept header names can be given for this resource. Custom resources, for example, have no Protobuf form.',
  ],
  AlreadyExists: [
    'A create met an object of the same name. Names are unique within a kind and namespace; apply and update change what is there.',
  ],
  Conflict: [
    'The request conflicts with another write. For an update: the resourceVersion is not the latest. For server-side apply: another manager owns a field with a different value.',
    PAGES.apply,
  ],
  Expired: [
    "The requested resourceVersion was compacted: a watch or continue token is too old. List again, and continue from the list's resourceVersion.",
    PAGES.versions,
  ],
  Gone: [
    'An older form of Expired: the requested item existed and is no longer available.',
    PAGES.versions,
  ],
  RequestEntityTooLarge: [
    'The body, or the result of the patch, exceeds the size limit.',
    standard(9110, 'HTTP semantics'),
  ],
  UnsupportedMediaType: [
    'The Content-Type of the body is none that this request can have: a patch needs one of the patch types, for instance.',
  ],
  Invalid: [
    'The object is well-formed but violates validation rules. Each violation is a cause with its field path.',
  ],
  TooManyRequests: [
    'Too many concurrent requests, or a PodDisruptionBudget that allows no eviction. Retry-After states how long to wait.',
    standard(6585, 'Additional status codes'),
  ],
  InternalError: [
    'A dependency failed, for example a webhook, or the server has an internal error. The request itself can be valid.',
  ],
  NotImplemented: [
    'Not implemented in this simulator.',
    docs('Kubernetes components', 'concepts/overview/components/'),
  ],
  ServiceUnavailable: ['The server or an aggregated API server is not ready. Retry later.'],
  Timeout: [
    'The request exceeded its deadline. A list with a future resourceVersion waits and then fails like this.',
    PAGES.versions,
  ],
  ServerTimeout: ['The server could not complete the request in time; retry.'],
  Unknown: ['The response has no reason, only a message.'],
})

export const CAUSES = entriesOf('cause', {
  FieldValueInvalid: [
    'The value violates a rule: a name with uppercase letters, a negative number, an immutable field.',
  ],
  FieldValueRequired: ['The field has to be there and is not, or is empty.'],
  FieldValueDuplicate: ['A key occurs twice in an associative list.'],
  FieldValueNotFound: ['The field names something that is not there.'],
  FieldValueNotSupported: ['The value is not one of the allowed values. The message lists them.'],
  FieldValueForbidden: [
    'The field cannot be set here: together with another field, in this kind of request, or by this user.',
  ],
  FieldValueTooLong: ['The string is longer than allowed.'],
  FieldValueTooMany: ['The list or map has too many items.'],
  FieldValueTypeInvalid: [
    'The value has the wrong type: a string instead of a number, an object instead of a list.',
  ],
  FieldManagerConflict: [
    'Another manager owns the field with a different value. Leave the field, adopt their value to share it, or force yours.',
    PAGES.apply,
  ],
  ResourceVersionTooLarge: ['The requested resourceVersion is in the future.', PAGES.versions],
  UnexpectedServerResponse: ['The response is not a Status.'],
  NamespaceTerminating: ['The namespace is terminating: no new objects can be created in it.'],
  DisruptionBudget: [
    'A PodDisruptionBudget currently allows no more disruptions of these pods.',
    docs('Disruptions', 'concepts/workloads/pods/disruptions/'),
  ],
})

const http = standard(9110, 'HTTP semantics')

export const CODES = entriesOf('code', {
  200: ['It worked; the body is the object, the list, or a Status.'],
  201: ['It worked, and something new is there.'],
  202: ['It was accepted, and is not finished: a delete that waits for dependents, for example.'],
  204: ['Success without content.', http],
  301: ['The document moved to the URL in Location.', http],
  304: ['What the client has is still current: it sent the tag of what it has along.', http],
  400: ['The request is malformed. See the reason BadRequest.'],
  401: ['Not authenticated. See the reason Unauthorized.'],
  403: ['Authenticated but not allowed. See the reason Forbidden.'],
  404: ['There is nothing at this path. See the reason NotFound.'],
  405: ['Not with this method. See the reason MethodNotAllowed.'],
  406: ['No media type that the client accepts. See the reason NotAcceptable.'],
  409: ['It collides with what is there: AlreadyExists, or Conflict.'],
  410: ['The requested revision was compacted. See the reason Expired.'],
  412: ['A condition in the request’s headers does not hold.', http],
  413: ['The body is too large.', http],
  415: ['The server does not accept this media type here.', http],
  422: ['The object breaks rules of its kind. See the reason Invalid.'],
  429: [
    'Too many requests, or an eviction that a budget forbids for now.',
    standard(6585, 'Additional status codes'),
  ],
  500: ['Something failed on the server’s side.'],
  501: ['This simulator does not do that.', http],
  502: ['An upstream server sent an invalid response.', http],
  503: ['Not ready, or an upstream server is unreachable.', http],
  504: ['It took too long. See the reason Timeout.'],
})
