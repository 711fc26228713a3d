/** Core events with other member names. See kubernetes.io, "Deprecated API Migration Guide". */
import { apiVersionOf, entryOf, type KubeObject } from '../../core/object'
import type { Conversion } from '../conversion-type'

const HUB = { group: '', version: 'v1' }

const CORE_NAMES: Record<string, string> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingComponent',
}
const SERVED_NAMES = Object.fromEntries(
  Object.entries(CORE_NAMES).map(([served, core]) => [core, served]),
)

function renamed(
  object: KubeObject,
  names: Record<string, string>,
  apiVersion: string,
): KubeObject {
  const members = Object.entries(object).map(([name, value]) => [
    entryOf(names, name) ?? name,
    value,
  ])
  return { ...(Object.fromEntries(members) as KubeObject), apiVersion }
}

const eventsOf = (version: string): Conversion => ({
  hub: HUB,
  toHub: (object) => renamed(object, CORE_NAMES, apiVersionOf(HUB.group, HUB.version)),
  fromHub: (object) => renamed(object, SERVED_NAMES, apiVersionOf('events.k8s.io', version)),
})

export const eventsV1 = eventsOf('v1')
export const eventsV1beta1 = eventsOf('v1beta1')
