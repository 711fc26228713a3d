/** A column head for each validation, with its expression as a tooltip. */
import { useMemo } from 'react'
import type { Column } from '../findings-table'
import { validationsIn } from '../test-sets'
import { FINDINGS, SHARED } from '../texts'

export function FindingHead({
  columns,
  policies,
}: {
  columns: readonly Column[]
  policies: string
}) {
  const expressions = useMemo(() => validationsIn(policies), [policies])
  return (
    <thead>
      <tr>
        <th scope="col">{FINDINGS.object}</th>
        <th scope="col">{FINDINGS.verdict}</th>
        {columns.map(({ policy, index }) => (
          <th key={`${policy} ${index}`} scope="col" title={expressions.get(policy)?.[index]}>
            <span className="mono">
              {policy}[{index}]
            </span>
            <code className="column-expression cut">{expressions.get(policy)?.[index]}</code>
          </th>
        ))}
        <th scope="col">{SHARED.cost}</th>
      </tr>
    </thead>
  )
}
