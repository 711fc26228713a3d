import {
  type PolicyElement,
  RULES,
  type Verdict,
} from '../../../../engine/releases/deprecation-policy'
import { POLICY } from '../texts'

export function DeprecationVerdict({
  element,
  verdict: { removal, by, problems },
}: {
  element: PolicyElement
  verdict: Verdict
}) {
  return (
    <div className="policy-verdict" aria-live="polite">
      {removal === 'never' ? (
        <p>
          <strong>{POLICY.never}</strong>{' '}
          {element.kind === 'api-element' ? POLICY.newVersion : POLICY.sameMajor}
        </p>
      ) : removal === 'not deprecated' ? (
        <p>
          <strong>{POLICY.deprecateFirst}</strong> {POLICY.selectDeprecated}
        </p>
      ) : (
        <p>
          <strong>{removal.release}</strong>{' '}
          {POLICY.removable(
            removal.expected ? POLICY.expected(removal.day) : POLICY.released(removal.day),
          )}
        </p>
      )}
      <p className="soft">{POLICY.rule(by, RULES[by])}</p>
      {problems.map(({ rule, text }) => (
        <p key={text} className="note warn">
          {text}{' '}
          {rule === undefined
            ? ''
            : rule === by
              ? POLICY.byRule(rule)
              : POLICY.rule(rule, RULES[rule])}
        </p>
      ))}
    </div>
  )
}
