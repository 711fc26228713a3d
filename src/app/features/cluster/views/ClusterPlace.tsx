import { useEffect, useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Empty } from '../../../components/Empty'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { sendRequest } from '../../../state/client'
import { useMoment } from '../../../state/moment'
import { useSettings } from '../../../state/settings'
import { notify } from '../../../state/view'
import { failureOf } from '../../manifests/failure'
import { type Breakage, breakagesOf, firstTargets } from '../breakages'
import { followLive, useLive } from '../live'
import { type Picture, pictureOf } from '../picture'
import { ChosenObject } from './ChosenObject'
import './cluster.css'
import './picture.css'
import { CLUSTER } from '../texts'
import type { Chosen } from './chosen'
import { EventList } from './EventList'
import { EXAMPLE } from './example'
import { PictureView } from './PictureView'
import { PodLog } from './PodLog'
import { Switches } from './Switches'
import { TimeControls } from './TimeControls'

export default function ClusterPlace() {
  const objects = useLive((state) => state.objects)
  const complete = useLive((state) => state.complete)
  const failure = useLive((state) => state.failure)
  const [chosen, setChosen] = useState<Chosen>()
  useEffect(() => {
    void useSettings.getState().load()
    return followLive()
  }, [])
  const picture = useMemo(() => pictureOf(objects), [objects])
  const isEmpty =
    picture.workloads.length === 0 &&
    picture.waiting.length === 0 &&
    picture.nodes.every(({ pods }) => pods.length === 0)
  return (
    <div className="cluster-place">
      <div className="cluster-bar">
        <TimeControls />
        <div className="cluster-actions">
          <BreakMenu picture={picture} chosen={chosen} />
          <Switches />
        </div>
      </div>
      <div className="cluster-body">
        <section className="panel cluster-picture" aria-label={CLUSTER.picture}>
          {failure && <p className="note bad">{failure}</p>}
          {!complete ? (
            <Empty>{CLUSTER.loading}</Empty>
          ) : (
            <>
              {isEmpty && <Beginning />}
              <PictureView
                picture={picture}
                chosen={chosen?.uid}
                onChoose={(what) => setChosen(what.uid === chosen?.uid ? undefined : what)}
              />
            </>
          )}
        </section>
        <aside className="panel cluster-side" aria-label={CLUSTER.side}>
          {chosen && <ChosenObject chosen={chosen} onClose={() => setChosen(undefined)} />}
          {chosen?.kind === 'Pod' && <ChosenLog chosen={chosen} objects={objects} />}
          <div className="bar">
            <h2>{chosen ? CLUSTER.eventsOf(chosen.name) : CLUSTER.events}</h2>
          </div>
          <EventList
            objects={objects}
            about={chosen && (chosen.kind === 'Node' ? chosen.name : chosen.uid)}
          />
        </aside>
      </div>
    </div>
  )
}

/** An earlier revision has no logs: nodes keep them, not the store. */
function ChosenLog({ chosen, objects }: { chosen: Chosen; objects: readonly KubeObject[] }) {
  const past = useMoment(({ revision }) => revision !== undefined)
  const pod = objects.find(({ metadata }) => metadata.uid === chosen.uid) as unknown as
    | { spec?: { containers?: { name: string }[] } }
    | undefined
  if (past || pod === undefined) return null
  const containers = (pod.spec?.containers ?? []).map(({ name }) => name)
  return (
    <PodLog
      key={chosen.uid}
      namespace={chosen.namespace}
      name={chosen.name}
      containers={containers}
    />
  )
}

function Beginning() {
  const past = useMoment(({ revision }) => revision !== undefined)
  return (
    <div className="cluster-beginning">
      <p>{CLUSTER.nothing(past ? CLUSTER.past : CLUSTER.yet)}</p>
      <button
        type="button"
        className="button primary"
        disabled={past}
        onClick={() => void send([EXAMPLE])}
      >
        <Icon name="play" size={14} /> {CLUSTER.deploy}
      </button>
    </div>
  )
}

function BreakMenu({ picture, chosen }: { picture: Picture; chosen: Chosen | undefined }) {
  const objects = useLive((state) => state.objects)
  const past = useMoment(({ revision }) => revision !== undefined)
  const items = useMemo(() => {
    const first = firstTargets(picture)
    const pods = [...picture.waiting, ...picture.nodes.flatMap((node) => node.pods)]
    const workload = picture.workloads.find(({ uid }) => uid === chosen?.uid) ?? first.workload
    const [container] = containersIn(objects, workload?.uid)
    return breakagesOf({
      pod: pods.find(({ uid }) => uid === chosen?.uid) ?? first.pod,
      node: picture.nodes.find(({ uid }) => uid === chosen?.uid) ?? first.node,
      workload,
      container,
      quotas: objects
        .filter(({ kind }) => kind === 'ResourceQuota')
        .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    })
  }, [picture, chosen, objects])
  if (past || items.length === 0) return null
  return (
    <Menu
      label={CLUSTER.breakSomething}
      className="button small"
      face={
        <>
          <Icon name="cut" size={14} /> {CLUSTER.breakSomething}
        </>
      }
      items={items.map(({ title, hint, requests, mends }) => ({
        title,
        hint,
        icon: mends ? 'check' : 'cut',
        run: () => void send(requests),
      }))}
    />
  )
}

function containersIn(
  objects: ReturnType<typeof useLive.getState>['objects'],
  uid: string | undefined,
): { name: string; image: string }[] {
  const found = objects.find(({ metadata }) => metadata.uid === uid) as unknown as
    | { spec?: { template?: { spec?: { containers?: { name: string; image?: string }[] } } } }
    | undefined
  return (found?.spec?.template?.spec?.containers ?? []).map(({ name, image = '' }) => ({
    name,
    image,
  }))
}

async function send(requests: Breakage['requests']): Promise<void> {
  for (const { method, path, body, contentType } of requests) {
    const response = await sendRequest({
      method,
      path,
      ...(body && { body: JSON.stringify(body) }),
      ...(contentType && { contentType }),
    })
    if (!response.ok) notify(failureOf(response).message, 'bad')
  }
}
