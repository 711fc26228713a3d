import type { ReactNode } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { ageText } from '../../../components/age'
import { HealthMark } from '../../../components/HealthMark'
import { clusterNow, useClusterTime } from '../../../state/clock'
import { useDiscovery } from '../../../state/discovery'
import { useHealth } from '../../../state/use-health'
import { type SelectedObject, selectObject } from '../../../state/view'
import * as texts from '../shell-texts'
import { Terminating } from './Terminating'

export function Facts({
  selected,
  object,
  gone,
}: {
  selected: SelectedObject
  object: KubeObject
  gone: boolean
}) {
  const health = useHealth(selected)
  const now = useClusterTime() ?? clusterNow()
  const {
    namespace,
    creationTimestamp,
    resourceVersion,
    generation,
    deletionTimestamp,
    ownerReferences = [],
  } = object.metadata
  return (
    <>
      <dl className="facts">
        {health && health.text !== '' && !gone && (
          <Fact name={texts.status.toLowerCase()}>
            <HealthMark health={health} />
          </Fact>
        )}
        {namespace && <Fact name={texts.namespace}>{namespace}</Fact>}
        {creationTimestamp && (
          <Fact name={texts.age}>
            <time dateTime={creationTimestamp} title={creationTimestamp}>
              {ageText(now - Date.parse(creationTimestamp))}
            </time>
          </Fact>
        )}
        <Fact name={texts.resourceVersion}>{resourceVersion}</Fact>
        {generation !== undefined && <Fact name={texts.generation}>{generation}</Fact>}
        {ownerReferences.map((owner) => (
          <Fact key={owner.uid} name={texts.owner}>
            <Owner owner={owner} namespace={namespace ?? ''} />
          </Fact>
        ))}
      </dl>
      {gone && <p className="note bad">{texts.lastState}</p>}
      {!gone && deletionTimestamp && <Terminating selected={selected} object={object} now={now} />}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Owner({
  owner,
  namespace,
}: {
  owner: { apiVersion: string; kind: string; name: string }
  namespace: string
}) {
  const resource = useDiscovery(({ resources }) =>
    resources.find(
      ({ group, version, kind }) =>
        kind === owner.kind &&
        (group === '' ? version : `${group}/${version}`) === owner.apiVersion,
    ),
  )
  if (resource === undefined) return `${owner.kind} ${owner.name}`
  return (
    <button
      type="button"
      className="link"
      onClick={() =>
        selectObject({
          resource,
          namespace: resource.namespaced ? namespace : '',
          name: owner.name,
        })
      }
    >
      {owner.kind} {owner.name}
    </button>
  )
}
