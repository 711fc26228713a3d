/** The stored versions of an object, and the differences between any two. */
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { Json } from '../../../../engine/core/object'
import type { AuditEvent, StoredState } from '../../../../hosts/shared/channel'
import { Empty } from '../../../components/Empty'
import { timeText } from '../../../components/format'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { useConnection } from '../../../state/connection'
import { useMoment } from '../../../state/moment'
import { useRequests } from '../../../state/requests'
import { type SelectedObject, useView } from '../../../state/view'
import { OwnerBadge } from '../../ownership/views/Owner'
import { changesBetween } from '../changes'
import { type Revision, revisionsOf } from '../revisions'
import { Changes } from './Changes'
import { openAsManifest } from './manifest'

const YamlDiff = lazy(() => import('../../editor/YamlDiff'))

interface HistoryProps {
  selected: SelectedObject
  /** Another version: the history is read again. */
  version: string
}

export default function History({ selected, version }: HistoryProps) {
  const { states, audit, compacted, failure } = useHistory(selected, version)
  const log = useRequests((state) => state.log)
  const moment = useMoment((state) => state.revision) ?? Number.POSITIVE_INFINITY
  const revisions = useMemo(
    () => revisionsOf(states?.filter(({ revision }) => revision <= moment) ?? [], audit, log),
    [states, audit, log, moment],
  )
  const [chosen, setChosen] = useState<number>()
  const [against, setAgainst] = useState<number>()
  if (failure)
    return (
      <Empty icon="warning">
        The history could not be read: {failure}. Reload the page and try again.
      </Empty>
    )
  if (states === undefined) return <Empty>Reading …</Empty>
  const at = Math.max(
    0,
    revisions.findIndex(({ revision }) => revision === chosen),
  )
  const revision = revisions[at]
  if (revision === undefined) return <Empty icon="layers">No history for this object.</Empty>
  const oldest = revisions[revisions.length - 1]
  return (
    <div className="history">
      <ol className="revisions scroll" aria-label="Revisions, newest first">
        {revisions.map((entry) => (
          <li key={entry.revision}>
            <RevisionRow
              entry={entry}
              chosen={entry === revision}
              onChoose={() => {
                setChosen(entry.revision)
                setAgainst(undefined)
              }}
            />
          </li>
        ))}
        {oldest?.what !== 'created' && (
          <li className="soft small compacted">
            Older revisions were compacted, up to revision {compacted}.
          </li>
        )}
      </ol>
      <Comparison revisions={revisions} at={at} against={against} onAgainst={setAgainst} />
    </div>
  )
}

interface Read {
  states: StoredState[] | undefined
  audit: AuditEvent[]
  compacted: number
  failure: string | undefined
}

const UNREAD: Read = { states: undefined, audit: [], compacted: 0, failure: undefined }

