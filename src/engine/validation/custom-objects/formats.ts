/**
 * See kubernetes.io, "Extend the Kubernetes API with CustomResourceDefinitions", "Validation".
 * Values recorded from kube-apiserver 1.31 (recording `crd-cr-formats`).
 */

import { entryOf } from '../../core/object'
import { durationProblem } from '../../schema/go-duration'
import { authorityProblem, escapeProblem, hasControl } from '../../schema/go-url'
import { cidrFamily, writtenFamily } from '../addresses'
import { dnsLabelProblems, dnsSubdomainProblems } from '../names'

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text)

const uuid = (version: string, variant: string) =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}-?${variant}-?[0-9a-f]{12}$`, 'i'))
const COLOR_PART = '\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*'

const FORMATS: Record<string, (text: string) => boolean> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  cidr: (text) => cidrFamily(text) !== undefined,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  hostname: isHostname,
  ipv4: (text) => isDotted(text) || (writtenFamily(text) === 'IPv6' && text.includes('.')),
  ipv6: (text) =>
    writtenFamily(text) === 'IPv6' && !text.includes('%') && !/[:.]0\d+(?:\.\d*)+$/.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: matches(
    /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}(?:[0-9a-f]{2}\1){0,14}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2,9}[0-9a-f]{4})$/i,
  ),
  password: () => true,
  rgbcolor: matches(new RegExp(`^rgb\\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\\)$`)),
  ssn: matches(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  uri: isUri,
  uuid: uuid('[0-9a-f]{4}', '[0-9a-f]{4}'),
  uuid3: uuid('3[0-9a-f]{3}', '[0-9a-f]{4}'),
  uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
}

/** `date-time` equals `datetime`. */
const plain = (format: string): string => format.replaceAll('-', '')

/** From Kubernetes 1.34. */
const NAME_FORMATS: Record<string, (text: string) => boolean> = {
  'k8s-long-name': (text) => dnsSubdomainProblems(text).length === 0,
  'k8s-short-name': (text) => dnsLabelProblems(text).length === 0,
}

const checkOf = (format: string, names: boolean) =>
  entryOf(FORMATS, plain(format)) ?? (names ? entryOf(NAME_FORMATS, format) : undefined)

export const isKnownFormat = (format: string, names = false): boolean =>
  checkOf(format, names) !== undefined

export const isFormat = (format: string, text: string, names = false): boolean =>
  checkOf(format, names)?.(text) ?? true

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isDateTime(text: string): boolean {
  const [day = '', time = ''] = text.toLowerCase().split('t')
  const parts = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time)
  return (
    isDate(day) &&
    parts !== null &&
    Number(parts[1]) < 24 &&
    Number(parts[2]) < 60 &&
    Number(parts[3]) < 60
  )
}

/** The last of each unit may continue (`sec`, `seconds`). */
const UNIT =
  /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i
const LARGEST_NUMBER = 2n ** 63n - 1n

/** A Go duration, or a number with a unit. */
function isDuration(text: string): boolean {
  if (durationProblem(text) === undefined) return true
  const found = [...text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)]
  return (
    found.every(([, number = '']) => BigInt(number) <= LARGEST_NUMBER) &&
    found.some(([, , unit = '']) => UNIT.test(unit))
  )
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~\\u0080-\\u{10ffff}-]+"
const ADDRESS = `(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\]|\\\\.)+")@[ \\t]*(?:${ATOM}(?:\\.${ATOM})*|\\[([^\\]]*)\\])`
const COMMENTS = '(?:[ \\t]*\\((?:[^()\\\\]|\\\\.|\\([^()]*\\))*\\))*'
const EMAIL = new RegExp(
  `^[ \\t]*(?![ \\t])(?:${ADDRESS}|[^<>@,()]*<${ADDRESS}>)${COMMENTS}[ \\t]*$`,
  'u',
)

/** RFC 5322. */
function isEmail(text: string): boolean {
  const match = EMAIL.exec(text)
  if (match === null) return false
  const literal = match[1] ?? match[2]
  return literal === undefined || writtenFamily(literal) !== undefined
}

const SIGN = '[a-zA-Z0-9\\p{S}\\p{L}]'
const LABEL = `${SIGN}(?:[a-zA-Z0-9\\p{S}\\p{L}-]{0,61}${SIGN})?`
/** One label with at most one hyphen, after its first character; or several labels. */
const HOSTNAME = `^(?:${SIGN}-?${SIGN}{0,62}|(?:${LABEL}\\.)+[a-zA-Z\\p{L}]{2,63})$`
/** Compiling it takes a twentieth of an engine's start. */
let hostname: RegExp | undefined
const utf8 = new TextEncoder()

function isHostname(text: string): boolean {
  hostname ??= new RegExp(HOSTNAME, 'u')
  if (!hostname.test(text) || utf8.encode(text).length > 255) return false
  return text.split('.').every((label) => utf8.encode(label).length <= 63)
}

/** Permits leading zeros. */
function isDotted(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) < 256)
}

/** As in a request line: `#` is an ordinary character. */
function isUri(text: string): boolean {
  if (hasControl(text)) return false
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?([^?]*)/i.exec(text) ?? []
  if (!rest.startsWith('/')) return scheme !== undefined || text === '*'
  if (scheme === undefined) return escapeProblem(rest) === undefined
  const [, authority = '', path = rest] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? []
  return (authorityProblem(authority) ?? escapeProblem(path)) === undefined
}

const digitsOf = (text: string): string => text.replace(/[\s-]+/g, '')

function isIsbn10(text: string): boolean {
  const digits = digitsOf(text)
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)),
    0,
  )
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = digitsOf(text)
  if (!/^\d{13}$/.test(digits)) return false
  return (
    [...digits].reduce(
      (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
      0,
    ) %
      10 ===
    0
  )
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (!CARD.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const number = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (number > 9 ? number - 9 : number)
  }, 0)
  return sum % 10 === 0
}
