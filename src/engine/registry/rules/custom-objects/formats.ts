/** Formats of strings that schemas may name (public documentation of the formats; accepted and refused values recorded: crd-cr-formats). */
import { cidrFamily, writtenFamily } from '../addresses'

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
  ipv6: (text) => writtenFamily(text) === 'IPv6' && !text.includes('%'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  mac: matches(/^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}(?:[0-9a-f]{2}\1){0,14}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2,9}[0-9a-f]{4})$/i),
  password: () => true,
  rgbcolor: matches(new RegExp(`^rgb\\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\\)$`)),
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  uri: isUri,
  uuid: uuid('[0-9a-f]{4}', '[0-9a-f]{4}'),
  uuid3: uuid('3[0-9a-f]{3}', '[0-9a-f]{4}'),
  uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
}

/** `date-time` is `datetime`. */
const plain = (format: string): string => format.replaceAll('-', '')

/** Formats that are not known are only noted. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(FORMATS, plain(format))
}

export function isFormat(format: string, text: string): boolean {
  return FORMATS[plain(format)]?.(text) ?? true
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isDateTime(text: string): boolean {
  const [day = '', time = ''] = text.toLowerCase().split('t')
  const parts = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time)
  return isDate(day) && parts !== null && Number(parts[1]) < 24 && Number(parts[2]) < 60 && Number(parts[3]) < 60
}

const GO_DURATION = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
/** Words for units of time, in any case. */
const UNITS = new Set([
  ...['ns', 'nano', 'nanos', 'nanosecond', 'nanoseconds', 'us', 'µs', 'micro', 'micros', 'microsecond', 'microseconds'],
  ...['ms', 'milli', 'millis', 'millisecond', 'milliseconds', 's', 'sec', 'secs', 'second', 'seconds'],
  ...['m', 'min', 'mins', 'minute', 'minutes', 'h', 'hr', 'hrs', 'hour', 'hours', 'd', 'day', 'days', 'w', 'wk', 'week', 'weeks'],
])

/** As Go writes durations, or numbers with words. */
function isDuration(text: string): boolean {
  if (GO_DURATION.test(text)) return true
  const found = [...text.matchAll(/\d+\s*([A-Za-zµ]+)/g)]
  return found.length > 0 && found.every(([, unit = '']) => UNITS.has(unit.toLowerCase()))
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~\\u0080-\\u{10ffff}-]+"
const ADDRESS = `(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\]|\\\\.)*")@(?:${ATOM}(?:\\.${ATOM})*|\\[[^\\]]*\\])`
const EMAIL = new RegExp(`^\\s*(?:${ADDRESS}|[^<>@,]*<${ADDRESS}>)\\s*$`, 'u')

/** RFC 5322: an address, or a name and an address. */
function isEmail(text: string): boolean {
  return EMAIL.test(text)
}

const LABEL = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u
const LAST_LABEL = /^[a-zA-Z0-9\p{L}-]{2,63}$/u
const utf8 = new TextEncoder()

/** Labels between dots; the last of several has two signs at least. */
function isHostname(text: string): boolean {
  const labels = text.split('.')
  const last = labels.pop() ?? ''
  if (utf8.encode(text).length > 255 || [...labels, last].some((label) => utf8.encode(label).length > 63)) return false
  return labels.length === 0 ? LABEL.test(last) : labels.every((label) => LABEL.test(label)) && LAST_LABEL.test(last)
}

/** Four numbers; zeros in front do not matter. */
function isDotted(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) < 256)
}

/** An absolute address, or an absolute path. */
function isUri(text: string): boolean {
  if (text.startsWith('/')) return !hasBadEscape(text)
  const parts = /^[a-z][a-z0-9+.-]*:(?:\/\/([^/?#]*))?/i.exec(text)
  if (parts === null || hasBadEscape(text)) return false
  return !/[\s"<>^`{|}\\]/.test(parts[1] ?? '')
}

const hasBadEscape = (text: string): boolean => /%(?![0-9a-f]{2})/i.test(text) || /\p{Cc}/u.test(text)

const digitsOf = (text: string): string => text.replace(/[\s-]+/g, '')

function isIsbn10(text: string): boolean {
  const digits = digitsOf(text)
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const sum = [...digits].reduce((total, digit, index) => total + (index + 1) * (digit === 'X' ? 10 : Number(digit)), 0)
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = digitsOf(text)
  if (!/^\d{13}$/.test(digits)) return false
  return [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|(?:222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

/** The numbers of the known issuers, with the right check digit. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (!CARD.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const number = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (number > 9 ? number - 9 : number)
  }, 0)
  return sum % 10 === 0
}
