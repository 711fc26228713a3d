import { useRef } from 'react'
import { type Picture, type PodMark, revisionsOf } from '../picture'
import { PICTURE } from '../texts'
import type { Choice } from './chosen'
import { NodeCard } from './NodeCard'
import { PodIcon } from './PodIcon'
import { useLines } from './picture-lines'
import { WorkloadCard } from './WorkloadCard'

interface PictureViewProps extends Choice {
  picture: Picture
}

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
      <section className="picture-wanted" aria-label={PICTURE.workloads}>
        <h2>{PICTURE.workloads}</h2>
        {picture.workloads.map((workload) => (
          <WorkloadCard
            key={workload.uid}
            workload={workload}
            chosen={chosen}
            onChoose={onChoose}
          />
        ))}
      </section>
      <section className="picture-nodes" aria-label={PICTURE.nodes}>
        <h2>{PICTURE.nodes}</h2>
        {picture.waiting.length > 0 && (
          <section className="node-box waits" aria-label={PICTURE.unscheduled}>
            <header>
              <strong>{PICTURE.unscheduled}</strong>
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
        {picture.nodes.length === 0 && <p className="soft small">{PICTURE.noNodes}</p>}
      </section>
    </div>
  )
}
