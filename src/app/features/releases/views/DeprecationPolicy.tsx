/** Computes the earliest release that can remove an API or feature. */
import './deprecation.css'
import { useState } from 'react'
import {
  evaluate,
  type PolicyElement,
  RULES,
  type RuleNumber,
  type Verdict,
} from '../../../../engine/releases/deprecation-policy'
import { CHART } from '../texts'
import { DeprecationChart } from './DeprecationChart'
import { DeprecationVerdict } from './DeprecationVerdict'
import { PolicyElementForm } from './PolicyElementForm'

const FIRST: PolicyElement = {
  kind: 'api-version',
  stage: 'beta',
  introduced: '1.8',
  deprecated: '1.21',
  replacement: { stage: 'stable', introduced: '1.21' },
}

export function DeprecationPolicy() {
  const [element, setElement] = useState(FIRST)
  const verdict = evaluate(element)
  return (
    <div className="policy scroll">
      <PolicyElementForm element={element} onChange={setElement} />
      <DeprecationVerdict element={element} verdict={verdict} />
      <DeprecationChart element={element} verdict={verdict} />
      <Rules verdict={verdict} />
    </div>
  )
}

function Rules({ verdict: { by, events, duties, problems } }: { verdict: Verdict }) {
  const applying = new Set<RuleNumber | undefined>([
    by,
    ...duties,
    ...events.map(({ rule }) => rule),
    ...problems.map(({ rule }) => rule),
  ])
  return (
    <details className="policy-rules">
      <summary>{CHART.allRules}</summary>
      <dl>
        {Object.entries(RULES).map(([number, text]) => (
          <div key={number} className={applying.has(number as RuleNumber) ? 'applies' : undefined}>
            <dt>
              {applying.has(number as RuleNumber) ? '▸ ' : ''}
              {number}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
