/** All revisions of the cluster over the full width: drag back, and the page shows that moment; branch from there. */

import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import type { Change } from '../../../../hosts/shared/channel'
import { countText } from '../../../components/format'
import { Icon } from '../../../components/Icon'
import { useCluster } from '../../../state/cluster'
import { useConnection } from '../../../state/connection'
import { useDiscovery } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import { useTimeline } from '../../../state/timeline'
import { notify, useView } from '../../../state/view'
import { exportCluster } from '../../share/actions'
import { freeName, useWorkspaces } from '../../workspaces/workspaces'
import './scrubber.css'

/** Maximum number of bars; each covers the same number of revisions. */
const BARS = 240

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
  const words = at ? `revision ${at.revision}: ${at.kind} ${at.name} ${VERBS[at.type]}` : ''
  return (
    <section
      className={revision === undefined ? 'scrubber' : 'scrubber past'}
      aria-label="History of the cluster"
    >
      <div
        ref={track}
        className="scrub-track"
        role="slider"
        tabIndex={0}
        aria-label="Moment of the cluster"
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={revision ?? last}
        aria-valuetext={revision === undefined ? 'now' : words}
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
          <span className="soft">
            Now, at revision {newest}. Drag back to see any of {changes.length} changes.
          </span>
        ) : (
          <>
            <span className="chip warn">Read only</span>
            <span className="wrap" role="status">
              {words}
              {at?.at !== undefined && (
                <span className="soft mono">
                  {' '}
                  {new Date(at.at).toISOString().slice(11, 19)} UTC
                </span>
              )}
            </span>
            <span className="grow" />
            <button type="button" className="button small" onClick={() => branchFrom(revision)}>
              <Icon name="branch" size={14} /> Branch from here
            </button>
            <button type="button" className="button small primary" onClick={() => show(undefined)}>
              Back to now
            </button>
          </>
        )}
      </div>
    </section>
  )
}

const VERBS: Record<Change['type'], string> = {
  ADDED: 'was made',
  MODIFIED: 'was changed',
  DELETED: 'was removed',
}

const indexOf = (changes: readonly Change[], revision: number): number =>
  changes.findLastIndex((change) => change.revision <= revision)

interface ScrubBar {
  key: number
  /** Percent. */
  height: number
  kind: 'made' | 'changed' | 'removed'
}

/** Creations and deletions make a bar higher. */
function barsOf(changes: readonly Change[]): ScrubBar[] {
  const size = Math.max(1, Math.ceil(changes.length / BARS))
  const bars: ScrubBar[] = []
  for (let i = 0; i < changes.length; i += size) {
    const part = changes.slice(i, i + size)
    const count = (type: Change['type']) => part.filter((change) => change.type === type).length
    const [made, removed] = [count('ADDED'), count('DELETED')]
    const kind = removed > 0 && removed >= made ? 'removed' : made > 0 ? 'made' : 'changed'
    bars.push({
      key: part[0]?.revision ?? i,
      height: kind === 'changed' ? 34 : 52 + (48 * Math.max(made, removed)) / part.length,
      kind,
    })
  }
  return bars
}

function branchFrom(revision: number): void {
  useView.getState().set({
    question: {
      title: `Branch from revision ${revision}?`,
      text: 'Continue from this revision in a new workspace, or replace this cluster. Replacing loses later changes: export them first if you want to keep them.',
      choices: [
        { title: 'Export first', run: () => void exportCluster() },
        {
          title: 'Replace this cluster',
          danger: true,
          run: () => void reportErrors(replaceBy(revision)),
        },
        {
          title: 'In a new workspace',
          run: () => void reportErrors(branchIntoWorkspace(revision)),
        },
      ],
    },
  })
}

const reportErrors = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) =>
    notify(
      `Creating a branch failed: ${error instanceof Error ? error.message : String(error)}`,
      'bad',
    ),
  )

async function stateAt(revision: number) {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error('the API server has not started yet')
  const { objects } = await connection.channel.request('moment', { revision })
  const { time, rate } = await connection.channel.request('clock', undefined)
  return { connection, moment: { objects, clock: { time, rate } } }
}

async function branchIntoWorkspace(revision: number): Promise<void> {
  const { connection, moment } = await stateAt(revision)
  const name = freeName(`from-${revision}`)
  await connection.channelTo(name).request('import', moment)
  useWorkspaces.getState().open(name)
}

async function replaceBy(revision: number): Promise<void> {
  const { connection, moment } = await stateAt(revision)
  await connection.channel.request('import', moment)
  useMoment.getState().show(undefined)
  useCluster.setState({ revision: 0 })
  await useDiscovery.getState().load()
  useCluster.getState().follow()
  await useTimeline.getState().read()
  notify(
    `The cluster continues from revision ${revision}, with ${countText(moment.objects.length, 'object')}`,
  )
}
