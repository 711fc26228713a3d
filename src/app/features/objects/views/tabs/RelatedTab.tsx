import { useMemo } from 'react'
import { HealthMark } from '../../../../components/HealthMark'
import { useCluster } from '../../../../state/cluster'
import { selectObject } from '../../../../state/view'
import { type Dependent, type RelatedObject, relatedOf } from '../../related'
import { RELATED } from '../../texts'
import type { TabProps } from './tab-props'

export default function RelatedTab({ object }: TabProps) {
  const all = useAll()
  const { uid = '', ownerReferences = [] } = object.metadata
  const { owners, missing, dependents, truncated } = useMemo(
    () => relatedOf({ uid, owners: ownerReferences }, all),
    [uid, ownerReferences, all],
  )
  return (
    <div className="scroll object-tab">
      <section aria-label={RELATED.owners}>
        <h3>{RELATED.owners}</h3>
        {owners.length + missing.length === 0 && <p className="soft">{RELATED.noOwners}</p>}
        <ul className="related">
          {owners.map((owner) => (
            <li key={owner.uid}>
              <ObjectLine object={owner} />
            </li>
          ))}
          {missing.map(({ uid: gone, kind, name }) => (
            <li key={gone} className="soft">
              {RELATED.missing(kind, name)}
            </li>
          ))}
        </ul>
      </section>
      <section aria-label={RELATED.dependents}>
        <h3>{RELATED.dependents}</h3>
        {dependents.length === 0 && <p className="soft">{RELATED.noDependents}</p>}
        <Dependents dependents={dependents} />
        {truncated && <p className="soft">{RELATED.truncated}</p>}
      </section>
    </div>
  )
}

function Dependents({ dependents }: { dependents: readonly Dependent[] }) {
  if (dependents.length === 0) return null
  return (
    <ul className="related">
      {dependents.map(({ object, dependents: below }) => (
        <li key={object.uid}>
          <ObjectLine object={object} />
          <Dependents dependents={below} />
        </li>
      ))}
    </ul>
  )
}

function ObjectLine({ object }: { object: RelatedObject }) {
  const { resource, name, health } = object
  return (
    <span className="related-line">
      <button type="button" className="link" onClick={() => selectObject(object)}>
        <span className="kind">{resource.kind}</span> <span className="mono">{name}</span>
      </button>
      {health && <HealthMark health={health} />}
    </span>
  )
}

function useAll(): RelatedObject[] {
  const kinds = useCluster((state) => state.kinds)
  return useMemo(
    () =>
      [...kinds.values()].flatMap(({ resource, objects }) =>
        [...objects.values()].map(({ namespace, name, uid, owners, health }) => ({
          resource,
          namespace,
          name,
          uid,
          owners,
          health,
        })),
      ),
    [kinds],
  )
}
