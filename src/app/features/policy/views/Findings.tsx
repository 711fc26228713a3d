/** Every verdict of every policy, binding and parameter, in words. */
import type { PolicyFinding } from '../../../../hosts/shared/channel'

export function Findings({ findings }: { findings: readonly PolicyFinding[] }) {
  if (findings.length === 0) return <p className="soft">No matching policy.</p>
  return (
    <ul className="finding-list">
      {findings.map((finding) => (
        <li key={`${finding.policy} ${finding.binding} ${finding.param}`}>
          <p>
            <strong className="mono">{finding.policy}</strong> by {finding.binding || 'no binding'}{' '}
            ({finding.actions.join(', ') || 'no action'})
            {finding.param && (
              <>
                {' '}
                with <span className="mono">{finding.param}</span>
              </>
            )}
            {finding.outcome === 'skipped' && (
              <span className="soft">: skipped by a match condition</span>
            )}
            {finding.outcome === 'failed' && <span className="wrap">: {finding.message}</span>}
          </p>
          <ol start={0}>
            {finding.validations.map(({ index, outcome, message, cost }) => (
              <li key={index} value={index}>
                {outcome}
                {message && `: ${message}`}
                <span className="soft"> · cost {cost.toLocaleString('en')}</span>
              </li>
            ))}
          </ol>
          {finding.auditAnnotations.map(({ key, value }) => (
            <p key={key} className="soft wrap">
              audit annotation {key}: {value}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
