export const TABS = {
  policy: 'Policy',
  bench: 'CEL playground',
  workbench: 'Policies',
  designer: 'CRDs',
} as const

export const SHARED = {
  loading: 'Loading …',
  waiting: 'Waiting for the server …',
  openInPlayground: 'Open in the CEL playground',
  openInEditor: 'Open in the editor',
  load: 'Load',
  example: 'The example',
  editorFile: 'The file in the editor',
  inCluster: 'In the cluster',
  cost: 'Cost',
  warning: 'warning',
} as const

export const inNamespace = (namespace: string): string => `in ${namespace}`

export const OBJECT_SEARCH = {
  cluster: 'Cluster',
  label: 'Find an object',
  hint: 'Name or kind',
  none: 'No matching objects.',
} as const

export const METER = { of: 'of', unbounded: 'unbounded' } as const

export const PLAYGROUND = {
  expression: 'CEL expression',
  context: 'Context',
  environment: 'CEL environment',
  newExpression: 'New expression',
  storedExpression: 'Stored expression',
} as const

export const CONTEXTS = {
  validation: 'Policy: validation',
  variable: 'Policy: variable',
  message: 'Policy: message',
  auditAnnotation: 'Policy: audit annotation',
  policyCondition: 'Policy: match condition',
  webhookCondition: 'Webhook: match condition',
  rule: 'CRD: validation rule',
  ruleMessage: 'CRD: message of a rule',
} as const

export const LIMITS = {
  expression: 'per expression',
  policy: 'per policy',
  conditions: 'for all match conditions',
  evaluation: 'per evaluation',
  object: 'for all rules of an object',
  rule: 'per rule',
  schema: 'for all rules of the schema',
} as const

export const RESULT = {
  region: 'Result',
  typeCheck: 'Type check:',
  noInput: 'Provide an input value.',
  error: 'error',
  matches: 'matches',
  skipped: 'skipped',
  passes: 'it passes',
  denied: 'denied',
  estimate: 'Estimated cost',
  noLimit: 'Policies have no limit on the estimated cost, because their types have no size bounds.',
  unbounded: 'unbounded',
} as const

export const costRange = (least: string, most: string): string => `${least} – ${most}`

export const estimateOfRule = (once: string, inObject: string): string =>
  `once: ${once}; in one object at most ${inObject}`

export const budgetText = (variables: string | undefined, budget: string, limit: string): string =>
  [variables && `plus ${variables} for variables; `, `the limit ${budget} is ${limit}`].join('')

export const PARTS = {
  tree: 'Sub-expressions',
  part: 'Sub-expression',
  value: 'Value',
  type: 'Type',
  costs: 'Cost by sub-expression',
  notEvaluated: 'not evaluated',
  stopped: 'evaluation stopped',
} as const

export const partText = (part: string, value: string, type: string, cost: number): string =>
  `${part} is ${value}, ${type}, costs ${cost}`

export const costOfPart = (cost: string, own: string | undefined): string =>
  own === undefined ? `costs ${cost}` : `costs ${cost}, ${own} of it itself`

export const INPUTS = {
  region: 'Variables',
  wholeObject: 'The schema describes the whole object',
  wholeObjectAbout: 'Then it has apiVersion, kind, and metadata.',
  occurrences: 'Max occurrences per object',
  any: 'any',
  notMapping: 'not a mapping',
  notVariables: 'not a list of names and expressions',
} as const

export const takeFromCluster = (variable: string): string => `Take ${variable} from the cluster`

export const VARIABLES = {
  object: 'incoming object; empty on DELETE',
  oldObject: 'existing object; empty on CREATE',
  params: "object referenced by the binding's paramRef",
  variables: 'list of names and expressions',
  request: 'overrides the derived request',
  namespaceObject: 'namespace of the object',
  schema: 'schema of the validated value',
  self: 'validated value',
  oldSelf: 'previous value; empty on CREATE',
} as const

export const POLICIES = {
  region: 'Policies',
  tryTitle:
    'Opens the CEL expression at the cursor, with its variables, its parameter, and the first test object',
  copy: 'Copy as one file',
  copyTitle: 'Policies and tests as one file',
  apply: 'Apply',
  label: 'Policies, bindings, and parameters',
  tests: 'Tests',
  testObjects: 'Test objects',
  addObject: 'Add an object from the cluster',
  outcome: 'Outcome',
  show: 'Show',
  existing: 'Existing objects',
} as const

