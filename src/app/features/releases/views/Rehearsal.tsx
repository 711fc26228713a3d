/** Manifests in; for every release on the way what becomes of them, why, and what to write instead. */
import { lazy, Suspense, useState } from 'react'
import { copyText } from '../../../components/copy'
import { Empty } from '../../../components/Empty'
import { Icon, type IconName } from '../../../components/Icon'
import { TextDiff } from '../../../components/TextDiff'
import { notify, useView } from '../../../state/view'
import { activeTab, useEditors } from '../../manifests/editors'
import { BROKEN, type CheckedManifest, type Finding, type Outcome, type Report } from '../findings'
import { useRehearsal } from '../rehearsal'
import {
  jsonReport,
  markdownReport,
  nameOf,
  OUTCOME_WORDS,
  placeOf,
  remarksOf,
  summaryOf,
} from '../report'
import { ReleaseChoice } from './ReleaseChoice'

const ReadingEditor = lazy(() => import('../../editor/ReadingEditor'))

export function Rehearsal() {
  const { text, from, to, loading, report, failure, set, run } = useRehearsal()
  return (
    <div className="rehearsal">
      <div className="rehearsal-given">
        <div className="bar sub">
          <ReleaseChoice label="From" value={from} onChoose={(release) => set({ from: release })} />
          <ReleaseChoice label="to" value={to} onChoose={(release) => set({ to: release })} />
          <span className="grow" />
          <button
            type="button"
            className="button quiet small"
            onClick={() => set({ text: activeTab(useEditors.getState()).text })}
          >
            Use the open file
          </button>
          <button
            type="button"
            className="button primary small"
            disabled={loading !== undefined}
            onClick={() => void run()}
          >
            {loading === undefined ? 'Run check' : `Checking ${loading} …`}
          </button>
        </div>
        <div className="rehearsal-text">
          <Suspense>
            <ReadingEditor
              text={text}
              language="yaml"
              label="Manifests to rehearse with"
              onChange={(typed) => set({ text: typed })}
              options={{ quickSuggestions: false }}
            />
          </Suspense>
        </div>
      </div>
      <div className="rehearsal-found scroll" aria-live="polite">
        {failure !== undefined && (
          <p className="note bad" role="alert">
            Check failed: {failure}
          </p>
        )}
        {report ? (
          <Found report={report} />
        ) : (
          <Empty icon="branch" title="What will an upgrade do to your manifests?">
            Paste them and select two releases: manifests are dry-run against every version in
            between. Your cluster is not affected.
            <span>
              The same runs in a terminal: <code>npm run upgrade-check</code>
            </span>
          </Empty>
        )}
      </div>
    </div>
  )
}

const MARKS: Record<Outcome, { icon: IconName; tone: 'good' | 'warn' | 'bad' }> = {
  accepted: { icon: 'check', tone: 'good' },
  deprecated: { icon: 'warning', tone: 'warn' },
  gone: { icon: 'close', tone: 'bad' },
  absent: { icon: 'close', tone: 'bad' },
  off: { icon: 'close', tone: 'bad' },
  unknown: { icon: 'close', tone: 'bad' },
  rejected: { icon: 'stop', tone: 'bad' },
}

function Found({ report }: { report: Report }) {
  const firstBroken = report.manifests.findIndex(({ findings }) =>
    BROKEN.includes((findings.at(-1) as Finding).outcome),
  )
  const [chosen, setChosen] = useState<number>()
  const at =
    chosen !== undefined && chosen < report.manifests.length ? chosen : Math.max(0, firstBroken)
  const one = report.manifests[at]
  return (
    <>
      <div className="found-summary">
        <p>{summaryOf(report)}</p>
        <button
          type="button"
          className="button small"
          onClick={() => void copyText(markdownReport(report), 'The report as Markdown')}
        >
          <Icon name="copy" size={14} /> Markdown
        </button>
        <button
          type="button"
          className="button small"
          onClick={() => void copyText(jsonReport(report), 'The report as JSON')}
        >
          <Icon name="copy" size={14} /> JSON
        </button>
      </div>
      <div className="found-table">
        <table>
          <thead>
            <tr>
              <th scope="col">Manifest</th>
              {report.releases.map((release) => (
                <th key={release} scope="col">
                  {release}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.manifests.map((entry, index) => (
              <ManifestRow
                // biome-ignore lint/suspicious/noArrayIndexKey: the report is a whole and its order is its identity
                key={index}
                entry={entry}
                chosen={index === at}
                onChoose={() => setChosen(index)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="found-legend soft small">
        {shownOutcomes(report).map((outcome) => (
          <span key={outcome} className={MARKS[outcome].tone}>
            <Icon name={MARKS[outcome].icon} size={12} /> {OUTCOME_WORDS[outcome]}
          </span>
        ))}
      </p>
      {report.unreadable.map((problem) => (
        <p key={placeOf(problem)} className="note warn">
          Line {problem.line} could not be read: {problem.message}
        </p>
      ))}
      {one && <Detail key={at} one={one} />}
    </>
  )
}

/** In the order of MARKS. */
function shownOutcomes({ manifests }: Report): Outcome[] {
  const found = new Set(manifests.flatMap(({ findings }) => findings.map(({ outcome }) => outcome)))
  return (Object.keys(MARKS) as Outcome[]).filter((outcome) => found.has(outcome))
}

function ManifestRow({
  entry,
  chosen,
  onChoose,
}: {
  entry: CheckedManifest
  chosen: boolean
  onChoose(): void
}) {
  return (
    <tr className={chosen ? 'chosen' : undefined}>
      <th scope="row">
        <button type="button" className="link" aria-pressed={chosen} onClick={onChoose}>
          {nameOf(entry.manifest)}
        </button>
        <span className="soft small mono">{entry.manifest.object.apiVersion}</span>
      </th>
      {entry.findings.map(({ release, outcome }) => (
        <td
          key={release}
          className={MARKS[outcome].tone}
          title={`${release}: ${OUTCOME_WORDS[outcome]}`}
        >
          <Icon name={MARKS[outcome].icon} size={14} />
          <span className="visually-hidden">{OUTCOME_WORDS[outcome]}</span>
        </td>
      ))}
    </tr>
  )
}

function Detail({ one }: { one: CheckedManifest }) {
  const remarks = remarksOf(one)
  const { rewritten, manifest } = one
  const open = () => {
    if (rewritten === undefined) return
    useEditors.getState().open({
      title: `${(manifest.object.metadata.name ?? 'rewritten').slice(0, 40)}.yaml`,
      language: 'yaml',
      text: rewritten.text,
    })
    useView.getState().set({ pane: 'editor' })
    notify('Opened in the workbench.')
  }
  return (
    <section className="found-detail" aria-label={nameOf(manifest)}>
      <h3>{nameOf(manifest)}</h3>
      {remarks.length === 0 ? <p>Accepted by every version.</p> : null}
      <ul>
        {remarks.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {rewritten && (
        <>
          <div className="found-actions">
            <span className={`chip ${rewritten.accepted ? 'good' : 'bad'}`}>
              {rewritten.accepted ? 'the rewritten manifest is accepted' : 'still rejected'}
            </span>
            <button type="button" className="button small" onClick={open}>
              <Icon name="edit" size={14} /> Open it
            </button>
            <button
              type="button"
              className="button small"
              onClick={() => void copyText(rewritten.text, 'The rewritten manifest')}
            >
              <Icon name="copy" size={14} /> Copy it
            </button>
          </div>
          <TextDiff before={manifest.text} after={rewritten.text} />
        </>
      )}
    </section>
  )
}
