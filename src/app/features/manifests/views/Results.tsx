import { lazy, Suspense } from 'react'
import { Empty } from '../../../components/Empty'
import { numberText } from '../../../components/format'
import { useEditors } from '../editors'
import { UNSENT } from '../failure'
import { useResults } from '../results'
import type { Action } from '../run'
import * as texts from '../shell-texts'

const ResultList = lazy(() => import('./ResultList'))

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
  if (running && results.length === 0) return <Empty>{texts.sending}</Empty>
  if (results.length === 0)
    return (
      <Empty icon="layers" title={texts.noResults}>
        {texts.resultsAbout}
      </Empty>
    )
  return (
    <section className="results" aria-label={texts.results}>
      <div className="results-head">
        {/* A screen reader hears the beginning and the end, not each number. */}
        <p role="status">{running ? texts.sending : <Summary />}</p>
        {running && <Progress />}
      </div>
      <Suspense>
        <ResultList results={results} />
      </Suspense>
    </section>
  )
}

function Summary() {
  const { results, action, tab, count } = useResults()
  const title = useEditors(({ tabs }) => tabs.find(({ id }) => id === tab)?.title)
  if (!results.some(({ outcome }) => outcome !== UNSENT))
    return texts.nothingSent(title ? texts.fromFile(title) : '')
  const left = count - results.length
  return (
    <>
      {DONE[action]} <strong>{numberText(results.filter(({ ok }) => ok).length)}</strong>{' '}
      {texts.ofAll(
        count,
        title ? texts.inFile(title) : '',
        action === 'dry-run' ? texts.notStored : '',
      )}
      {left > 0 && texts.leftUnsent(left)}
    </>
  )
}

function Progress() {
  const done = useResults((state) => state.results.length)
  const count = useResults((state) => state.count)
  const { signal } = useResults((state) => state.canceling)
  const cancel = useResults((state) => state.cancel)
  if (count === 0) return <span className="soft">{texts.previous}</span>
  return (
    <>
      <progress className="run-progress" max={count} value={done} aria-label={texts.progress} />
      <span className="count">{texts.doneOf(done, count)}</span>
      {count > 1 && (
        <button
          type="button"
          className="button small"
          aria-disabled={signal.aborted}
          onClick={cancel}
        >
          {texts.cancel}
        </button>
      )}
    </>
  )
}
