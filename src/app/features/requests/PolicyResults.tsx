import type { PolicyFinding } from '../../../hosts/shared/channel'
import { POLICY } from './texts'

interface PolicyResultsProps {
  findings: readonly PolicyFinding[]
  /** Messages that it contains are not repeated. */
  shown: string
}

export function PolicyResults({ findings, shown }: PolicyResultsProps) {
  return (
    <ul className="xray-policies" aria-label={POLICY.title}>
      {findings.map(({ policy, binding, param, outcome, message, validations }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the findings are a whole and their order is their identity
        <li key={index}>
          <strong>{policy}</strong>{' '}
          <span className="soft">
            {POLICY.binding(binding, param)}
            {outcome !== 'evaluated' && POLICY.notEvaluated(outcome, message)}
          </span>
          {validations.map((rule) => (
            <span
              key={rule.index}
              className={rule.outcome === 'holds' ? 'xray-rule' : 'xray-rule bad'}
            >
              {POLICY.rule(rule.index + 1, rule.outcome, rule.cost)}
              {rule.outcome !== 'holds' &&
                rule.message &&
                !shown.includes(rule.message) &&
                POLICY.message(rule.message)}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
