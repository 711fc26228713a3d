export const RUN = {
  line: (number: number) => `line ${number}`,
  yamlFirst: 'Fix the YAML first.',
  thisManifest: 'this manifest',
  empty: 'is empty: there is nothing to send',
  emptyAdvice: 'Write or paste a manifest, or open a sample.',
  documentGone: 'the document no longer exists',
  past: (reason: string) => `was not sent: ${reason}`,
  dryRun: (outcome: string) => `${outcome} (dry run)`,
  failed: (reason: string) => `could not be sent: ${reason}`,
  failedAdvice: 'Reload if this persists.',
  document: (line: number) => `the document at line ${line}`,
  noKind: 'apiVersion and kind are required',
  noKindAdvice: 'Add both, for example “apiVersion: v1” and “kind: ConfigMap”.',
  unknownKind: 'is not a known kind (no matches for kind … in version …)',
  yet: (message: string) => `${message} yet`,
  notServedYet: (announcedBy: string, reason: string) => `${announcedBy}: ${reason}.`,
  servedIn: (kind: string, apiVersion: string) => `${kind} is served in apiVersion: ${apiVersion}.`,
  spelling: 'Check the spelling of kind and apiVersion.',
  dryRunDefinition:
    'A dry run does not store the CustomResourceDefinition in this file: apply it first.',
  definitionLater:
    'Its CustomResourceDefinition is later in this file: apply again, or move it up.',
  definitionInvalid: 'Its CustomResourceDefinition in this file is not stored: fix it first.',
  noName: 'has no metadata.name',
  noNameAdvice: 'Add metadata.name (generateName works with Create only).',
  wrongName: (value: string) => `has ${value} as metadata.name: it must be a string`,
} as const

/** Mistakes in YAML. */
export const YAML = {
  tooDeep: (levels: number) => `objects and lists nest deeper than ${levels} levels`,
  duplicateKey: 'duplicate key',
  notObject: 'not a Kubernetes object: expected apiVersion, kind and metadata',
  nestedMapping:
    "Nested mapping not allowed here: fix the indentation of the next line, or quote a value that contains ': '",
  missingColon: "missing ': ' after the key: “key: value”",
  tab: "tabs aren't allowed for indentation; use spaces",
  alias: 'quote values that start with * (an alias otherwise)',
  otherSpace: 'non-breaking space in indentation; use regular spaces',
  markdown: '``` is Markdown: remove these lines',
  template: 'template placeholder (Helm?): replace it with a value, or render the chart first',
  command: 'shell command; remove it and the closing EOF',
  diff: 'this is a diff: paste one of the files',
  comment: '// is not a YAML comment; use # where the manifest is YAML',
  unclosed: (mark: string, closing: string) =>
    `this ${mark} is never closed: a ${closing} is missing`,
} as const
