import { lazy, Suspense } from 'react'
import { Empty } from '../../../components/Empty'
import { HealthMark } from '../../../components/HealthMark'
import { Icon } from '../../../components/Icon'
import { useRequests } from '../../../state/requests'
import { useHealth } from '../../../state/use-health'
import { selectObject, useView } from '../../../state/view'
import { CopyAs } from '../../copy-as/CopyAs'
import { Explain } from '../../explain/Explain'
import { useEditors } from '../editors'
import { aboveCauses, CONFLICT, UNSENT } from '../failure'
import { useResults } from '../results'
import type { Action, Result } from '../run'
import * as texts from '../shell-texts'

const ConflictHelp = lazy(() => import('../../ownership/views/ConflictHelp'))

const ResultRepairs = lazy(() => import('./ResultRepairs'))

const DONE: Record<Action, string> = {
  apply: texts.applied,
  create: texts.created,
  replace: texts.replaced,
  'dry-run': texts.tried,
  delete: texts.deleted,
}

export function Results() {
  const results = useResults((state) => state.results)
  const running = useResults((state) => state.running)
  const action = useResults((state) => state.action)
  const tab = useResults((state) => state.tab)
  const title = useEditors(({ tabs }) => tabs.find(({ id }) => id === tab)?.title)
  if (running && results.length === 0) return <Empty>{texts.sending}</Empty>
  if (results.length === 0) {
    return (
      <Empty icon="layers" title={texts.noResults}>
        {texts.resultsAbout}
      </Empty>
    )
  }
  const firstFailed = results.findIndex(({ ok }) => !ok)
  const good = results.filter(({ ok }) => ok).length
  const sent = results.some(({ outcome }) => outcome !== UNSENT)
  return (
    <div className="scroll" role="status" aria-label={texts.results}>
      <p className="results-head">
        {running && texts.previous}
        {sent ? (
          <>
            {DONE[action]} <strong>{good}</strong>{' '}
            {texts.ofAll(
              results.length,
              title ? texts.inFile(title) : '',
              action === 'dry-run' ? texts.notStored : '',
            )}
          </>
        ) : (
          texts.nothingSent(title ? texts.fromFile(title) : '')
        )}
      </p>
      {results.map((result, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a document is its place in the file
        <ResultEntry key={index} result={result} auto={index < firstFailed + REVIEWED} />
      ))}
    </div>
  )
}

/** Results from the first rejected one whose repairs are searched without a click. */
const REVIEWED = 3

function ResultEntry({ result, auto }: { result: Result; auto: boolean }) {
  const { ok, outcome, what, line, message, advice, causes, warnings, target } = result
  const sent = useRequests(({ log }) =>
    log.find(
      ({ responseHeaders }) =>
        result.request !== undefined && responseHeaders?.['audit-id'] === result.request,
    ),
  )
  const health = useHealth(target)
  const conflict = result.address && causes.some(({ reason }) => reason === CONFLICT)
  return (
    <article className="result">
      <span className={`chip ${ok ? (outcome === 'unchanged' ? 'mute' : 'good') : 'bad'}`}>
        <Explain word="code" name={outcome} />
      </span>
      <div className="result-words">
        <p>
          {target ? (
            <button type="button" className="link mono" onClick={() => selectObject(target)}>
              {what}
            </button>
          ) : (
            <strong className="mono">{what}</strong>
          )}
          {health && (
            <>
              {' '}
              <HealthMark health={health} />
            </>
          )}
          {message && !conflict && ` ${aboveCauses({ message, causes })}`}
          {conflict && texts.conflict}
        </p>
        {conflict ? (
          <Suspense fallback={<p className="soft">{texts.lookingUp}</p>}>
            <ConflictHelp result={result} />
          </Suspense>
        ) : null}
        {causes.length > 0 && !conflict && (
          <ul className="causes">
            {causes.map(({ field, reason, message: text }) => (
              <li key={field + text}>
                <code>{field || texts.theObject}</code>{' '}
                {reason ? (
                  <Explain word="cause" name={reason}>
                    {text}
                  </Explain>
                ) : (
                  text
                )}
              </li>
            ))}
          </ul>
        )}
        {warnings.map((warning) => (
          <p key={warning.message} className="warned">
            <Icon name="warning" size={14} /> <Explain word="warning" name={warning.message} />
          </p>
        ))}
        {sent && !conflict && (!ok || result.rejected !== undefined) ? (
          <Suspense fallback={null}>
            <ResultRepairs key={sent.id} result={result} sent={sent} auto={auto} />
          </Suspense>
        ) : (
          advice && !conflict && <p className="advice">{advice}</p>
        )}
      </div>
      <span className="result-line">
        <button type="button" className="link mono" onClick={() => reveal(line)}>
          {texts.line(line)}
        </button>
        {sent && <CopyAs request={sent} label={texts.copyRequest(what)} />}
      </span>
    </article>
  )
}

function reveal(line: number): void {
  useEditors.getState().activate(useResults.getState().tab)
  useView.getState().set({ pane: 'editor' })
  void import('../../editor/CodeEditor').then(({ revealLine }) => revealLine(line))
}
