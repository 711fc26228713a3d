import type { Step } from '../../../hosts/shared/channel'
import { type Health, healthOf, type Tone } from './health'
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

export const healthOfStep = ({ object, type }: Step): Health => healthOf(object, type === 'DELETED')

/** `2/3 Ready` if two of three pods are; one text if all are equal. */
function together(all: readonly Health[]): Health {
  const [first = { tone: 'good', text: '' } satisfies Health, ...others] = all
  if (others.every(({ tone, text }) => tone === first.tone && text === first.text)) return first
  const tones = new Set<Tone>(all.map(({ tone }) => tone))
  const tone = tones.has('bad') ? 'bad' : tones.has('wait') ? 'wait' : 'good'
  const done = all.filter((health) => health.tone === 'good').length
  const worst = all.find((health) => health.tone === tone)?.text ?? ''
  return { tone, text: tone === 'good' ? '' : `${done}/${all.length}, ${worst}` }
}
