/**
 * A shared link has a compressed scenario in its fragment, which browsers do not send. `#k2=` names
 * the format; all formats remain readable (docs/links.md).
 */
import { entryOf } from '../../../engine/core/object'
import { compressed, inflated } from './compression'
import { damagedLink, type Source } from './damaged-link'
import { DICTIONARY } from './link-dictionary'
import { type Scenario, scenarioOf } from './scenario'
import { DAMAGED } from './texts'

/** Some chat and mail programs break longer addresses. */
export const COMFORTABLE_LENGTH = 2000

/** Chromium loads addresses up to 2 MiB, Firefox up to 1 MiB. */
export const LONGEST_LENGTH = 1 << 20

const FORMATS: Record<string, ((text: string) => string) | undefined> = {
  k1: (text) => inflated(text),
  k2: (text) => inflated(text, { dictionary: DICTIONARY }),
}

/** The hash without `#`. */
export function encodeScenario(scenario: Scenario): string {
  return `k2=${compressed(JSON.stringify(scenario), DICTIONARY)}`
}

const LINK: Source = { name: DAMAGED.link, instead: DAMAGED.newLink }

/**
 * @param source names the text in error messages
 * @returns undefined if the hash is not a scenario @throws Error for an invalid scenario
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
