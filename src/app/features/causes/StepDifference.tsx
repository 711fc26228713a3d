import { useEffect, useState } from 'react'
import type { Json } from '../../../engine/core/object'
import type { Step, StoredState } from '../../../hosts/shared/channel'
import { useConnection } from '../../state/connection'
import { resourceOfKind, useDiscovery } from '../../state/discovery'
import { changesBetween } from '../objects/changes'
import { Changes } from '../objects/views/Changes'
import { fieldsTaken } from './taken'
import { TEXTS, takenField } from './texts'

export function StepDifference({ step }: { step: Step }) {
  const states = useStates(step)
  if (states === undefined) return <p className="causes-difference soft">{TEXTS.loading}</p>
  const at = states.findIndex(({ revision }) => revision === step.revision)
  const [before, after] = [states[at - 1]?.object, states[at]?.object]
  if (before === undefined || after === undefined)
    return <p className="causes-difference soft">{TEXTS.noDifference}</p>
  const taken = fieldsTaken(before, after)
  return (
    <div className="causes-difference">
      <Changes
        changes={changesBetween(before as unknown as Json, after as unknown as Json)}
        title={TEXTS.difference}
      />
      {taken.length > 0 && (
        <section aria-label={TEXTS.taken}>
          <p className="soft small">{TEXTS.taken}</p>
          <ul>
            {taken.map(({ field, from, to }) => (
              <li key={field} className="mono wrap">
                {takenField(field, from, to)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function useStates({ object, kind, namespace, name }: Step): StoredState[] | undefined {
  const channel = useConnection((state) => state.connection?.channel)
  const resource = useDiscovery(({ resources }) =>
    resourceOfKind(resources, object.apiVersion, kind),
  )
  const [states, setStates] = useState<StoredState[]>()
  useEffect(() => {
    if (channel === undefined || resource === undefined) return
    let current = true
    const address = { group: resource.group, resource: resource.resource, namespace, name }
    channel.request('history', address).then(
      (read) => current && setStates(read),
      () => current && setStates([]),
    )
    return () => {
      current = false
    }
  }, [channel, resource, namespace, name])
  return states
}
