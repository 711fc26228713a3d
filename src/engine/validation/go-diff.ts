/**
 * * Prints differences as github.com/google/go-cmp does: `-` and `+` mark different lines, equal
 * parts are shortened or counted.
 */

import { append } from '../core/lists'
import { goQuote, goTime } from '../schema/go-text'
import { canonicalQuantity } from '../schema/quantity'
import { compare, keyPrefix, type Node, opened } from './go-comparison'
import { ELLIPSIS, layOut, type Mark, type TextNode, type TextRecord } from './go-text'
import type { GoValue } from './go-value'
import { goQuantity } from './quantities'

/** @returns empty for equal values */
export function goDiff(x: GoValue, y: GoValue): string {
  const root = compare(opened(x), opened(y))
  return root.equal ? '' : layOut(wrapped(root.x ?? y, listed(root), 'always', ''))
}

/** `shape`: only before braces. */
type TypeMode = 'always' | 'shape' | 'never'

/** Go's zero time. */
const NO_TIME = '0001-01-01T00:00:00Z'

/** Equal values print fewer parts. */
const EQUAL_LEVEL = 1
const CHANGED_LEVEL = 3

function listed(node: Node): TextNode {
  const value = (node.x ?? node.y) as GoValue
  const [name, mode]: [string, TypeMode] =
    value.kind === 'struct'
      ? ['field', 'shape']
      : value.kind === 'map'
        ? ['entry', 'never']
        : ['element', 'never']
  const limit = ((1 << CHANGED_LEVEL) >> 1) << 2
  const groups = grouped(node.parts)
  const records: TextRecord[] = []
  let shown = 0
  for (const [i, { equal, parts }] of groups.entries()) {
    if (shown >= limit) {
      records.push({ mark: '', key: '', value: ELLIPSIS, comment: counted(groups.slice(i), name) })
      break
    }
    if (equal) append(records, equalRecords(parts, i > 0, i < groups.length - 1, name, mode))
    else {
      shown += parts.length
      for (const { key, node: part } of parts) append(records, changedRecords(key, part, mode))
    }
  }
  return { prefix: '{', inner: { records }, suffix: '}' }
}

interface Group {
  equal: boolean
  parts: Node['parts']
}

function grouped(parts: Node['parts']): Group[] {
  const groups: Group[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (last?.equal === part.node.equal) last.parts.push(part)
    else groups.push({ equal: part.node.equal, parts: [part] })
  }
  return groups
}

const CONTEXT = 2

/** Prints those next to differences, and counts the others. */
function equalRecords(
  parts: Node['parts'],
  afterChange: boolean,
  beforeChange: boolean,
  name: string,
  mode: TypeMode,
): TextRecord[] {
  const low = afterChange ? Math.min(CONTEXT, parts.length) : 0
  let high = beforeChange ? Math.min(CONTEXT, parts.length - low) : 0
  if (parts.length - low - high === 1) high++
  const shown = (part: (typeof parts)[number]): TextRecord => ({
    mark: '',
    key: part.key,
    value: equalText(part.node, mode),
  })
  const hidden = parts.length - low - high
  const ellipsis: TextRecord[] =
    hidden > 0
      ? [
          {
            mark: '',
            key: '',
            value: ELLIPSIS,
            comment: `${hidden} identical ${plural(name, hidden)}`,
          },
        ]
      : []
  return [
    ...parts.slice(0, low).map(shown),
    ...ellipsis,
    ...parts.slice(parts.length - high).map(shown),
  ]
}

const plural = (name: string, count: number): string =>
  count === 1 ? name : name === 'entry' ? 'entries' : `${name}s`

function counted(groups: Group[], name: string): string {
  const of = (equal: boolean) =>
    groups
      .filter((group) => group.equal === equal)
      .reduce((sum, { parts }) => sum + parts.length, 0)
  const [identical, modified] = [of(true), of(false)]
  const counts = [
    identical > 0 ? `${identical} identical` : '',
    modified > 0 ? `${modified} modified` : '',
  ].filter(Boolean)
  return `${counts.join(' and ')} ${plural(name, identical + modified)}`
}

function changedRecords(key: string, node: Node, mode: TypeMode): TextRecord[] {
  if (node.count !== node.depth) return [{ mark: '', key, value: changedText(node, mode) }]
  const side = (of: 'x' | 'y', mark: Mark): TextRecord[] =>
    node[of] === undefined ? [] : [{ mark, key, value: sideText(node, of, mode, mark) }]
  return [...side('x', '-'), ...side('y', '+')]
}

/** The value at the end of a chain determines how much is printed. */
function sideText(node: Node, side: 'x' | 'y', mode: TypeMode, mark: Mark): TextNode {
  const value = node[side] as GoValue
  const [first] = node.parts
  if (first === undefined) return valueText(value, mode, mark, CHANGED_LEVEL)
  if (value.kind === 'pointer')
    return { prefix: '&', inner: sideText(first.node, side, mode, mark), suffix: '' }
  const isStruct = value.kind === 'struct'
  const shown = node.parts.filter(
    ({ node: { [side]: part } }) => part !== undefined && !(isStruct && isZero(part)),
  )
  const records = shown.map(
    (part): TextRecord => ({
      mark: '',
      key: part.key,
      value: sideText(part.node, side, isStruct ? 'shape' : 'never', mark),
    }),
  )
  return wrapped(value, { prefix: '{', inner: { records }, suffix: '}' }, mode, '')
}

function changedText(node: Node, mode: TypeMode): TextNode {
  const value = (node.x ?? node.y) as GoValue
  if (value.kind === 'pointer')
    return { prefix: '&', inner: changedText(node.parts[0]?.node as Node, mode), suffix: '' }
  return wrapped(value, listed(node), mode, '')
}

