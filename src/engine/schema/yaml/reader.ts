/**
 * Converts the first YAML document to JSON as sigs.k8s.io/yaml does. Keys become strings and are
 * sorted, so strict problems are sorted too (recording `wire-fieldvalidation`).
 */
import { type Json, type JsonObject, setMember } from '../../core/object'
import { formatFloat } from '../go-number'
import { goQuote, goValue } from '../go-text'
import { JsonSyntaxError } from '../json-parser'
import { type ReadDocument, readJson } from '../json-reader'
import { MOST_NESTED } from '../nesting'
import { AliasBudget } from './alias-budget'
import { tooDeep, YamlSyntaxError } from './errors'
import { LARGEST_SIGNED, LargeInteger, plainValue, taggedValue, typeOf } from './meaning'
import type { AliasNode, ListNode, MapNode, ScalarNode, YamlNode } from './nodes'
import { parseYaml } from './parser'

export { YamlSyntaxError } from './errors'

const REPEATED_KEYS = 'unmarshal errors:'

/** Reports repeated keys as one problem, see `warningsOf`. @throws YamlSyntaxError */
export function readYaml(text: string): ReadDocument {
  const json = looksLikeJson(text) ? readAsJson(text) : undefined
  if (json !== undefined) return json
  const reader = new YamlReader()
  const value = reader.read(text)
  const duplicates =
    reader.repeated.length === 0
      ? []
      : [`yaml: ${REPEATED_KEYS}\n${reader.repeated.map((line) => `  ${line}`).join('\n')}`]
  return reader.literals.size === 0
    ? { value, duplicates }
    : { value, duplicates, details: { repeated: new Map(), literals: reader.literals } }
}

/** JSON has more escapes than YAML 1.1. */
const NO_ESCAPE_OF_YAML = /\\(?:\/|u[dD][89a-fA-F])/

