import { entryOf, type Json } from '../core/object'
import { goNumber } from './go-number'

const SHORT_ESCAPES: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
}

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Zs}]/u

/** As `%q` prints it. */
export function goQuote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  let quoted = ''
  for (const character of text) quoted += character === '"' ? '\\"' : escapeCharacter(character)
  return `"${quoted}"`
}

/** `2026-01-01T00:00:00.50Z` -> `2026-01-01 00:00:00.5 +0000 UTC` */
export const goTime = (time: string): string =>
  `${time.replace('T', ' ').replace(/(?:\.0+|(\.\d*?[1-9])0+)?Z$/, '$1')} +0000 UTC`

/** As in errors of Go's JSON scanner: `'x'`, `'\''`, `'"'`, `'\n'`. Takes a byte. */
export function goQuoteByte(byte: number): string {
  const character = String.fromCharCode(byte)
  return character === "'" ? "'\\''" : `'${escapeCharacter(character)}'`
}

function escapeCharacter(character: string): string {
  const short = entryOf(SHORT_ESCAPES, character)
  if (short !== undefined) return short
  if (character === ' ' || !UNPRINTABLE.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return `\\x${hex(code, 2)}`
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}

/** As `%#v` prints it. @param keyType of maps: `string`, or `interface {}` from YAML */
export function goValue(value: Json, keyType = 'string'): string {
  if (Array.isArray(value))
    return `[]interface {}{${value.map((item) => goValue(item, keyType)).join(', ')}}`
  if (typeof value === 'object' && value !== null) {
    const members = Object.keys(value).sort()
    return `map[${keyType}]interface {}{${members.map((key) => `${goQuote(key)}:${goValue(value[key] as Json, keyType)}`).join(', ')}}`
  }
  if (value === null) return 'interface {}(nil)'
  if (typeof value === 'number') return goNumber(value)
  return typeof value === 'string' ? goQuote(value) : String(value)
}

/** As `%v` prints it: `map[name:web ports:[80 443]]`. */
export function goFormat(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goFormat).join(' ')}]`
  if (typeof value === 'number') return goNumber(value)
  if (typeof value !== 'object') return String(value)
  const members = Object.keys(value).sort()
  return `map[${members.map((name) => `${name}:${goFormat(value[name] as Json)}`).join(' ')}]`
}

export const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])

/**
 * kube-apiserver passes some texts as a format: `100%}` prints as `100%!}(MISSING)`. Recorded from
 * kube-apiserver 1.31.
 */
export function usedAsFormat(text: string): string {
  return text.replace(/%[-+# 0]*[\d.]*(.?)/gsu, (_, verb: string) => {
    if (verb === '') return '%!(NOVERB)'
    return verb === '%' ? '%' : `%!${verb}(MISSING)`
  })
}

interface SelectorMembers {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

export function selectorDump({ matchLabels, matchExpressions }: SelectorMembers): string {
  const labels = Object.entries(matchLabels ?? {}).map(([key, value]) => `${key}: ${value},`)
  const expressions = (matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
  )
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`
}

/** As Go's strings.TrimSpace. JavaScript's trim keeps U+0085 and removes U+FEFF. */
export function goTrim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text, start)) start++
  while (end > start && isSpace(text, end - 1)) end--
  return text.slice(start, end)
}

export function goTrimRight(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

const WHITE_SPACE = /\p{White_Space}/u

const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code <= 0x20
    ? code === 0x20 || (code >= 9 && code <= 13)
    : code >= 0x80 && WHITE_SPACE.test(text.charAt(at))
}
