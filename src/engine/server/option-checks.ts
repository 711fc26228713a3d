/** These options are validated before the server is created. */

import { type Controller, controllersOf } from '../controllers'
import { entryOf } from '../core/object'
import { DEFAULT_NODE_PORTS, DEFAULT_RANGES } from '../kinds/core/service-addresses'
import type { PortRange, ServiceRange } from '../registry/service-ranges'
import { type EmulatedResources, emulatedGroups } from '../releases/emulated'
import {
  DEFAULT_RELEASE,
  NEWER_RELEASES,
  parseRelease,
  RELEASES,
  type Release,
  releaseAfter,
} from '../releases/release'
import { isOn, RuntimeConfigError, servedGroups } from '../releases/served'
import { goQuote } from '../schema/go-text'
import { canonicalRange, cidrFamily, rangeSize } from '../validation/addresses'
import { OptionError } from './option-error'

/** @throws OptionError */
export function releaseOf(given: string = DEFAULT_RELEASE): Release {
  const release = parseRelease(given)
  if (release !== undefined) return release
  throw new OptionError(
    `unknown release ${goQuote(given)}, known are ${RELEASES[0]} to ${NEWER_RELEASES.at(-1)}`,
  )
}

/** @throws OptionError for any release but the previous one */
export function showsHidden(given: string | undefined, release: Release): boolean {
  if (!given) return false
  const before = releaseAfter(release, -1)
  if (given === before) return true
  throw new OptionError(
    `--show-hidden-metrics-for-version must be omitted or have the value '${before}'. Only the previous minor version is allowed`,
  )
}

/** @throws OptionError */
export function groupsOf(
  config: Readonly<Record<string, string>> | undefined,
  release: Release,
  gates: Readonly<Record<string, boolean>>,
  emulation: Omit<EmulatedResources, 'release' | 'isNamed'> | undefined = undefined,
): ReturnType<typeof servedGroups> {
  try {
    const groups = servedGroups(config, release, gates)
    if (emulation === undefined || emulation.version === release) return groups
    const isNamed = (name: string) => {
      const value = entryOf(config ?? {}, name)
      return value !== undefined && isOn(name, value)
    }
    return emulatedGroups(groups, { ...emulation, release, isNamed })
  } catch (error) {
    throw error instanceof RuntimeConfigError ? new OptionError(error.message) : error
  }
}

const MAX_RANGE_BITS = 20n
/** Some addresses of a range are never allocated. */
const MIN_RANGE_SIZE = 8n

/**
 * One range, or one per IP family. @throws OptionError with messages recorded from kube-apiserver
 * 1.31
 */
export function serviceRangesOf(given: readonly string[] | undefined): readonly ServiceRange[] {
  if (given === undefined || given.length === 0) return DEFAULT_RANGES
  if (given.length > 2)
    throw new OptionError('--service-cluster-ip-range must not contain more than two entries')
  const ranges = given.map((text, i): ServiceRange => {
    const family = cidrFamily(text.trim())
    if (family === undefined)
      throw new OptionError(`service-cluster-ip-range[${i}] is not a valid cidr`)
    return { family, text: canonicalRange(text.trim()) }
  })
  if (ranges[0]?.family === ranges[1]?.family)
    throw new OptionError(
      '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
    )
  for (const [i, { family, text }] of ranges.entries()) {
    const bits = family === 'IPv4' ? 32 : 128
    const name = i === 0 ? '--service-cluster-ip-range' : '--secondary-service-cluster-ip-range'
    if (rangeSize(text) > 1n << MAX_RANGE_BITS)
      throw new OptionError(
        `specified ${name} is too large; for ${bits}-bit addresses, the mask must be >= ${bits - Number(MAX_RANGE_BITS)}`,
      )
    if (rangeSize(text) < MIN_RANGE_SIZE) {
      const which = i === 0 ? 'primary' : 'secondary'
      const why = `the service cluster IP range must be at least ${MIN_RANGE_SIZE} IP addresses`
      throw new OptionError(`error determining service IP ranges for ${which} service cidr: ${why}`)
    }
  }
  return ranges
}

const HIGHEST_PORT = 65_535

/** @param given `30000-32767`, `30000+2768` or `30000` @throws OptionError */
export function nodePortsOf(given: string | undefined): PortRange {
  if (!given) return DEFAULT_NODE_PORTS
  const [, low, sign, high] = /^\s*(\d+)\s*(?:([-+])\s*(\d+)\s*)?$/.exec(given) ?? []
  const first = Number(low)
  const last = sign === '+' ? first + Number(high) - 1 : Number(high ?? low)
  if (low === undefined || last < first || last > HIGHEST_PORT || first === 0)
    throw new OptionError(
      `--service-node-port-range=${given} is not a port range such as 30000-32767`,
    )
  return { first, last }
}

/** @throws OptionError for an unknown name */
export function knownControllers(requested: readonly string[]): Controller[] {
  const controllers = controllersOf(requested)
  if (typeof controllers === 'string')
    throw new OptionError(`${goQuote(controllers)} is not in the list of known controllers`)
  return controllers
}
