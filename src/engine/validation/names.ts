/** RFC 1123, RFC 1035. Texts recorded from kube-apiserver 1.31. */
import { append } from '../core/lists'
import { entryOf } from '../core/object'
import { memoize } from '../schema/memoize'
import type { NameRule } from './name-rule'

const MAX_LABEL_VALUE = 63

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const LABEL_VALUE = `(${QUALIFIED})?`

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`)
const isLabel1035 = whole(LABEL_1035)

/** Every write validates names; a loop costs a fraction of a regular expression. */
const isDigitOrSmall = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
const isAlphanumeric = (code: number): boolean =>
  isDigitOrSmall(code) || (code >= 0x41 && code <= 0x5a)

function isDnsName(value: string, dots: boolean): boolean {
  let begins = true
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (isDigitOrSmall(code)) begins = false
    else if (code === 0x2e && dots && !begins && value.charCodeAt(i - 1) !== 0x2d) begins = true
    else if (code !== 0x2d || begins) return false
  }
  return !begins && value.charCodeAt(value.length - 1) !== 0x2d
}

const isLabel = (value: string): boolean => isDnsName(value, false)
const isSubdomain = (value: string): boolean => isDnsName(value, true)

/** Equivalent to QUALIFIED. */
function isQualified(value: string): boolean {
  const last = value.length - 1
  if (last < 0 || !isAlphanumeric(value.charCodeAt(0)) || !isAlphanumeric(value.charCodeAt(last)))
    return false
  for (let i = 1; i < last; i++) {
    const code = value.charCodeAt(i)
    if (!isAlphanumeric(code) && code !== 0x2d && code !== 0x5f && code !== 0x2e) return false
  }
  return true
}

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const LABEL_VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"

export function regexMessage(text: string, pattern: string, ...examples: string[]): string {
  if (examples.length === 0) return `${text} (regex used for validation is '${pattern}')`
  const shown = examples
    .map((example, index) => `${index > 0 ? ' or ' : ''}'${example}', `)
    .join('')
  return `${text} (e.g. ${shown}regex used for validation is '${pattern}')`
}

export const tooLongText = (maximum: number): string => `must be no more than ${maximum} characters`

/** Go counts bytes. */
export function byteLength(text: string): number {
  if (!/[^\0-\x7f]/.test(text)) return text.length
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) length += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return length
}

export function dnsLabelProblems(value: string): string[] {
  const fits = isLabel(value)
  if (fits && value.length <= 63) return []
  const problems: string[] = []
  if (byteLength(value) > 63) problems.push(tooLongText(63))
  if (!fits) {
    problems.push(
      isSubdomain(value)
        ? 'must not contain dots'
        : regexMessage(LABEL_TEXT, LABEL, 'my-name', '123-abc'),
    )
  }
  return problems
}

export function dnsSubdomainProblems(value: string): string[] {
  const fits = isSubdomain(value)
  if (fits && value.length <= 253) return []
  const problems: string[] = []
  if (byteLength(value) > 253) problems.push(tooLongText(253))
  if (!fits) problems.push(regexMessage(SUBDOMAIN_TEXT, SUBDOMAIN, 'example.com'))
  return problems
}

const UNDERSCORE_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const UNDERSCORE_SUBDOMAIN = `${UNDERSCORE_LABEL}(\\.${UNDERSCORE_LABEL})*`
const isUnderscoreSubdomain = whole(UNDERSCORE_SUBDOMAIN)
const UNDERSCORE_SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character"

/** @param printsItsPattern false: the pattern without underscores, as earlier releases */
export function underscoreSubdomainProblems(value: string, printsItsPattern: boolean): string[] {
  const problems = byteLength(value) > 253 ? [tooLongText(253)] : []
  if (isUnderscoreSubdomain.test(value)) return problems
  const pattern = printsItsPattern ? UNDERSCORE_SUBDOMAIN : SUBDOMAIN
  return [...problems, regexMessage(UNDERSCORE_SUBDOMAIN_TEXT, pattern, 'example.com')]
}

const WILDCARD = `\\*\\.${SUBDOMAIN}`
const isWildcard = whole(WILDCARD)
const WILDCARD_TEXT =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character"

export function wildcardSubdomainProblems(value: string): string[] {
  const problems = byteLength(value) > 253 ? [tooLongText(253)] : []
  return isWildcard.test(value)
    ? problems
    : [...problems, regexMessage(WILDCARD_TEXT, WILDCARD, '*.example.com')]
}

export function dns1035LabelProblems(value: string): string[] {
  const problems: string[] = []
  if (byteLength(value) > 63) problems.push(tooLongText(63))
  if (!isLabel1035.test(value))
    problems.push(regexMessage(LABEL_1035_TEXT, LABEL_1035, 'my-name', 'abc-123'))
  return problems
}

/** `prefix/name`: label and annotation keys, finalizers, resource names. */
export const qualifiedNameProblems = memoize((value: string): readonly string[] => {
  const parts = value.split('/')
  const problems: string[] = []
  let name = value
  if (parts.length === 2) {
    const [prefix, rest] = parts as [string, string]
    name = rest
    if (prefix === '') problems.push('prefix part must be non-empty')
    else
      append(
        problems,
        dnsSubdomainProblems(prefix).map((problem) => `prefix part ${problem}`),
      )
  } else if (parts.length > 2) {
    return [
      `a qualified name ${regexMessage(QUALIFIED_TEXT, QUALIFIED, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  if (name === '') problems.push('name part must be non-empty')
  else if (byteLength(name) > 63) problems.push(`name part ${tooLongText(63)}`)
  if (!isQualified(name))
    problems.push(
      `name part ${regexMessage(QUALIFIED_TEXT, QUALIFIED, 'MyName', 'my.name', '123-abc')}`,
    )
  return problems
})

