/** `semver('1.2.3')` (k8s.io/apiserver, pkg/cel/library, "SemverLib"). */
import { goQuote } from '../../schema/go-text'
import { traversesFirst } from '../cost/factors'
import { EvaluationError, OpaqueValue, type Value } from '../values/value'
import type { Library } from './library'

interface Version {
  numbers: readonly [bigint, bigint, bigint]
  prerelease: readonly (bigint | string)[]
  build: readonly string[]
}

class SemverValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Semver'
  readonly goType = 'cel.Semver'

  constructor(readonly version: Version) {
    super()
  }

  override equals(other: Value): boolean | undefined {
    return other instanceof SemverValue ? order(this, other) === 0 : undefined
  }

  override get goText(): string {
    const { numbers, prerelease, build } = this.version
    const before = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`
    return `${numbers.join('.')}${before}${build.length === 0 ? '' : `+${build.join('.')}`}`
  }
}

/** Go package blang/semver, version 4. */
class VersionProblem extends Error {}

const DIGITS = /^[0-9]*$/
const IDENTIFIER = /^[0-9A-Za-z-]*$/
const MAX_NUMBER = 2n ** 64n - 1n

function numberOf(digits: string): bigint {
  const problem = (why: string) =>
    new VersionProblem(`strconv.ParseUint: parsing ${goQuote(digits)}: ${why}`)
  if (digits === '') throw problem('invalid syntax')
  const number = digits.length > 20 ? MAX_NUMBER + 1n : BigInt(digits)
  if (number > MAX_NUMBER) throw problem('value out of range')
  return number
}

const hasLeadingZero = (digits: string): boolean => digits.length > 1 && digits.startsWith('0')

function component(text: string, name: 'major' | 'minor' | 'patch'): bigint {
  const quoted = goQuote(text)
  if (!DIGITS.test(text))
    throw new VersionProblem(`Invalid character(s) found in ${name} number ${quoted}`)
  if (hasLeadingZero(text)) {
    const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    throw new VersionProblem(`${capital} number must not contain leading zeroes ${quoted}`)
  }
  return numberOf(text)
}

function prereleasePart(text: string): bigint | string {
  if (text === '') throw new VersionProblem('Prerelease is empty')
  if (DIGITS.test(text)) {
    if (hasLeadingZero(text))
      throw new VersionProblem(
        `Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`,
      )
    return numberOf(text)
  }
  if (IDENTIFIER.test(text)) return text
  throw new VersionProblem(`Invalid character(s) found in prerelease ${goQuote(text)}`)
}

function buildPart(text: string): string {
  if (text === '') throw new VersionProblem('Build meta data is empty')
  if (IDENTIFIER.test(text)) return text
  throw new VersionProblem(`Invalid character(s) found in build meta data ${goQuote(text)}`)
}

function splitAtMost(text: string, separator: string, most: number): string[] {
  const parts = text.split(separator)
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)].slice(0, parts.length)
}

function cutAt(text: string, character: string): [before: string, after: string | undefined] {
  const at = text.indexOf(character)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}

function parse(text: string): Version {
  if (text === '') throw new VersionProblem('Version string empty')
  const parts = splitAtMost(text, '.', 3)
  if (parts.length !== 3) throw new VersionProblem('No Major.Minor.Patch elements found')
  const [first, second, rest] = parts as [string, string, string]
  const major = component(first, 'major')
  const minor = component(second, 'minor')
  const [core, build] = cutAt(rest, '+')
  const [patch, prerelease] = cutAt(core, '-')
  return {
    numbers: [major, minor, component(patch, 'patch')],
    prerelease: prerelease?.split('.').map(prereleasePart) ?? [],
    build: build?.split('.').map(buildPart) ?? [],
  }
}

function normalized(text: string): string {
  const parts = splitAtMost(text.replace(/^v/, ''), '.', 3).map((part) =>
    part.length > 1 ? part.replace(/^0+/, '').replace(/^(?![0-9])/, '0') : part,
  )
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? ''))
    throw new VersionProblem('short version cannot contain PreRelease/Build meta data')
  while (parts.length < 3) parts.push('0')
  return parts.join('.')
}

function read(text: string, normalize = false): SemverValue | EvaluationError {
  try {
    return new SemverValue(parse(normalize ? normalized(text) : text))
  } catch (error) {
    if (error instanceof VersionProblem) return new EvaluationError(error.message)
    throw error
  }
}

const isVersion = (text: string, normalize = false): boolean =>
  read(text, normalize) instanceof SemverValue

const compared = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

function prereleaseOrder(a: bigint | string, b: bigint | string): number {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1
  return compared(a, b)
}

/** Ignores builds. */
function order({ version: a }: SemverValue, { version: b }: SemverValue): number {
  for (const [index, number] of a.numbers.entries()) {
    const difference = compared(number, b.numbers[index] as bigint)
    if (difference !== 0) return difference
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return compared(b.prerelease.length, a.prerelease.length) === 0
      ? 0
      : a.prerelease.length === 0
        ? 1
        : -1
  for (const [index, part] of a.prerelease.entries()) {
    const other = b.prerelease[index]
    if (other === undefined) return 1
    const difference = prereleaseOrder(part, other)
    if (difference !== 0) return difference
  }
  return compared(a.prerelease.length, b.prerelease.length)
}

const parses = {
  strictCost: true as const,
  cost: traversesFirst.cost,
  estimate: traversesFirst.estimate,
}
const S = 'kubernetes.Semver'
const numberAt =
  (index: 0 | 1 | 2) =>
  ({ version: { numbers } }: SemverValue): bigint =>
    BigInt.asIntN(64, numbers[index])

export const SEMANTIC_VERSIONS: Library = {
  functions: [
    { signature: `semver(string) -> ${S}`, call: read, ...parses },
    { signature: `semver(string, bool) -> ${S}`, call: read, ...parses },
    { signature: 'isSemver(string) -> bool', call: isVersion, ...parses },
    { signature: 'isSemver(string, bool) -> bool', call: isVersion, ...parses },
    {
      signature: `${S}.isGreaterThan(${S}) -> bool`,
      call: (a: SemverValue, b: SemverValue) => order(a, b) > 0,
    },
    {
      signature: `${S}.isLessThan(${S}) -> bool`,
      call: (a: SemverValue, b: SemverValue) => order(a, b) < 0,
    },
    {
      signature: `${S}.compareTo(${S}) -> int`,
      call: (a: SemverValue, b: SemverValue) => BigInt(order(a, b)),
    },
    { signature: `${S}.major() -> int`, call: numberAt(0) },
    { signature: `${S}.minor() -> int`, call: numberAt(1) },
    { signature: `${S}.patch() -> int`, call: numberAt(2) },
  ],
}