/** Omits empty members. */
function equalText(node: Node, mode: TypeMode): TextNode {
  const value = (node.y ?? node.x) as GoValue
  return valueText(value, mode, '', EQUAL_LEVEL)
}

/** @param level doubles the printed parts; changed values lose a level inside */
function valueText(value: GoValue, mode: TypeMode, mark: Mark, level: number): TextNode {
  const below = mark === '' ? level : Math.max(0, level - 1)
  const most = mark === '' ? (1 << level) << 1 : ((1 << level) >> 1) << 2
  const list = (records: TextRecord[], more = records.length > most): TextNode => {
    const kept: TextRecord[] = more
      ? [...records.slice(0, most), { mark: '', key: '', value: ELLIPSIS }]
      : records
    return wrapped(
      value,
      { prefix: '{', inner: { records: kept }, suffix: '}' },
      mode,
      mark === '' ? 'equal' : '',
    )
  }
  switch (value.kind) {
    case 'struct': {
      const members = value.members.filter((member) => !isZero(member.value))
      const last = members[most - 1]
      // Omitted members of equal values count even if they are empty. Recorded from kube-apiserver
      // 1.31.
      const more =
        mark === '' ? last !== undefined && last !== value.members.at(-1) : members.length > most
      return list(
        members.map((member) => ({
          mark: '',
          key: member.name,
          value: valueText(member.value, 'shape', mark, below),
        })),
        more,
      )
    }
    case 'list':
      if (value.items === undefined) return 'nil'
      return list(
        value.items.map((item) => ({
          mark: '',
          key: '',
          value: valueText(item, 'never', mark, below),
        })),
      )
    case 'map':
      if (value.entries === undefined) return 'nil'
      return list(
        value.entries.map(([key, item]) => ({
          mark: '',
          key: keyPrefix(value.type) + goQuote(key),
          value: valueText(item, 'never', mark, below),
        })),
      )
    case 'pointer':
      if (value.target === undefined) return 'nil'
      if (mark !== '') {
        const own = ownText(value.target)
        if (own !== undefined) return `s${quoted(own, level)}`
      }
      return { prefix: '&', inner: valueText(value.target, mode, mark, level), suffix: '' }
    case 'quantity':
      return mark === ''
        ? shortQuantity(value.text)
        : valueText(goQuantity(value.text), mode, mark, level)
    case 'time':
      return `s${quoted(goTime(value.text ?? NO_TIME), level)}`
    case 'string':
      return quoted(String(value.value), level)
    default:
      return String(value.value)
  }
}

function shortQuantity(text: string | undefined): TextNode {
  const { members } = goQuantity(text) as Extract<GoValue, { kind: 'struct' }>
  const records = members
    .filter((member) => !isZero(member.value))
    .map(
      ({ name, value }): TextRecord => ({
        mark: '',
        key: name,
        value: value.kind === 'struct' ? `{${ELLIPSIS}}` : valueText(value, 'never', '', 0),
      }),
    )
  return { prefix: '{', inner: { records }, suffix: '}' }
}

/**
 * go-cmp calls the String method of a pointer that is on one side only. Recorded from
 * kube-apiserver 1.31.
 */
function ownText(target: GoValue): string | undefined {
  if (target.kind === 'quantity') return canonicalQuantity(target.text ?? '0')
  return target.type === 'v1.LabelSelector' ? `&${plainText(target)}` : undefined
}

/** Without quotes. */
function plainText(value: GoValue): string {
  switch (value.kind) {
    case 'struct':
      return `${shortType(value.type)}{${value.members.map((member) => `${member.name}:${plainText(member.value)},`).join('')}}`
    case 'list':
      if (value.type === '[]string') return `[${(value.items ?? []).map(plainText).join(' ')}]`
      return `[]${shortType(value.type.slice(2))}{${(value.items ?? []).map((item) => `${plainText(item)},`).join('')}}`
    case 'map':
      return `${value.type}{${(value.entries ?? []).map(([key, item]) => `${key}: ${plainText(item)},`).join('')}}`
    case 'string':
    case 'number':
    case 'boolean':
      return String(value.value)
    default:
      return ''
  }
}

const shortType = (type: string): string => type.slice(type.indexOf('.') + 1)

/** Each level doubles the limit. */
function quoted(text: string, level: number): string {
  const most = 32 << level
  return text.length > most + ELLIPSIS.length
    ? inQuotes(text.slice(0, most)) + ELLIPSIS
    : inQuotes(text)
}

function inQuotes(text: string): string {
  const plain = goQuote(text)
  if (plain.length === text.length + 2 || /[`\n]/.test(text)) return plain
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\u0000-\u0008\u000b-\u001f\u007f]/.test(text) ? plain : `\`${text}\``
}

function wrapped(value: GoValue, text: TextNode, mode: TypeMode, state: '' | 'equal'): TextNode {
  if (mode === 'never' || (mode === 'shape' && state === 'equal')) return text
  if (typeof text === 'string' || !['struct', 'list', 'map', 'quantity'].includes(value.kind))
    return text
  return { prefix: value.type, inner: text, suffix: '' }
}

function isZero(value: GoValue): boolean {
  switch (value.kind) {
    case 'struct':
      return value.members.every((member) => isZero(member.value))
    case 'list':
      return value.items === undefined
    case 'map':
      return value.entries === undefined
    case 'pointer':
      return value.target === undefined
    case 'quantity':
    case 'time':
      return value.text === undefined
    default:
      return value.value === '' || value.value === 0 || value.value === false
  }
}
