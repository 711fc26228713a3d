/**
 * Rewrites what a server chooses freely (uids, versions, times, generated names) into placeholders numbered in order of first
 * appearance: two responses compare equal exactly when their values are equal and different in the same places.
 */

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g
const TIME_MEMBERS = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastProbeTime',
  'startTime',
  'completionTime',
  'lastHeartbeatTime',
  'eventTime',
  'firstTimestamp',
  'lastTimestamp',
  'expirationTimestamp',
  'lastScheduleTime',
  'renewTime',
  'acquireTime',
  'startedAt',
  'finishedAt',
])
/** Labels whose value is a hash of the server's own making; two servers need not agree on it. */
const GENERATED_LABELS = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'controller.kubernetes.io/hash',
])
const AGE_COLUMNS = new Set(['Age', 'Last Seen', 'First Seen'])
const MASKED_MEMBERS = [
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
  'token',
  'caBundle',
]

/** Patterns of revisions, random suffixes and memory addresses, with their placeholders. */
const VOLATILE_TEXTS: [RegExp, string][] = [
  [/(Too large resource version: \d+, current: )\d+/, '$1<n>'],
  [/(too old resource version: \d+ \()\d+\)/, '$1<n>)'],
  [/(ResourceVersion in precondition: )\d+(, ResourceVersion in object meta: )\d+/, '$1<rv>$2<rv>'],
  [/(resourceVersion=)"\d+"/g, '$1"<rv>"'],
  [/(resourceVersion: )"\d+"/g, '$1"<rv>"'],
  [/(resourceVersion\\*":\s*\\*")\d+/g, '$1<rv>'],
  [/(in record \()\d+\)/g, '$1<rv>)'],
  [/\(0x[0-9a-f]{6,}\)/g, '(<pointer>)'],
  [/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<r>'],
  [/(in the precondition \()\d+\)/g, '$1<rv>)'],
  [/\u00a0/g, ' '],
]

type Members = Record<string, unknown>
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export class Normalizer {
  private readonly masked: Set<string>
  /** Kind and value, joined by NUL, to placeholder. */
  private readonly aliases = new Map<string, string>()
  private readonly counts: Record<string, number> = {}
  /**
   * Generated names and their placeholders, longest first, so that no name matches a part of
   * another.
   */
  private names: [name: string, placeholder: string][] = []
  /** A watch as table sends its columns only with the first event. */
  private columns: { name: string }[] = []

  /** @param mask further members whose values are not compared */
  constructor(mask: string[] = []) {
    this.masked = new Set([...MASKED_MEMBERS, ...mask])
  }

  private alias(kind: 'uid' | 'rv' | 'name', value: string): string {
    const key = `${kind}\0${value}`
    const known = this.aliases.get(key)
    if (known !== undefined) return known
    this.counts[kind] = (this.counts[kind] ?? 0) + 1
    const placeholder = `<${kind}:${this.counts[kind]}>`
    this.aliases.set(key, placeholder)
    if (kind === 'name' && value.length > 5) {
      this.names = [...this.names, [value, placeholder] as [string, string]].sort(
        (a, b) => b[0].length - a[0].length,
      )
    }
    return placeholder
  }

  text(text: string): string {
    let result = text.replace(UID, (uid) => this.alias('uid', uid)).replace(TIME, '<time>')
    for (const [name, placeholder] of this.names)
      if (result.includes(name)) result = result.split(name).join(placeholder)
    for (const [pattern, replacement] of VOLATILE_TEXTS)
      result = result.replace(pattern, replacement)
    return result
  }

  /** Registers generated names and hashes of a response before it is rewritten. */
  scan(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.scan(item)
    if (!isMembers(value)) return
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'string' && GENERATED_LABELS.has(key) && member.length > 5)
        this.alias('name', member.slice(member.lastIndexOf('-') + 1))
      else if (key === 'name' && isGeneratedName(value)) this.alias('name', member as string)
      else this.scan(member)
    }
  }

  value(value: unknown, key = ''): unknown {
    if (Array.isArray(value))
      return this.masked.has(key) ? '<masked>' : value.map((item) => this.value(item, key))
    if (isMembers(value)) return this.members(value)
    if (value === null || value === undefined || value === '') return value
    if (this.masked.has(key)) return '<masked>'
    if (typeof value !== 'string') return value
    if (key === 'resourceVersion') return value === '0' ? value : this.alias('rv', value)
    if (key === 'uid' && value.match(UID)) return this.alias('uid', value)
    if (TIME_MEMBERS.has(key) && value.match(TIME)) return '<time>'
    return this.text(value)
  }

  private members(given: Members): Members {
    let from = given
    if (from.kind === 'Table' && Array.isArray(from.rows)) from = this.withoutAges(from)
    if (Array.isArray(from.managedFields))
      from = { ...from, managedFields: inEntryOrder(from.managedFields) }
    const isList =
      typeof from.kind === 'string' &&
      (from.kind.endsWith('List') || from.kind === 'Table') &&
      ('items' in from || 'rows' in from)
    if (isGeneratedName(from)) this.alias('name', from.name as string)
    const into: Members = {}
    for (const [key, member] of Object.entries(from)) {
      if (isList && key === 'metadata' && member && typeof member === 'object')
        into[key] = listMetadata(member)
      else
        into[key.length > 36 ? key.replace(UID, (uid) => this.alias('uid', uid)) : key] =
          this.value(member, key)
    }
    return into
  }

  /** Ages in the cells of a table depend on the time of the request. */
  private withoutAges(table: Members): Members {
    this.columns = (table.columnDefinitions as { name: string }[] | undefined) ?? this.columns
    const isAge = this.columns.map((column) => AGE_COLUMNS.has(column.name))
    const rows = (table.rows as { cells?: unknown[] }[]).map((row) => ({
      ...row,
      cells: row.cells?.map((cell, i) =>
        isAge[i] && /^\d+[smhdy]/.test(String(cell)) ? '<age>' : cell,
      ),
    }))
    return { ...table, rows }
  }
}

function isGeneratedName(metadata: Members): boolean {
  const { name, generateName } = metadata
  return (
    typeof generateName === 'string' &&
    generateName !== '' &&
    typeof name === 'string' &&
    name.startsWith(generateName)
  )
}

function listMetadata(from: object): Members {
  const metadata: Members = { ...from }
  if (metadata.resourceVersion) metadata.resourceVersion = '<listRV>'
  if (metadata.continue) metadata.continue = '<continue>'
  if (metadata.selfLink === '') delete metadata.selfLink
  return metadata
}

/** Entries written within one second may come in either order: compared as a set. */
function inEntryOrder(entries: unknown[]): unknown[] {
  const keyOf = (entry: unknown) => {
    const { operation, manager, apiVersion, subresource } = (entry ?? {}) as Members
    return JSON.stringify([operation, manager, apiVersion, subresource])
  }
  return [...entries].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}