export const TESTS = {
  running: 'Running the tests …',
  none: 'No tests yet: add an object from the cluster, or write a PolicyTest.',
  allowed: 'allowed',
  asExpected: 'as expected',
  failed: 'failed',
  broken: 'invalid',
  cannotRun: 'cannot run',
  stillRunning: 'running …',
} as const

export const deniedWith = (status: number): string => `denied ${status}`

export const passedCount = (count: number): string => `${count} passed`
export const failedCount = (count: number): string => `${count} failed`
export const shownCount = (count: number): string => `${count} without an expectation`

export const FINDINGS = {
  object: 'Object',
  verdict: 'Verdict',
  holds: 'holds',
  fails: 'fails',
  unknown: 'unknown',
  failed: 'evaluation error',
  skipped: 'skipped',
  absent: 'not evaluated',
  none: 'No matching policy.',
  noBinding: 'no binding',
  noAction: 'no action',
  by: 'by',
  with: 'with',
  skippedByCondition: 'skipped by a match condition',
} as const

export const outcomeAndCost = (outcome: string): string => `${outcome}, cost`

export const costOf = (cost: number): string => `cost ${cost.toLocaleString('en')}`

export const auditAnnotation = (key: string, value: string): string =>
  `audit annotation ${key}: ${value}`

export const AUDIT = {
  run: 'Audit existing objects',
  about:
    'Resubmits every matching object, unchanged, as admin, in a copy of the cluster where these policies are active. Nothing is modified, and no webhook is called.',
  region: 'Audit',
  denied: 'denied',
  warned: 'warning',
  notEvaluated: 'not evaluated',
  passes: 'passes',
  pass: 'pass',
  object: 'object',
  noPolicy: 'the text contains no ValidatingAdmissionPolicy',
} as const

export const auditProgress = (done: number, all: number): string => `${done} of ${all} objects …`

export const wouldBeDenied = (count: number): string => `${count} would be denied`

export const withWarnings = (count: number): string =>
  `${count} with ${count === 1 ? 'a warning' : 'warnings'}`

/** @param shown undefined: all of them */
export const auditedCount = (objects: string, checked: number, shown: number | undefined): string =>
  `${objects} of the matched kinds, ${checked} checked${shown === undefined ? '' : `; the first ${shown} are shown`}`

export const DESIGNER = {
  definition: 'Definition',
  create: 'Create',
  label: 'CustomResourceDefinition',
  accepted: 'The server would accept it.',
  incomplete: 'A CRD needs a group, names, and a version with a schema.',
  schema: 'Schema',
  noSchema: 'No schema yet: correct the CRD first.',
} as const

export const SCHEMA = {
  collapse: 'Collapse all',
  expand: 'Expand all',
  version: 'Version',
  field: 'Field',
  type: 'Type and markers',
  root: '(root)',
  required: 'required',
  noEstimate: 'Cannot estimate the cost: the rule does not compile.',
} as const

/** Extensions of a schema (kubernetes.io, "Custom Resources"). */
export const MARKER_TEXTS = {
  preserves: 'preserves unknown fields',
  embedded: 'embedded resource',
} as const

export const listKeyedBy = (keys: string): string => `list keyed by ${keys}`

/** Limits of a value; the limit follows. */
export const BOUND_TEXTS = {
  multipleOf: 'multiple of',
  minLength: 'length ≥',
  maxLength: 'length ≤',
  minItems: 'items ≥',
  maxItems: 'items ≤',
  minProperties: 'properties ≥',
  maxProperties: 'properties ≤',
  pattern: 'matches',
} as const

export const oneOf = (values: readonly string[]): string => `one of ${values.join(', ')}`

export const fieldsInside = (count: number): string => `${count} inside`

export const SAMPLE = {
  region: 'Custom resource',
  title: 'Object',
  editAs: 'Edit as',
  yaml: 'YAML',
  form: 'Form',
  generate: 'Generate sample',
  label: 'Custom resource as YAML',
  invalid: 'Not valid YAML.',
  stored: 'Stored result',
  fixFirst: 'Correct the CRD first.',
  valid: 'Valid.',
  storedLabel: 'Object as stored',
  changes: 'What the server changes',
  pruned: 'pruned',
  default: 'default',
} as const

export const VERDICT = { valid: 'valid', rejected: 'rejected' } as const

export const reasons = (count: number): string =>
  count === 1 ? 'for one reason' : `for ${count} reasons`

export const OBJECT_FORM = {
  unset: 'unset',
  json: 'JSON',
  newKey: 'New key, then Enter',
} as const

export const removeItem = (item: string): string => `Remove ${item}`

export const addTo = (list: string): string => `Add to ${list}`

export const newKeyOf = (map: string): string => `New key of ${map}`
