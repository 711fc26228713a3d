import { lazy, Suspense, useState } from 'react'
import type { Json } from '../../../../engine/core/object'
import { Empty } from '../../../components/Empty'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { useRequests } from '../../../state/requests'
import { useView } from '../../../state/view'
import { changesBetween } from '../changes'
import type { Revision } from '../revisions'
import { COMPARISON } from '../texts'
import { Changes } from './Changes'
import { openAsManifest } from './manifest'

const YamlDiff = lazy(() => import('../../editor/YamlDiff'))

const VIEWS = [
  { value: 'fields', title: COMPARISON.fields },
  { value: 'text', title: COMPARISON.text },
] as const

interface ComparisonProps {
  revisions: readonly Revision[]
  at: number
  against: number | undefined
  onAgainst(revision: number | undefined): void
}

export function Comparison({ revisions, at, against, onAgainst }: ComparisonProps) {
  const [view, setView] = useState<'fields' | 'text'>('fields')
  const revision = revisions[at] as Revision
  const before =
    against === undefined
      ? revisions[at + 1]
      : revisions.find((entry) => entry.revision === against)
  const base = before?.what === 'deleted' ? undefined : before
  return (
    <section className="comparison" aria-label={COMPARISON.title(revision.revision)}>
      <div className="bar sub">
        <label className="against">
          <span className="soft">{COMPARISON.compare(revision.revision)}</span>
          <select
            className="field"
            value={base?.revision ?? ''}
            onChange={(event) =>
              onAgainst(event.target.value === '' ? undefined : Number(event.target.value))
            }
          >
            {base === undefined && <option value="">{COMPARISON.nothing}</option>}
            {revisions
              .filter((entry) => entry !== revision && entry.what !== 'deleted')
              .map((entry) => (
                <option key={entry.revision} value={entry.revision}>
                  {entry.revision}
                  {entry === revisions[at + 1] && COMPARISON.previous}
                </option>
              ))}
          </select>
        </label>
        <span className="grow" />
        <Segments label={COMPARISON.display} value={view} choices={VIEWS} onChoose={setView} />
        <button
          type="button"
          className="button quiet icon-only small"
          aria-label={COMPARISON.open(revision.revision)}
          title={COMPARISON.openTitle}
          onClick={() => void openAsManifest(revision.object)}
        >
          <Icon name="edit" size={14} />
        </button>
      </div>
      {revision.request && <MadeBy revision={revision} />}
      {view === 'text' ? (
        <Suspense fallback={<Empty>{COMPARISON.loading}</Empty>}>
          <YamlDiff before={base?.object} after={revision.object} />
        </Suspense>
      ) : (
        <div className="scroll detail-body">
          {base === undefined ? (
            <p className="soft">{COMPARISON.first}</p>
          ) : revision.what === 'deleted' ? (
            <p className="soft">{COMPARISON.deleted}</p>
          ) : (
            <Changes
              changes={changesBetween(
                base.object as unknown as Json,
                revision.object as unknown as Json,
              )}
              title={COMPARISON.range(base.revision, revision.revision)}
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
