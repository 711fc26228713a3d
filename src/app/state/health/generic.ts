/** Custom resources by the conventions of kstatus: conditions `Ready`, `Reconciling`, `Stalled`. */
import type { KubeObject } from '../../../engine/core/object'
import {
  type Condition,
  conditionOf,
  current,
  failed,
  type Health,
  inProgress,
  isStale,
  none,
  reasonOf,
  type WithConditions,
} from './health'
import { HEALTH } from './texts'

export function generic(object: KubeObject): Health {
  const ready = conditionOf(object, 'Ready') ?? conditionOf(object, 'Available')
  const stalled = conditionOf(object, 'Stalled')
  const reconciling = conditionOf(object, 'Reconciling')
  if (stalled?.status === 'True') return failed('Stalled', reasonOf(stalled))
  if (reconciling?.status === 'True') return inProgress('Reconciling', reasonOf(reconciling))
  if (isStale(object)) return inProgress(wordOf(ready) || HEALTH.reconciling, HEALTH.notObserved)
  if (ready === undefined) return none(phaseOf(object))
  if (ready.status === 'True') return current(ready.type)
  return inProgress(wordOf(ready), reasonOf(ready))
}

/** `NotReady`, as kubectl prints it for nodes. */
function wordOf(ready: Condition | undefined): string {
  if (ready === undefined) return ''
  if (ready.status === 'True') return ready.type
  return ready.status === 'False' ? `Not${ready.type}` : HEALTH.unknown
}

function phaseOf(object: KubeObject): string {
  const phase = (object as KubeObject & WithConditions).status?.phase
  return typeof phase === 'string' ? phase : ''
}
