export const HISTORY = {
  failed: (reason: string) =>
    `The history could not be read: ${reason}. Reload the page to try again.`,
  loading: 'Loading…',
  none: 'No history for this object.',
  title: 'Revisions, newest first',
  compacted: (revision: number) => `Older revisions were compacted (up to revision ${revision}).`,
  created: 'Created',
  deleted: 'Deleted',
  managedFields: 'managedFields changed',
  more: (fields: string, count: number) => `${fields} and ${count} more`,
  unset: '(unset)',
} as const

export const COMPARISON = {
  fields: 'Fields',
  text: 'YAML',
  title: (revision: number) => `Revision ${revision}`,
  compare: (revision: number) => `Compare ${revision} with`,
  nothing: 'nothing',
  previous: ' (previous)',
  display: 'Display',
  open: (revision: number) => `Open revision ${revision} in the editor`,
  openTitle: 'Open this revision in the editor (apply it to roll back)',
  loading: 'Loading…',
  first: 'No earlier revision to compare.',
  deleted: 'This revision deleted the object.',
  range: (from: number, to: number) => `From ${from} to ${to}`,
} as const

export const CHANGES = {
  none: 'No differences.',
  serverManaged: 'Only server-managed fields changed.',
  rest: (fields: string) => `Server-managed: ${fields}`,
} as const

export const WIRE = {
  json: 'JSON',
  yaml: 'YAML',
  protobuf: 'Protobuf',
  table: 'Table',
  title: 'Wire format',
  encoding: 'Encoding',
  accept: 'Accept',
  contentType: 'Content-Type',
  size: 'Size',
  past: 'In the past, only lists can be read. This list contains just the object.',
  loading: 'Loading…',
  unavailable: 'Not available in this format',
  percent: (value: number) => `, ${value}% of the JSON`,
  failed: (reason: string) => `The request failed: ${reason}. Try again.`,
  wide: 'wide',
  raw: 'Raw',
} as const

export const BYTES = {
  failed: (reason: string) => `The bytes could not be decoded: ${reason}`,
  field: (type: string, from: number, to: number) => `${type}, bytes ${from} to ${to}`,
  unknownName: 'unknown',
  unknownType: 'unknown type',
  moreField: 'more field',
  moreByte: 'more byte',
} as const