function useHistory({ resource, namespace, name }: SelectedObject, version: string): Read {
  const channel = useConnection((state) => state.connection?.channel)
  const [read, setRead] = useState<Read>(UNREAD)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to read again
  useEffect(() => {
    if (channel === undefined) return
    let current = true
    const address = { group: resource.group, resource: resource.resource, namespace, name }
    Promise.all([
      channel.request('history', address),
      channel.request('status', undefined),
      channel.request('audit', undefined),
    ]).then(
      ([states, { compactRevision }, { items }]) =>
        current &&
        setRead({ states, audit: items, compacted: compactRevision, failure: undefined }),
      (error: unknown) =>
        current &&
        setRead({ ...UNREAD, failure: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      current = false
    }
  }, [channel, resource, namespace, name, version])
  return read
}

const TONE = { created: 'good', changed: 'accent', deleted: 'bad' } as const

function RevisionRow({
  entry,
  chosen,
  onChoose,
}: {
  entry: Revision
  chosen: boolean
  onChoose: () => void
}) {
  const { revision, what, managers, time, who, changes } = entry
  return (
    <button type="button" className="revision" aria-pressed={chosen} onClick={onChoose}>
      <span className="mono revision-number">{revision}</span>
      <span className={`chip ${TONE[what]}`}>{what}</span>
      <span>{managers[0] && <OwnerBadge name={managers[0]} />}</span>
      <span className="revision-words">
        <span className="cut">{summaryOf(what, changes)}</span>
        <span className="soft small cut">
          {[who && shortName(who), managers.join(', '), time && timeText(Date.parse(time))]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </button>
  )
}

/** Where rows are narrow the manager and the time are to be read, too: `kube-system:deployment-controller` */
const shortName = (user: string): string => user.replace(/^system:serviceaccount:/, '')

function summaryOf(what: Revision['what'], changes: Revision['changes']): string {
  if (what !== 'changed') return what === 'created' ? 'Created' : 'Deleted'
  const own = changes.filter(({ bookkeeping }) => !bookkeeping)
  const [first] = own
  if (first === undefined) return 'managedFields changed'
  const short = [first.before, first.after].every((value) => typeof value !== 'object')
  const fields = short
    ? `${first.path} ${valueText(first.before)} → ${valueText(first.after)}`
    : first.path
  return own.length === 1 ? fields : `${fields} and ${own.length - 1} more`
}

const valueText = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value)

const VIEWS = [
  { value: 'fields', title: 'Fields' },
  { value: 'text', title: 'Text' },
] as const

interface ComparisonProps {
  revisions: readonly Revision[]
  at: number
  against: number | undefined
  onAgainst(revision: number | undefined): void
}

function Comparison({ revisions, at, against, onAgainst }: ComparisonProps) {
  const [view, setView] = useState<'fields' | 'text'>('fields')
  const revision = revisions[at] as Revision
  const before =
    against === undefined
      ? revisions[at + 1]
      : revisions.find((entry) => entry.revision === against)
  const base = before?.what === 'deleted' ? undefined : before
  return (
    <section className="comparison" aria-label={`Revision ${revision.revision}`}>
      <div className="bar sub">
        <label className="against">
          <span className="soft">{revision.revision} against</span>
          <select
            className="field"
            value={base?.revision ?? ''}
            onChange={(event) =>
              onAgainst(event.target.value === '' ? undefined : Number(event.target.value))
            }
          >
            {base === undefined && <option value="">nothing</option>}
            {revisions
              .filter((entry) => entry !== revision && entry.what !== 'deleted')
              .map((entry) => (
                <option key={entry.revision} value={entry.revision}>
                  {entry.revision}
                  {entry === revisions[at + 1] ? ' (before)' : ''}
                </option>
              ))}
          </select>
        </label>
        <span className="grow" />
        <Segments label="How" value={view} choices={VIEWS} onChoose={setView} />
        <button
          type="button"
          className="button quiet icon-only small"
          aria-label={`Open revision ${revision.revision} as a manifest`}
          title="Open this revision in the editor (apply it to roll back)"
          onClick={() => void openAsManifest(revision.object)}
        >
          <Icon name="edit" size={14} />
        </button>
      </div>
      {revision.request && <MadeBy revision={revision} />}
      {view === 'text' ? (
        <Suspense fallback={<Empty>Loading the comparison …</Empty>}>
          <YamlDiff before={base?.object} after={revision.object} />
        </Suspense>
      ) : (
        <div className="scroll detail-body">
          {base === undefined ? (
            <p className="soft">No earlier revision to compare.</p>
          ) : revision.what === 'deleted' ? (
            <p className="soft">The object was deleted in this state.</p>
          ) : (
            <Changes
              changes={changesBetween(
                base.object as unknown as Json,
                revision.object as unknown as Json,
              )}
              title={`From ${base.revision} to ${revision.revision}`}
            />
          )}
        </div>
      )}
    </section>
  )
}

function MadeBy({ revision: { request, who } }: { revision: Revision }) {
  if (request === undefined) return null
  const show = () => {
    useRequests.getState().select(request.id)
    useView.getState().set({ activity: 'requests', pane: 'activity' })
  }
  return (
    <p className="made-by">
      {who}:{' '}
      <button type="button" className="link mono" onClick={show}>
        {request.method} {request.path.split('?')[0]}
      </button>
    </p>
  )
}
