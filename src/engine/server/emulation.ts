/**
 * The versions that a server emulates: `--emulated-version` and `--min-compatibility-version`
 * (KEP-4330; k8s.io/component-base, packages `version` of 1.32 and `compatibility` since 1.33).
 */

import { aggregateMessage } from '../core/aggregate-message'
import { append } from '../core/lists'
import { entryOf } from '../core/object'
import { type GateState, PRE_ALPHA } from '../release-tables/gate-history'
import { ReleaseTables, tablesOf } from '../release-tables/tables'
import {
  compareReleases,
  type Emulation,
  parseRelease,
  type Release,
  releaseAfter,
} from '../releases/release'
import { goQuote } from '../schema/go-text'
import { OptionError } from './option-error'

export interface EmulationOptions {
  /** The release whose feature gates and APIs the server has: `1.35` or `kube=1.35`. */
  emulatedVersion?: readonly string[]
  /** The oldest release that other servers of the cluster may have. */
  minCompatibilityVersion?: readonly string[]
  /** Serves later versions of resources of which the emulated release serves a version. */
  emulationForwardCompatible?: boolean
  /** Serves later versions and resources that `runtimeConfig` enables by name. */
  runtimeConfigEmulationForwardCompatible?: boolean
}

/** The first release that can be emulated. */
const FIRST_EMULATED = '1.31'
const COMPONENT = 'kube'
/** The form of version texts (k8s.io/apimachinery, `util/version`). */
const VERSION = /^\s*v?(\d+(?:\.\d+)*)/

/** @throws OptionError with kube-apiserver's messages */
export function emulationOf(
  { changes }: ReleaseTables,
  release: Release,
  options: EmulationOptions,
): Emulation {
  const { emulatedVersion = [], minCompatibilityVersion = [] } = options
  rejectUnknownFlags(changes, options)
  const floor = floorOf(changes, release)
  const version = versionIn(emulatedVersion) ?? release
  const compatible = versionIn(minCompatibilityVersion)
  const errors: string[] = []
  if (version !== release && !isBetween(version, floor, release))
    errors.push(`emulation version ${version} is not between [${floor}, ${release}]`)
  if (compatible !== undefined && !isBetween(compatible, floor, version))
    errors.push(
      `minCompatibilityVersion version ${compatible} is not between [${floor}, ${version}]`,
    )
  if (version === release) append(errors, forwardErrors(options))
  if (errors.length > 0) throw new OptionError(aggregateMessage(errors))
  const before = releaseAfter(version, -1)
  return {
    version: parseRelease(version) ?? release,
    compatible: compatible ?? (compareReleases(before, floor) < 0 ? floor : before),
  }
}

/** The oldest release that a release can emulate. */
function floorOf(changes: ReleaseTables['changes'], release: Release): string {
  const lowest = releaseAfter(release, changes.has('EmulatesThreeReleases') ? -3 : -1)
  return compareReleases(lowest, FIRST_EMULATED) < 0 ? FIRST_EMULATED : lowest
}

function rejectUnknownFlags(changes: ReleaseTables['changes'], options: EmulationOptions): void {
  const flags = [
    ['emulated-version', options.emulatedVersion?.length, 'EmulatesPreviousRelease'],
    ['min-compatibility-version', options.minCompatibilityVersion?.length, 'MinCompatibilityFlag'],
    ['emulation-forward-compatible', options.emulationForwardCompatible, 'EmulatesThreeReleases'],
    [
      'runtime-config-emulation-forward-compatible',
      options.runtimeConfigEmulationForwardCompatible,
      'EmulatesThreeReleases',
    ],
  ] as const
  for (const [flag, value, change] of flags)
    if (value && !changes.has(change)) throw new OptionError(`unknown flag: --${flag}`)
}

function forwardErrors(options: EmulationOptions): string[] {
  const reason = 'cannot be set to true if the emulation version is the same as the binary version'
  return [
    ...(options.emulationForwardCompatible
      ? [`ServerRunOptions.EmulationForwardCompatible ${reason}`]
      : []),
    ...(options.runtimeConfigEmulationForwardCompatible
      ? [`ServerRunOptions.RuntimeConfigEmulationForwardCompatible ${reason}`]
      : []),
  ]
}

const isBetween = (version: string, lowest: string, highest: string): boolean =>
  version.startsWith('1.') &&
  compareReleases(version, lowest) >= 0 &&
  compareReleases(version, highest) <= 0

/** @returns undefined if no version is given @throws OptionError */
function versionIn(texts: readonly string[]): string | undefined {
  let found: string | undefined
  for (const text of texts) {
    const at = text.indexOf('=')
    const component = at < 0 ? COMPONENT : text.slice(0, at).trim()
    const version = parsed(at < 0 ? text : text.slice(at + 1).trim())
    if (version.patch !== 0)
      throw new OptionError(`patch version not allowed, got: ${component}=${version.text}`)
    if (component !== COMPONENT) throw new OptionError(`component not registered: ${component}`)
    if (found !== undefined)
      throw new OptionError(
        `duplicate version flag, ${component}=${found} and ${component}=${version.text}`,
      )
    found = version.text
  }
  return found === undefined ? undefined : found.split('.').slice(0, 2).join('.')
}

function parsed(text: string): { text: string; patch: number } {
  const [whole = '', numbers = ''] = VERSION.exec(text) ?? []
  if (numbers === '' || text.includes('\n', whole.length))
    throw new OptionError(`could not parse ${goQuote(text)} as version`)
  const parts = numbers.split('.')
  const [major = '', , patch = '0'] = parts
  if (parts.length < 2) throw new OptionError(`illegal version string ${goQuote(text)}`)
  if (/^0\d/.test(major))
    throw new OptionError(
      `illegal zero-prefixed version component ${goQuote(major)} in ${goQuote(text)}`,
    )
  return { text: parts.map(Number).join('.'), patch: Number(patch) }
}

/** The emulated versions in errors. */
export const textOf = ({ version, compatible }: Emulation, { changes }: ReleaseTables): string =>
  changes.has('MinCompatibilityFlag')
    ? `emulated version ${version}, min compatibility version ${compatible}`
    : `emulated version ${version}`

/**
 * The tables of a server that emulates an earlier release: its own, with the gates that the earlier
 * release has. Gates that came later are off and cannot be set.
 */
export function emulatedTables(
  tables: ReleaseTables,
  release: Release,
  { version }: Emulation,
): ReleaseTables {
  if (version === release) return tables
  const earlier = tablesOf(version)?.gates() ?? {}
  const gates = Object.keys(tables.gates()).map((name): [string, GateState] => [
    name,
    entryOf(earlier, name) ?? { stage: PRE_ALPHA, default: false },
  ])
  return new ReleaseTables(tables.release, { before: tables, step: {} }, Object.fromEntries(gates))
}