export function labelValueProblems(value: string): string[] {
  const fits = value === '' || isQualified(value)
  if (fits && value.length <= MAX_LABEL_VALUE) return []
  const problems: string[] = []
  if (byteLength(value) > MAX_LABEL_VALUE) problems.push(tooLongText(MAX_LABEL_VALUE))
  if (!fits)
    problems.push(regexMessage(LABEL_VALUE_TEXT, LABEL_VALUE, 'MyValue', 'my_value', '12345'))
  return problems
}

/** Nearly always true. */
export function areLabels(labels: Record<string, string>): boolean {
  for (const key in labels) {
    if (
      qualifiedNameProblems(key).length > 0 ||
      labelValueProblems(entryOf(labels, key) ?? '').length > 0
    )
      return false
  }
  return true
}

const ENVIRONMENT_NAME = '[-._a-zA-Z][-._a-zA-Z0-9]*'
const ENVIRONMENT_NAME_TEXT =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit"
const HEADER_NAME = '[-A-Za-z0-9]+'
const isEnvironmentName = whole(ENVIRONMENT_NAME)
const isHeaderName = whole(HEADER_NAME)

export function environmentNameProblems(name: string): string[] {
  const problems = directoryProblems(name)
  if (isEnvironmentName.test(name)) return problems
  return [
    regexMessage(
      ENVIRONMENT_NAME_TEXT,
      ENVIRONMENT_NAME,
      'my.env-name',
      'MY_ENV.NAME',
      'MyEnvName1',
    ),
    ...problems,
  ]
}

const isRelaxedEnvironmentName = whole('[ -<>-~]*')

export const relaxedEnvironmentNameProblems = (name: string): string[] =>
  isRelaxedEnvironmentName.test(name)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ]

export function headerNameProblems(name: string): string[] {
  if (isHeaderName.test(name)) return []
  return [
    regexMessage(
      "a valid HTTP header must consist of alphanumeric characters or '-'",
      HEADER_NAME,
      'X-Header-Name',
    ),
  ]
}

/** Names become files, so none may be another directory. */
function directoryProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`must not be '${name}'`]
  return name.startsWith('..') ? ["must not start with '..'"] : []
}

/** A generateName is validated as if one more letter followed. */
function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix
}

export const dnsLabel: NameRule = (name, prefix) =>
  dnsLabelProblems(prefix ? maskTrailingDash(name) : name)
export const dnsSubdomain: NameRule = (name, prefix) =>
  dnsSubdomainProblems(prefix ? maskTrailingDash(name) : name)
export const dns1035Label: NameRule = (name, prefix) =>
  dns1035LabelProblems(prefix ? maskTrailingDash(name) : name)

/** For roles and bindings. */
export const pathSegment: NameRule = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`]
  if (!name.includes('/') && !name.includes('%')) return []
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`)
}

/** k8s.io/apimachinery, pkg/api/validate, `LongNameCaseless`. */
export const anyCaseSubdomainProblems = (name: string): string[] =>
  dnsSubdomainProblems(name.toLowerCase()).map((problem) =>
    problem
      .replace(
        'a lowercase RFC 1123 subdomain must consist of lower case',
        'an RFC 1123 subdomain must consist of',
      )
      .replace("'example.com'", "'Example.com'"),
  )
