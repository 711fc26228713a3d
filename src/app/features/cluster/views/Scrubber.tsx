import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import type { Change } from '../../../../hosts/shared/channel'
import { Icon } from '../../../components/Icon'
import { useCluster } from '../../../state/cluster'
import { useMoment } from '../../../state/moment'
import { useTimeline } from '../../../state/timeline'
import { branchFrom } from '../branch'
import { TIMELINE } from '../texts'
import { barsOf, indexOf } from '../timeline-bars'
import './scrubber.css'

export function Scrubber() {
  const changes = useTimeline((state) => state.changes)
  const read = useTimeline((state) => state.read)
  const revision = useMoment((state) => state.revision)
  const show = useMoment((state) => state.show)
  const newest = useCluster((state) => state.revision)
  const track = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another newest revision is the reason to read
  useEffect(() => {
    if (revision === undefined) void read()
  }, [newest, revision, read])
  const bars = useMemo(() => barsOf(changes), [changes])
  const first = changes[0]?.revision ?? 0
  const last = changes.at(-1)?.revision ?? 0
  const at = changes.findLast((change) => change.revision <= (revision ?? last))
  const place =
    revision === undefined || last === first ? 1 : (indexOf(changes, revision) + 1) / changes.length
  const go = (index: number) => {
    const change = changes[Math.max(0, Math.min(changes.length - 1, index))]
    if (change) show(change.revision >= last ? undefined : change.revision, change.at)
  }
  const drag = ({ clientX }: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    if (box) go(Math.round(((clientX - box.left) / box.width) * changes.length) - 1)
  }
  const keys = (event: KeyboardEvent) => {
    const index = revision === undefined ? changes.length - 1 : indexOf(changes, revision)
    const to = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      PageUp: index - 20,
      PageDown: index + 20,
      Home: 0,
      End: changes.length - 1,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  if (changes.length < 2) return null
  const words = at ? TIMELINE.change(at.revision, `${at.kind} ${at.name}`, VERBS[at.type]) : ''
  return (
    <section
      className={revision === undefined ? 'scrubber' : 'scrubber past'}
      aria-label={TIMELINE.title}
    >
      <div
        ref={track}
        className="scrub-track"
        role="slider"
        tabIndex={0}
        aria-label={TIMELINE.revision}
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={revision ?? last}
        aria-valuetext={revision === undefined ? TIMELINE.now : words}
        onKeyDown={keys}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          drag(event)
        }}
        onPointerMove={(event) => event.buttons === 1 && drag(event)}
      >
        {bars.map(({ key, height, kind }) => (
          <i key={key} className={`scrub-bar ${kind}`} style={{ height: `${height}%` }} />
        ))}
        <span className="scrub-handle" style={{ left: `${place * 100}%` }} />
      </div>
      <div className="scrub-words small">
        {revision === undefined ? (
          <span className="soft">{TIMELINE.current(newest, changes.length)}</span>
        ) : (
          <>
            <span className="chip warn">{TIMELINE.readOnly}</span>
            <span className="wrap" role="status">
              {words}
              {at?.at !== undefined && (
                <span className="soft mono">
                  {' '}
                  {TIMELINE.time(new Date(at.at).toISOString().slice(11, 19))}
                </span>
              )}
            </span>
            <span className="grow" />
            <button type="button" className="button small" onClick={() => branchFrom(revision)}>
              <Icon name="branch" size={14} /> {TIMELINE.branch}
            </button>
            <button type="button" className="button small primary" onClick={() => show(undefined)}>
              {TIMELINE.backToNow}
            </button>
          </>
        )}
      </div>
    </section>
  )
}

const VERBS: Record<Change['type'], string> = {
  ADDED: TIMELINE.added,
  MODIFIED: TIMELINE.modified,
  DELETED: TIMELINE.removed,
}
