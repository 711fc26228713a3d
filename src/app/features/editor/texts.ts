export const EDITOR = {
  label: (leave: string) => `Manifest or script. ${leave}`,
  explain: 'Explain this field',
  schema: 'schema',
  before: 'Earlier revision',
  after: 'Later revision',
  leaveHint: 'Press Escape twice to leave the editor.',
  escapeAgain: 'Press Escape again to leave the editor',
} as const

export const CHECKS = {
  apiVersion: 'apiVersion is required: the API group and version of the object',
  kind: 'kind is required',
  notServed: (kind: string, apiVersion: string) =>
    `${kind} in ${apiVersion} is not served: check the spelling of kind and apiVersion`,
  metadata: 'metadata is missing: the object needs a name',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  base64: 'a base64 string',
  time: 'a time',
  mustBe: (path: string, what: string) => `${path} must be ${what}`,
  document: 'the document',
  scalar: 'a single value',
  list: 'a list',
  mapping: 'a mapping',
  unknownField: (path: string, suggestion: string) => `unknown field ${path}${suggestion}`,
  quote: (what: string) => `${what}: quote it`,
  didYouMean: (name: string) => `: did you mean "${name}"?`,
} as const

/** Completion and hover. */
export const FIELDS = {
  anyValue: 'any value',
  required: ' · required',
  default: (value: string) => `Default: \`${value}\``,
  oneOf: (values: string) => `One of ${values}`,
  keyedBy: (keys: string) => `Keyed by \`${keys}\``,
  set: 'A set: each value occurs once',
  atomic: 'Atomic',
} as const
