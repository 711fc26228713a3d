/**
 * YAML bodies: the first document of the text in YAML 1.1, turned into JSON the way the real server does it. Keys become
 * strings and are sorted, so strict problems come in the order of the names (recorded: wire-fieldvalidation, "create-yaml").
 */
import {
  type Alias,
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Scalar,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Json, JsonObject } from '../object'
import { goQuote, goValue } from './go-text'
import { JsonSyntaxError, setMember } from './json-parser'
import { type ReadDocument, readJson } from './json-reader'
import { MOST_NESTED } from './nesting'
import { AliasBudget } from './yaml-aliases'
import { goYamlError, scannerError, YamlSyntaxError } from './yaml-errors'
import { indented, lineBeginnings } from './yaml-lines'
import { shallowTokens, tooDeep } from './yaml-nesting'
import { LargeInteger, plainValue } from './yaml-scalars'

export { YamlSyntaxError } from './yaml-errors'

/** How the problem begins that lists the repeated keys of a YAML text, one a line. */
const REPEATED_KEYS = 'unmarshal errors:'

/**
 * Reads a YAML document. Repeated keys become one problem of strict decoding, which `warningsOf` takes apart for warnings.
 * @throws YamlSyntaxError
 */
export function readYaml(text: string): ReadDocument {
  const json = /^\s*\{/.test(text) ? readAsJson(text) : undefined
  if (json !== undefined) return json
  const reader = new YamlReader()
  const value = reader.read(firstDocument(text))
  const duplicates =
    reader.repeated.length === 0 ? [] : [`yaml: ${REPEATED_KEYS}\n${reader.repeated.map((line) => `  ${line}`).join('\n')}`]
  return reader.literals.size === 0
    ? { value, duplicates }
    : { value, duplicates, details: { repeated: new Map(), literals: reader.literals } }
}

/** The texts of the warnings that problems of strict decoding give: repeated YAML keys one by one, all others as they are. */
export function warningsOf(problems: string[]): string[] {
  return problems.flatMap((problem) =>
    problem.startsWith(`yaml: ${REPEATED_KEYS}`)
      ? problem
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
      : [problem],
  )
}

/** JSON is YAML, and read much faster as what it is; unless something is peculiar about it. */
function readAsJson(text: string): ReadDocument | undefined {
  try {
    const document = readJson(text)
    return document.details === undefined ? { value: withSortedKeys(document.value), duplicates: [] } : undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

/** @param value nobody else's: it is changed in place, and only what is out of order is laid out anew, since most is in order */
function withSortedKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = withSortedKeys(value[i] as Json)
    return value
  }
  let inOrder = true
  let last = ''
  for (const key in value) {
    const member = value[key] as Json
    const sorted = withSortedKeys(member)
    if (sorted !== member) setMember(value, key, sorted)
    if (key < last) inOrder = false
    last = key
  }
  if (inOrder) return value
  const sorted: JsonObject = {}
  for (const key of Object.keys(value).sort()) setMember(sorted, key, value[key] as Json)
  return sorted
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that YAML does not allow
const CONTROL_CHARACTERS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/

interface ReadText {
  document: Document.Parsed
  /** What it was composed of: the text, its lines moved to the right where the parser needs that. */
  text: string
}

/** The composed first document; what follows it is not even looked at. */
function firstDocument(text: string, moves = true): ReadText {
  if (CONTROL_CHARACTERS.test(text)) throw new YamlSyntaxError('control characters are not allowed')
  const tab = text.includes('\t') ? lineBeginnings(text).tab : undefined
  const document = compose(text)
  const end = endOfRoot(document, text)
  const problem = problemOf(document, end)
  const isRead = (position: number) => !document.errors.some(({ pos }) => pos[0] >= end && pos[0] < position)
  if (tab !== undefined && (problem === undefined || problem.pos[0] >= tab.position) && isRead(tab.position))
    throw new YamlSyntaxError(scannerError(text, tab.message, tab.position))
  if (problem === undefined) return { document, text }
  const moved = moves ? indented(text) : text
  if (moved !== text) return firstDocument(moved, false)
  throw new YamlSyntaxError(goYamlError(text, { code: problem.code, message: problem.message, position: problem.pos[0] }))
}

function problemOf(document: Document.Parsed, end: number): YAMLError | undefined {
  const isBehind = ({ code, pos }: YAMLError) => code === 'UNEXPECTED_TOKEN' && pos[0] >= end
  return document.errors.find((error) => !isBehind(error)) ?? document.warnings.find(({ code }) => code === 'BAD_DIRECTIVE')
}

function compose(text: string): Document.Parsed {
  const composer = new Composer({ version: '1.1', schema: 'failsafe', uniqueKeys: false, merge: false })
  return withoutStacks(() => {
    for (const document of composer.compose(shallowTokens(text), true, text.length)) return document
    throw new YamlSyntaxError('did not find expected <stream-start>')
  })
}

/**
 * The parser makes an error of every mistake, a million of a body full of commas, and only the first is told. With each of them V8
 * would note where it was made, which takes four fifths of the time.
 */
function withoutStacks<Result>(work: () => Result): Result {
  const errors = Error as { stackTraceLimit?: number }
  const { stackTraceLimit } = errors
  errors.stackTraceLimit = 0
  try {
    return work()
  } finally {
    if (stackTraceLimit === undefined) delete errors.stackTraceLimit
    else errors.stackTraceLimit = stackTraceLimit
  }
}

/**
 * From where on nothing is read: behind a root that ends by itself (`{…}`, `"…"`, `text`), and from a line on that stands further
 * left than what it follows. Of that no more than the next token is looked at.
 */
function endOfRoot({ contents, errors }: Document.Parsed, text: string): number {
  if (contents === null || isAlias(contents)) return Number.POSITIVE_INFINITY
  const [begin, end] = contents.range
  if (begin === end) return Number.POSITIVE_INFINITY
  if (isScalar(contents) || contents.flow === true) return end
  // Only the first is asked where it stands: a text may have a million mistakes in one line.
  const next = errors.find(({ pos }) => pos[0] >= end)?.pos[0]
  return next !== undefined && columnAt(text, next) < columnAt(text, begin) ? next : Number.POSITIVE_INFINITY
}

const columnAt = (text: string, position: number): number => position - text.lastIndexOf('\n', position - 1) - 1

/** Keys of YAML maps have no type yet. */
const ANY_KEY = 'interface {}'

const STRING_TAG = 'tag:yaml.org,2002:str'
const BINARY_TAG = 'tag:yaml.org,2002:binary'

class YamlReader {
  /** `line 3: key "kind" already set in map` */
  readonly repeated: string[] = []
  readonly literals = new Map<JsonObject | Json[], Map<string | number, string>>()
  private readonly anchors = new Map<string, Node>()
  private readonly open = new Set<Node>()
  private readonly aliasing = new AliasBudget()
  private text = ''
  private depth = 0
  private readonly lines = new LineCounter()

  read({ document, text }: ReadText): Json {
    this.text = text
    const value = this.value(document.contents)
    return value instanceof LargeInteger ? Number(value.value) : value
  }

  private value(node: Node | null): Json | LargeInteger {
    this.aliasing.countNode()
    if (node === null) return null
    if (isAlias(node)) return this.alias(node)
    if (node.anchor !== undefined) this.anchors.set(node.anchor, node)
    if (isScalar(node)) return this.scalar(node)
    // Aliases put together what is shallow by itself.
    if (++this.depth > MOST_NESTED) throw tooDeep(MOST_NESTED)
    this.open.add(node)
    const value = isMap(node) ? this.map(node) : isSeq(node) ? this.list(node) : null
    this.open.delete(node)
    this.depth--
    return value
  }

  private scalar(node: Scalar): Json | LargeInteger {
    const text = this.textOf(node)
    const plain = node.type === Scalar.PLAIN || node.type === undefined
    if (node.tag === BINARY_TAG) return decodeBinary(text)
    if (node.tag === undefined ? !plain : !CORE_TAGS.has(node.tag) || node.tag === STRING_TAG) return text
    const value = plainValue(text)
    if (typeof value === 'number' && !Number.isFinite(value)) throw new UnsupportedNumber(value)
    return value
  }

  /** Where the text ends in the last line of a block, the block does not end in a line break (recorded). */
  private textOf({ value, source, type, range }: Scalar): string {
    const text = typeof value === 'string' ? value : (source ?? '')
    if (type !== Scalar.BLOCK_LITERAL && type !== Scalar.BLOCK_FOLDED) return text
    const isLast = range?.[1] === this.text.length && /\S/.test(this.text.slice(this.text.lastIndexOf('\n') + 1))
    return isLast && text.endsWith('\n') ? text.slice(0, -1) : text
  }

  private alias(node: Alias): Json | LargeInteger {
    const target = this.targetOf(node)
    this.aliasing.enterAlias()
    const value = this.value(target)
    this.aliasing.leaveAlias()
    return value
  }

  private targetOf(node: Alias): Node {
    const target = this.anchors.get(node.source)
    if (target === undefined) throw new YamlSyntaxError(`unknown anchor '${node.source}' referenced`)
    if (this.open.has(target)) throw new YamlSyntaxError(`anchor '${node.source}' value contains itself`)
    return target
  }

  private list(node: YAMLSeq): Json[] {
    const list: Json[] = []
    for (const item of node.items) this.put(list, list.length, this.value(item as Node | null))
    return list
  }

  private map(node: YAMLMap): JsonObject {
    const members: JsonObject = {}
    const large = new Map<string, LargeInteger>()
    this.fill(node, (key, value) => {
      large.delete(key)
      if (value instanceof LargeInteger) large.set(key, value)
      setMember(members, key, value instanceof LargeInteger ? Number(value.value) : value)
    })
    const sorted: JsonObject = {}
    for (const key of Object.keys(members).sort()) this.put(sorted, key, large.get(key) ?? (members[key] as Json))
    return sorted
  }

  /** Hands on the members in the order in which they take effect: merged maps where their `<<` stands. */
  private fill(node: YAMLMap, add: (key: string, value: Json | LargeInteger) => void): void {
    const seen = new Set<string>()
    for (const pair of node.items) {
      const keyNode = pair.key as Node | null
      const valueNode = pair.value as Node | null
      if (isMergeKey(keyNode)) {
        this.merge(valueNode, (key, value) => {
          seen.add(key)
          add(key, value)
        })
        continue
      }
      const key = this.key(keyNode, valueNode)
      const value = this.value(valueNode)
      if (seen.has(key.text)) this.repeated.push(`line ${this.lineOf(valueNode ?? keyNode)}: key ${key.shown} already set in map`)
      seen.add(key.text)
      add(key.text, value)
    }
  }

  /** `<<: *base` or `<<: [*first, *second]`, the first of a list counting most. */
  private merge(node: Node | null, add: (key: string, value: Json | LargeInteger) => void): void {
    if (isAlias(node)) {
      const target = this.targetOf(node)
      if (!isMap(target)) throw new YamlSyntaxError(NO_MAP_TO_MERGE)
      this.aliasing.enterAlias()
      this.merge(target, add)
      this.aliasing.leaveAlias()
      return
    }
    if (isMap(node)) {
      this.aliasing.countNode()
      if (++this.depth > MOST_NESTED) throw tooDeep(MOST_NESTED)
      this.open.add(node)
      this.fill(node, add)
      this.open.delete(node)
      this.depth--
      return
    }
    if (!isSeq(node) || !node.items.every((item) => isMap(item) || (isAlias(item) && isMap(this.anchors.get(item.source))))) {
      throw new YamlSyntaxError(NO_MAP_TO_MERGE)
    }
    for (const item of node.items.toReversed()) this.merge(item as Node, add)
  }

  /** A key as text, and as messages show it. */
  private key(node: Node | null, valueNode: Node | null): { text: string; shown: string } {
    const key = this.value(node)
    if (key instanceof LargeInteger) return { text: String(key.value), shown: String(key.value) }
    if (typeof key === 'object' && key !== null) throw new YamlSyntaxError(`invalid map key: ${goValue(key, ANY_KEY)}`)
    if (key === null) {
      throw new UnsupportedKey(
        `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goValue(jsonOf(this.value(valueNode)), ANY_KEY)}`,
      )
    }
    return { text: String(key), shown: typeof key === 'string' ? goQuote(key) : String(key) }
  }

  private put(holder: JsonObject | Json[], place: string | number, value: Json | LargeInteger): void {
    if (value instanceof LargeInteger) this.literals.set(holder, (this.literals.get(holder) ?? new Map()).set(place, String(value.value)))
    const json = jsonOf(value)
    if (Array.isArray(holder)) holder.push(json)
    else setMember(holder, String(place), json)
  }

  private lineOf(node: Node | null): number {
    if (this.lines.lineStarts.length === 0) {
      for (let at = 0; at >= 0; at = this.text.indexOf('\n', at) + 1 || -1) this.lines.addNewLine(at)
    }
    return this.lines.linePos(node?.range?.[0] ?? 0).line
  }
}

const NO_MAP_TO_MERGE = 'map merge requires map or sequence of maps as the value'

const CORE_TAGS = new Set(['str', 'int', 'float', 'bool', 'null', 'timestamp'].map((name) => `tag:yaml.org,2002:${name}`))

/** The value is YAML but cannot become JSON; the message has no `yaml:` in front. */
class UnsupportedNumber extends YamlSyntaxError {
  constructor(value: number) {
    super('')
    this.message = `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`
  }
}

class UnsupportedKey extends YamlSyntaxError {
  constructor(message: string) {
    super('')
    this.message = message
  }
}

function jsonOf(value: Json | LargeInteger): Json {
  return value instanceof LargeInteger ? Number(value.value) : value
}

function isMergeKey(node: Node | null): boolean {
  return isScalar(node) && node.value === '<<' && node.type === Scalar.PLAIN
}

function decodeBinary(text: string): string {
  try {
    return atob(text.replace(/\s/g, ''))
  } catch {
    throw new YamlSyntaxError('!!binary value contains invalid base64 data')
  }
}
