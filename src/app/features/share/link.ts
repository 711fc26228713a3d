/**
 * A compressed scenario in a link's fragment, which browsers send to no server. `#k2=` names the
 * format; all formats remain readable (docs/links.md).
 */
import { entryOf } from '../../../engine/core/object'
import { compressed, inflated } from './compression'
import { damagedLink, type Source } from './damaged-link'
import { DICTIONARY } from './link-dictionary'
import { type Scenario, scenarioOf } from './scenario'
import { DAMAGED } from './texts'

/** Longer addresses break in some chat programs and mail. */
export const COMFORTABLE_LENGTH = 2000

/** Chromium loads addresses up to 2 MiB, Firefox up to 1. */
export const LONGEST_LENGTH = 1 << 20

/** Decoders by format. The first has the same members. */
const FORMATS: Record<string, ((text: string) => string) | undefined> = {
  k1: (text) => inflated(text),
  k2: (text) => inflated(text, { dictionary: DICTIONARY }),
}

/** The address's hash without `#`. */
export function encodeScenario(scenario: Scenario): string {
  return `k2=${compressed(JSON.stringify(scenario), DICTIONARY)}`
}

/** The source of an address, for errors. */
const LINK: Source = { name: DAMAGED.link, instead: DAMAGED.newLink }

/**
 * @param source for error messages
 * @returns undefined if the hash is not a scenario @throws Error if it cannot be decoded
 */
export function decodeScenario(hash: string, source: Source = LINK): Scenario | undefined {
  const [, format, text = ''] = /^#?(k\d+)=(.*)$/s.exec(hash) ?? []
  if (format === undefined) return undefined
  const read = entryOf(FORMATS, format)
  if (read === undefined) throw new Error(DAMAGED.newer(source.name))
  try {
    return scenarioOf(JSON.parse(read(text.trim())))
  } catch (error) {
    throw damagedLink(source, error)
  }
}
