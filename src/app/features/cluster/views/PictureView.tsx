/** The picture of the workload: on the left what is wanted, on the right the nodes with their pods, and lines from sets to pods. */
import { useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../../../components/Icon'
import type { NodeBox, Picture, PodMark, PodSet, Workload } from '../picture'
import { PodIcon } from './PodIcon'

/** The selection. */
export interface Chosen {
  apiVersion: string
  kind: string
  namespace: string
  name: string
  uid: string
}

interface PictureViewProps {
  picture: Picture
  /** Its uid. */
  chosen: string | undefined
  onChoose: (what: Chosen) => void
}

/** With more pods than these the lines would hide the picture. */
const MOST_LINES = 80

export function PictureView({ picture, chosen, onChoose }: PictureViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const lines = useLines(box, picture)
  const revisions = revisionsOf(picture)
  const choosePod = ({ namespace, name, uid }: PodMark) =>
    onChoose({ apiVersion: 'v1', kind: 'Pod', namespace, name, uid })
  const sign = (pod: PodMark) => (
    <PodIcon
      key={pod.uid}
      pod={pod}
      revision={revisions.get(pod.set)}
      chosen={chosen === pod.uid}
      onChoose={choosePod}
    />
  )
  return (
    <div className="picture" ref={box}>
      <svg className="picture-lines" aria-hidden="true">
        {lines.map(({ set, pod, d, newest }) => (
          <path
            key={pod}
            d={d}
            className={`${newest ? 'newest' : 'older'}${chosen === set || chosen === pod ? ' lit' : ''}`}
          />
        ))}
      </svg>
      <section className="picture-wanted" aria-label="Workloads">
        <h2>Workloads</h2>
        {picture.workloads.map((workload) => (
          <WorkloadCard
            key={workload.uid}
            workload={workload}
            chosen={chosen}
            onChoose={onChoose}
          />
        ))}
      </section>
      <section className="picture-nodes" aria-label="Nodes">
        <h2>Nodes</h2>
        {picture.waiting.length > 0 && (
          <section className="node-box waits" aria-label="On no node yet">
            <header>
              <strong>no node yet</strong>
              <span className="count">{picture.waiting.length}</span>
            </header>
            <div className="pods">{picture.waiting.map(sign)}</div>
          </section>
        )}
        <div className="nodes">
          {picture.nodes.map((node) => (
            <NodeCard key={node.name} node={node} sign={sign} chosen={chosen} onChoose={onChoose} />
          ))}
        </div>
        {picture.nodes.length === 0 && (
          <p className="soft small">No nodes. Add some to run pods.</p>
        )}
      </section>
    </div>
  )
}

function WorkloadCard({
  workload,
  chosen,
  onChoose,
}: { workload: Workload } & Omit<PictureViewProps, 'picture'>) {
  const { apiVersion, kind, name, namespace, uid, wanted, ready, status, sets } = workload
  return (
    <article
      className={chosen === uid ? 'workload chosen' : 'workload'}
      aria-label={`${kind} ${name}`}
    >
      <button
        type="button"
        className="workload-head"
        aria-pressed={chosen === uid}
        onClick={() => onChoose({ apiVersion, kind, namespace, name, uid })}
      >
        <span className="kind">{kind}</span>
        <strong className="cut">{name}</strong>
        <span className="soft small">{namespace}</span>
        <span className={ready >= wanted ? 'chip good' : 'chip warn'}>
          {ready} of {wanted} ready
        </span>
      </button>
      {status && <p className="workload-status small">{status}</p>}
      <ul className="sets">
        {sets
          .filter((set) => set.newest || set.wanted > 0 || set.pods.length > 0)
          .map((set) => (
            <SetRow key={set.uid} set={set} chosen={chosen} onChoose={onChoose} />
          ))}
      </ul>
    </article>
  )
}

function SetRow({ set, chosen, onChoose }: { set: PodSet } & Omit<PictureViewProps, 'picture'>) {
  const { kind, name, namespace, uid, title, images, wanted, pods, newest } = set
  const ready = pods.filter(({ state }) => state === 'ready').length
  const isSet = kind === 'ReplicaSet'
  const words = `${title}: ${images.join(', ')}, ${wanted} wanted, ${pods.length} there, ${ready} ready`
  return (
    <li className={newest ? 'set newest' : 'set older'} data-source={uid}>
      <button
        type="button"
        disabled={!isSet}
        aria-pressed={chosen === uid}
        aria-label={words}
        onClick={() => onChoose({ apiVersion: 'apps/v1', kind, namespace, name, uid })}
      >
        <span className="set-title">{title}</span>
        <span className="mono cut">{images.join(', ')}</span>
        <span className="set-count">
          {ready}/{wanted}
        </span>
        <Bar wanted={wanted} ready={ready} there={pods.length} />
      </button>
    </li>
  )
}

/** The desired, existing and ready replicas. */
function Bar({ wanted, ready, there }: { wanted: number; ready: number; there: number }) {
  const whole = Math.max(wanted, there, 1)
  const share = (count: number) => ({ width: `${(100 * count) / whole}%` })
  return (
    <span className="set-bar" aria-hidden="true">
      <i className="there" style={share(there)} />
      <i className="ready" style={share(ready)} />
      <i className="wanted" style={{ left: `${(100 * wanted) / whole}%` }} />
    </span>
  )
}

function NodeCard({
  node,
  sign,
  chosen,
  onChoose,
}: { node: NodeBox; sign: (pod: PodMark) => React.ReactNode } & Omit<PictureViewProps, 'picture'>) {
  const { uid, name, state, cordoned, pods } = node
  const status = [state, cordoned ? 'cordoned' : ''].filter(Boolean).join(', ')
  return (
    <section
      className={`node-box is-${state.replace(' ', '-')}`}
      aria-label={`Node ${name}: ${status}`}
    >
      <header>
        <button
          type="button"
          className="node-head"
          aria-pressed={chosen === uid}
          onClick={() => onChoose({ apiVersion: 'v1', kind: 'Node', namespace: '', name, uid })}
        >
          {state !== 'ready' && <Icon name="warning" size={14} />}
          <strong>{name}</strong>
        </button>
        <span className={state === 'ready' && !cordoned ? 'chip mute' : 'chip warn'}>{status}</span>
        <span className="count">{pods.length}</span>
      </header>
      <div className="pods">{pods.map(sign)}</div>
    </section>
  )
}

/** `r2` for sets of workloads that have several with pods. */
function revisionsOf({ workloads }: Picture): Map<string, string> {
  const all = workloads.flatMap(({ sets }) =>
    sets.filter(({ title }) => title.startsWith('revision ')),
  )
  return new Map(all.map(({ uid, title }) => [uid, title.replace('revision ', 'r')]))
}

interface DrawnLine {
  /** Uids of its ends. */
  set: string
  pod: string
  d: string
  newest: boolean
}

/** Lines from each set to its pods, measured where the page has put them. */
function useLines(box: React.RefObject<HTMLDivElement | null>, picture: Picture): DrawnLine[] {
  const [lines, setLines] = useState<DrawnLine[]>([])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setLines(linesIn(element, picture))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, picture])
  return lines
}

function linesIn(box: HTMLElement, { workloads }: Picture): DrawnLine[] {
  const sets = workloads.flatMap((workload) => workload.sets)
  if (sets.reduce((sum, { pods }) => sum + pods.length, 0) > MOST_LINES) return []
  const origin = box.getBoundingClientRect()
  const placeOf = (selector: string) => box.querySelector(selector)?.getBoundingClientRect()
  return sets.flatMap(({ uid, pods, newest }) => {
    const from = placeOf(`[data-source="${CSS.escape(uid)}"]`)
    if (from === undefined) return []
    return pods.flatMap((pod) => {
      const to = placeOf(`[data-pod="${CSS.escape(pod.uid)}"]`)
      // Below each other there is no room between them.
      if (to === undefined || to.left < from.right) return []
      const [x1, y1] = [from.right - origin.left, from.top + from.height / 2 - origin.top]
      const [x2, y2] = [to.left - origin.left, to.top + to.height / 2 - origin.top]
      const bend = (x2 - x1) / 2
      return [
        {
          set: uid,
          pod: pod.uid,
          d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
          newest,
        },
      ]
    })
  })
}
