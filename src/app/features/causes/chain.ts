import type { Step } from '../../../hosts/shared/channel'
import { current, type Health, type Level, none } from '../../state/health/health'
import { deletedHealth, healthOf } from '../../state/health/object-health'
import { several } from './texts'

export interface Link {
  kind: string
  latest: Step[]
  title: string
  health: Health
}

/** Kinds with so many changes that they would hide the others. */
const HIDDEN: ReadonlySet<string> = new Set(['Event', 'Lease'])

/** In the order of the first steps. */
export function linksOf(steps: readonly Step[], pluralOf: (kind: string) => string): Link[] {
  const kinds = new Map<string, Map<string, Step>>()
  for (const step of steps) {
    if (HIDDEN.has(step.kind)) continue
    const objects = kinds.get(step.kind) ?? new Map<string, Step>()
    objects.set(`${step.namespace}/${step.name}`, step)
    kinds.set(step.kind, objects)
  }
  return [...kinds].map(([kind, objects]) => {
    const latest = [...objects.values()]
    const [only, ...others] = latest
    const title =
      only !== undefined && others.length === 0
        ? `${kind} ${only.name}`
        : several(latest.length, pluralOf(kind))
    return { kind, latest, title, health: together(latest.map(healthOfStep)) }
  })
}

export const healthOfStep = ({ object, type }: Step): Health =>
  type === 'DELETED' ? deletedHealth : healthOf(object)

const WORST_FIRST: readonly Level[] = ['Failed', 'Terminating', 'InProgress']

/** `2/3, 0/1 Pending` if two of three are done; one text if all are equal. */
function together(all: readonly Health[]): Health {
  const [first, ...others] = all
  if (first === undefined) return none()
  if (others.every(({ level, text }) => level === first.level && text === first.text)) return first
  const worst = WORST_FIRST.flatMap(
    (level) => all.find((health) => health.level === level) ?? [],
  )[0]
  if (worst === undefined) return current('')
  const done = all.filter(({ level }) => !WORST_FIRST.includes(level)).length
  return { ...worst, text: `${done}/${all.length}, ${worst.text}` }
}
