/** One entry per document of the last run: what came of it, where, and what to do. */
import type { Result } from '../manifests/run'
import { useResults } from '../state/results'
import { useView } from '../state/view'

const VERB = { apply: 'Applied', create: 'Created', replace: 'Replaced', 'dry-run': 'Tried', delete: 'Deleted' }

export function Results() {
  const { results, running, action } = useResults()
  if (running && results.length === 0) return <div className="empty">Sending …</div>
  if (results.length === 0) {
    return (
      <div className="empty">
        <strong>Nothing sent yet</strong>
        Press Apply: each document of the manifest becomes a request, and what the server answers is shown here.
      </div>
    )
  }
  const good = results.filter(({ ok }) => ok).length
  return (
    <div className="scroll" role="status" aria-label="Results">
      <p style={{ padding: '8px 12px' }} className="soft">
        {VERB[action]} {good} of {results.length}
        {action === 'dry-run' && ': nothing was stored'}
      </p>
      {results.map((result) => (
        <ResultEntry key={`${result.line}-${result.what}`} result={result} />
      ))}
    </div>
  )
}

function ResultEntry({ result }: { result: Result }) {
  const reveal = () => {
    useView.getState().set({ pane: 'editor' })
    void import('../editor/CodeEditor').then(({ revealLine }) => revealLine(result.line))
  }
  return (
    <article className="result">
      <div className="result-head">
        <span className={`chip ${result.ok ? 'good' : 'bad'}`}>{result.outcome}</span>
        <strong className="mono">{result.what}</strong>
        <button type="button" className="link" onClick={reveal}>
          line {result.line}
        </button>
      </div>
      {result.message && <p>{result.message}</p>}
      {result.causes.length > 0 && (
        <ul className="causes">
          {result.causes.map(({ field, message }) => (
            <li key={field + message}>
              <span className="mono">{field || 'the object'}</span> — {message}
            </li>
          ))}
        </ul>
      )}
      {result.warnings.map((warning) => (
        <p key={warning} style={{ color: 'var(--warn)' }}>
          Warning: {warning}
        </p>
      ))}
    </article>
  )
}
