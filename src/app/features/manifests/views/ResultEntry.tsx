import { lazy, memo, Suspense } from 'react'
import { HealthMark } from '../../../components/HealthMark'
import { Icon } from '../../../components/Icon'
import type { LoggedRequest } from '../../../state/logged-request'
import { useHealth } from '../../../state/use-health'
import { selectObject, useView } from '../../../state/view'
import { CopyAs } from '../../copy-as/CopyAs'
import { Explain } from '../../explain/Explain'
import { useEditors } from '../editors'
import { aboveCauses, CONFLICT } from '../failure'
import { useResults } from '../results'
import type { Result } from '../run'
import * as texts from '../shell-texts'

const ConflictHelp = lazy(() => import('../../ownership/views/ConflictHelp'))

const ResultRepairs = lazy(() => import('./ResultRepairs'))

interface ResultEntryProps {
  result: Result
  /** undefined if nothing was sent, or the log no longer has it. */
  sent: LoggedRequest | undefined
  auto: boolean
}

/** Most entries are equal between renders. */
export const ResultEntry = memo(function ResultEntry({ result, sent, auto }: ResultEntryProps) {
  const { ok, outcome, what, line, message, advice, causes, warnings, target } = result
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
})

function reveal(line: number): void {
  useEditors.getState().activate(useResults.getState().tab)
  useView.getState().set({ pane: 'editor' })
  void import('../../editor/CodeEditor').then(({ revealLine }) => revealLine(line))
}
