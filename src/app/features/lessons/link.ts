/** A lesson in a link's fragment, which browsers send to no server. `#l1=` names the format. */
import { BOUNDS } from '../../../lessons/bounds'
import { compressed, inflated } from '../share/compression'
import { damagedLink } from '../share/damaged-link'
import { ARRIVAL } from './texts'

const MARK = 'l1='
/** A UTF-16 unit may take three bytes. */
const LONGEST = 3 * BOUNDS.text

/** The address's hash without `#`. */
export function encodeLesson(text: string): string {
  return MARK + compressed(text)
}

/** @returns undefined if the hash is not a lesson @throws Error if it cannot be decoded */
export function decodeLesson(hash: string): string | undefined {
  const text = hash.replace(/^#/, '')
  if (!/^l\d+=/.test(text)) return undefined
  if (!text.startsWith(MARK)) throw new Error(ARRIVAL.newer)
  try {
    return inflated(text.slice(MARK.length), { longest: LONGEST })
  } catch (error) {
    throw damagedLink({ name: ARRIVAL.link, instead: ARRIVAL.newLink }, error)
  }
}
