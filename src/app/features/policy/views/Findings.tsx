import type { PolicyFinding } from '../../../../hosts/shared/channel'
import { auditAnnotation, costOf, FINDINGS } from '../texts'

export function Findings({ findings }: { findings: readonly PolicyFinding[] }) {
  if (findings.length === 0) return <p className="soft">{FINDINGS.none}</p>
  return (
    <ul className="finding-list">
      {findings.map((finding) => (
        <li key={`${finding.policy} ${finding.binding} ${finding.param}`}>
          <p>
            <strong className="mono">{finding.policy}</strong> {FINDINGS.by}{' '}
            {finding.binding || FINDINGS.noBinding} (
            {finding.actions.join(', ') || FINDINGS.noAction})
            {finding.param && (
              <>
                {' '}
                {FINDINGS.with} <span className="mono">{finding.param}</span>
              </>
            )}
            {finding.outcome === 'skipped' && (
              <span className="soft">: {FINDINGS.skippedByCondition}</span>
            )}
            {finding.outcome === 'failed' && <span className="wrap">: {finding.message}</span>}
          </p>
          <ol start={0}>
            {finding.validations.map(({ index, outcome, message, cost }) => (
              <li key={index} value={index}>
                {FINDINGS[outcome]}
                {message && `: ${message}`}
                <span className="soft"> · {costOf(cost)}</span>
              </li>
            ))}
          </ol>
          {finding.auditAnnotations.map(({ key, value }) => (
            <p key={key} className="soft wrap">
              {auditAnnotation(key, value)}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}
