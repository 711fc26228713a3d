/** Browsers can lose databases; the server then starts empty, and the page reports the loss. */
import type { HostStatus } from '../../hosts/shared/channel'
import { load, store } from './stored'
import * as texts from './texts'
import { ownKey } from './workspace'

type Held = Pick<HostStatus, 'revision' | 'objects'>

/** @property at milliseconds since the epoch */
type LastKnown = Held & { at: number }

export const LAST_KNOWN = 'last-known'
/** Throttles writes. */
const EVERY_MILLISECONDS = 10_000

let noted = Number.NEGATIVE_INFINITY

/** @param now milliseconds since the epoch */
export function noteHeld({ revision, objects }: Held, now: number): void {
  if (now - noted < EVERY_MILLISECONDS) return
  noted = now
  store(ownKey(LAST_KNOWN), { revision, objects, at: now } satisfies LastKnown)
}

/** Resets and imports continue the revisions, so they are not a loss. */
export function lossSince({ revision }: Held): string | undefined {
  const known = load<LastKnown | undefined>(ownKey(LAST_KNOWN), undefined)
  if (known === undefined || known.revision <= revision) return undefined
  const when = new Date(known.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
  return texts.dataLost(known.objects, known.revision, when)
}