/** YAML permits tabs only inside flow collections. */
function looksLikeJson(text: string): boolean {
  return (
    /^[ \r\n]*\{/.test(text) &&
    !text.includes('\t', text.lastIndexOf('}')) &&
    !NO_ESCAPE_OF_YAML.test(text)
  )
}

/** Splits the problem of repeated YAML keys. */
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

/** JSON is YAML, but parses much faster. */
function readAsJson(text: string): ReadDocument | undefined {
  try {
    const document = readJson(text)
    return document.details === undefined
      ? { value: withSortedKeys(document.value), duplicates: [] }
      : undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

/** @param value changed in place; rebuilds only unsorted objects */
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

/** YAML 1.1, section 5.1. */
const NOT_ALLOWED = /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd]/

/** Keys are not strings yet. */
const ANY_KEY = 'interface {}'

const BINARY_TAG = 'tag:yaml.org,2002:binary'

class YamlReader {
  /** `line 3: key "kind" already set in map` */
  readonly repeated: string[] = []
  readonly literals = new Map<JsonObject | Json[], Map<string | number, string>>()
  private unsupportedKey: UnsupportedKey | undefined
  private readonly open = new Set<YamlNode>()
  private readonly aliasing = new AliasBudget()
  private depth = 0

  read(text: string): Json {
    if (NOT_ALLOWED.test(text)) throw new YamlSyntaxError('control characters are not allowed')
    const root = parseYaml(text)
    const value = root === undefined ? null : jsonOf(this.value(root))
    if (this.unsupportedKey !== undefined) throw this.unsupportedKey
    return value
  }

  private value(node: YamlNode): Json | LargeInteger {
    this.aliasing.countNode()
    switch (node.kind) {
      case 'alias':
        return this.alias(node)
      case 'scalar':
        return scalarValue(node)
      case 'list':
        return this.list(node)
      case 'map':
        return this.map(node)
    }
  }

  /** Aliases can combine shallow parts. @throws YamlSyntaxError for excessive depth */
  private enter(node: YamlNode): void {
    if (++this.depth > MOST_NESTED) throw tooDeep(MOST_NESTED)
    this.open.add(node)
  }

  private leave(node: YamlNode): void {
    this.open.delete(node)
    this.depth--
  }

  private alias(node: AliasNode): Json | LargeInteger {
    const target = this.enterAlias(node)
    const value = this.value(target)
    this.aliasing.leaveAlias()
    return value
  }

  private enterAlias({ name, target }: AliasNode): YamlNode {
    if (this.open.has(target)) throw new YamlSyntaxError(`anchor '${name}' value contains itself`)
    this.aliasing.enterAlias()
    return target
  }

  private list(node: ListNode): Json[] {
    const list: Json[] = []
    this.enter(node)
    for (const item of node.items) this.put(list, list.length, this.value(item))
    this.leave(node)
    return list
  }

  private map(node: MapNode): JsonObject {
    const members: JsonObject = {}
    const large = new Map<string, LargeInteger>()
    this.enter(node)
    this.fill(node, (key, value) => {
      large.delete(key)
      if (value instanceof LargeInteger) large.set(key, value)
      setMember(members, key, jsonOf(value))
    })
    this.leave(node)
    const sorted: JsonObject = {}
    for (const key of Object.keys(members).sort())
      this.put(sorted, key, large.get(key) ?? (members[key] as Json))
    return sorted
  }

  /** Merged maps take effect at their `<<`. @param seen includes merged keys */
  private fill(
    node: MapNode,
    add: (key: string, value: Json | LargeInteger) => void,
    seen = new Set<string>(),
  ): void {
    for (const { key: keyNode, value: valueNode } of node.entries) {
      if (isMergeKey(keyNode)) {
        this.merge(valueNode, add, seen)
        continue
      }
      const key = this.key(keyNode, valueNode)
      const value = this.value(valueNode)
      if (seen.has(key.identity))
        this.repeated.push(`line ${valueNode.line + 1}: key ${key.shown} already set in map`)
      seen.add(key.identity)
      add(key.text, value)
    }
  }

  /** `<<: *base` or `<<: [*first, *second]`; the first of a list has precedence. */
  private merge(
    node: YamlNode,
    add: (key: string, value: Json | LargeInteger) => void,
    seen: Set<string>,
  ): void {
    if (node.kind === 'alias' && node.target.kind === 'map') {
      this.merge(this.enterAlias(node), add, seen)
      this.aliasing.leaveAlias()
    } else if (node.kind === 'map') {
      this.aliasing.countNode()
      this.enter(node)
      this.fill(node, add, seen)
      this.leave(node)
    } else if (node.kind === 'list' && node.items.every(isMapToMerge)) {
      for (const item of node.items.toReversed()) this.merge(item, add, seen)
    } else throw new YamlSyntaxError(NO_MAP_TO_MERGE)
  }

  private key(node: YamlNode, valueNode: YamlNode): Key {
    const scalar = node.kind === 'alias' ? node.target : node
    // A key may be a number that JSON lacks.
    const key = scalar.kind === 'scalar' ? this.scalarKey(node, scalar) : this.value(node)
    if (typeof key === 'object' && key !== null && !(key instanceof LargeInteger))
      throw new YamlSyntaxError(`invalid map key: ${goValue(key, ANY_KEY)}`)
    const found = keyOf(key, scalar.kind === 'scalar' ? scalar.value : '')
    if (found.unsupported !== undefined) {
      const value = jsonOf(this.value(valueNode))
      const shown = value === null ? '<nil>' : goValue(value, ANY_KEY)
      this.unsupportedKey ??= new UnsupportedKey(
        `unsupported map key of ${found.unsupported}, value: ${shown}`,
      )
    }
    return found
  }

  private scalarKey(node: YamlNode, scalar: ScalarNode): ReturnType<typeof plainValue> {
    this.aliasing.countNode()
    if (node.kind !== 'alias') return meaningOf(scalar)
    this.enterAlias(node)
    this.aliasing.countNode()
    this.aliasing.leaveAlias()
    return meaningOf(scalar)
  }

  private put(
    holder: JsonObject | Json[],
    place: string | number,
    value: Json | LargeInteger,
  ): void {
    if (value instanceof LargeInteger)
      this.literals.set(
        holder,
        (this.literals.get(holder) ?? new Map()).set(place, String(value.value)),
      )
    const json = jsonOf(value)
    if (Array.isArray(holder)) holder.push(json)
    else setMember(holder, String(place), json)
  }
}

function scalarValue(node: ScalarNode): Json | LargeInteger {
  const value = meaningOf(node)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new UnsupportedNumber(value)
  return value
}

function meaningOf({ value: text, plain, tag }: ScalarNode): ReturnType<typeof plainValue> {
  if (tag === BINARY_TAG) return decodeBinary(text)
  if (tag === undefined && !plain) return text
  return tag === undefined ? plainValue(text) : taggedValue(tag, text)
}

/** `identity` distinguishes `1` from `"1"`. */
interface Key {
  text: string
  shown: string
  identity: string
  unsupported?: string
}

function keyOf(key: ReturnType<typeof plainValue>, written: string): Key {
  const text =
    key instanceof LargeInteger
      ? String(key.value)
      : typeof key === 'number'
        ? numberKey(key, written)
        : String(key)
  const found = {
    text,
    shown: typeof key === 'string' ? goQuote(key) : text,
    identity: `${typeOf(key, written)} ${text}`,
  }
  if (key === null) return { ...found, unsupported: 'type: %!s(<nil>), key: <nil>' }
  if (!(key instanceof LargeInteger) || key.value <= LARGEST_SIGNED) return found
  return { ...found, unsupported: `type: uint64, key: 0x${key.value.toString(16)}` }
}

/** Float keys have 32-bit precision. */
function numberKey(key: number, written: string): string {
  if (typeOf(key, written) === 'int') return String(key)
  if (Number.isNaN(key)) return '.nan'
  if (!Number.isFinite(Math.fround(key))) return key > 0 ? '.inf' : '-.inf'
  return formatFloat(key)
}

const isMapToMerge = (node: YamlNode): boolean =>
  (node.kind === 'alias' ? node.target : node).kind === 'map'

const NO_MAP_TO_MERGE = 'map merge requires map or sequence of maps as the value'

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

const MERGE_TAG = 'tag:yaml.org,2002:merge'

const isMergeKey = (node: YamlNode): boolean =>
  node.kind === 'scalar' &&
  node.value === '<<' &&
  (node.tag === MERGE_TAG || (node.plain && node.tag === undefined))

function decodeBinary(text: string): string {
  try {
    return atob(text.replace(/\s/g, ''))
  } catch {
    throw new YamlSyntaxError('!!binary value contains invalid base64 data')
  }
}
