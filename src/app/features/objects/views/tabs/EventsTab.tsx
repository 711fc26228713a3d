import { useEffect, useState } from 'react'
import type { KubeObject } from '../../../../../engine/core/object'
import { Empty } from '../../../../components/Empty'
import { sendRequest } from '../../../../state/client'
import { useCluster } from '../../../../state/cluster'
import { queryAt, useMoment } from '../../../../state/moment'
import { EventList } from '../../../cluster/views/EventList'
import { failureOf } from '../../../manifests/failure'
import { EVENTS } from '../../texts'
import type { TabProps } from './tab-props'

interface Read {
  events?: KubeObject[]
  failure?: string
}

export default function EventsTab({ selected: { resource, namespace, name } }: TabProps) {
  // The events that the explorer watches have metadata only.
  const version = useCluster(({ kinds }) => kinds.get('/events'))
  const revision = useMoment((state) => state.revision)
  const [{ events, failure }, setRead] = useState<Read>({})
  // biome-ignore lint/correctness/useExhaustiveDependencies: another event is the reason to read again
  useEffect(() => {
    let current = true
    const fields = [`involvedObject.kind=${resource.kind}`, `involvedObject.name=${name}`].join(',')
    const query = queryAt(revision)
    const path = `/api/v1${namespace === '' ? '' : `/namespaces/${namespace}`}/events${query}${query === '' ? '?' : '&'}fieldSelector=${encodeURIComponent(fields)}`
    void sendRequest({ method: 'GET', path, origin: 'page' }).then((response) => {
      if (!current) return
      const { items } = (response.json ?? {}) as { items?: KubeObject[] | null }
      if (response.ok)
        setRead({ events: (items ?? []).map((item) => ({ ...item, kind: 'Event' })) })
      else setRead({ failure: failureOf(response).message })
    })
    return () => {
      current = false
    }
  }, [resource.kind, namespace, name, version, revision])
  if (failure !== undefined) return <Empty icon="warning">{EVENTS.failed(failure)}</Empty>
  if (events === undefined) return <Empty>{EVENTS.loading}</Empty>
  return (
    <div className="scroll object-tab object-events">
      <EventList objects={events} about={name} />
    </div>
  )
}
