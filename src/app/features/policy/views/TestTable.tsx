import { useMemo, useState } from 'react'
import type { CaseResult } from '../../../../policy-test/types'
import { Empty } from '../../../components/Empty'
import { cellOf, columnsOf, totalCost } from '../findings-table'
import { deniedWith, SHARED, TESTS } from '../texts'
import { FindingCell } from './FindingCell'
import { FindingHead } from './FindingHead'
import { Findings } from './Findings'

const TONES = { passed: 'good', failed: 'bad', broken: 'bad', shown: 'mute' } as const
const OUTCOME_TEXTS = {
  passed: TESTS.asExpected,
  failed: TESTS.failed,
  broken: TESTS.broken,
} as const

interface TestTableProps {
  policies: string
  results: readonly CaseResult[]
  /** Why the tests did not run; the results are of the previous run. */
  failure: string | undefined
  running: boolean
}

export function TestTable({ policies, results, failure, running }: TestTableProps) {
  const columns = useMemo(
    () => columnsOf(results.map(({ response }) => response?.findings ?? [])),
    [results],
  )
  const [open, setOpen] = useState<string>()
  return (
    <div className="scroll">
      {failure !== undefined && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      {results.length === 0 && failure === undefined ? (
        <Empty>{running ? TESTS.running : TESTS.none}</Empty>
      ) : (
        <table className={failure === undefined ? 'findings' : 'findings dimmed'}>
          <FindingHead columns={columns} policies={policies} />
          <tbody>
            {results.map((result) => {
              const key = `${result.test} ${result.name}`
              return (
                <CaseRows
                  key={key}
                  result={result}
                  columns={columns}
                  open={open === key}
                  onToggle={() => setOpen(open === key ? undefined : key)}
                />
              )
            })}
          </tbody>
        </table>
      )}
    </div>
  )
}

interface CaseRowsProps {
  result: CaseResult
  columns: ReturnType<typeof columnsOf>
  open: boolean
  onToggle(): void
}

function CaseRows({ result, columns, open, onToggle }: CaseRowsProps) {
  const { name, request, outcome, problems, response } = result
  const findings = response?.findings ?? []
  return (
    <>
      <tr className={open ? 'open' : undefined}>
        <th scope="row">
          <button type="button" className="row-button" aria-expanded={open} onClick={onToggle}>
            <span className="cut">{name}</span>
            <span className="soft small mono cut">{request}</span>
          </button>
        </th>
        <td>
          {response && (
            <span className={`chip ${response.allowed ? 'good' : 'bad'}`}>
              {response.allowed ? TESTS.allowed : deniedWith(response.status)}
            </span>
          )}{' '}
          {outcome !== 'shown' && (
            <span className={`chip ${TONES[outcome]}`}>{OUTCOME_TEXTS[outcome]}</span>
          )}
        </td>
        {columns.map((column) => (
          <FindingCell key={`${column.policy} ${column.index}`} cell={cellOf(findings, column)} />
        ))}
        <td className="mono number">{totalCost(findings).toLocaleString('en')}</td>
      </tr>
      {(open || problems.length > 0 || response?.allowed === false) && (
        <tr className="finding-detail">
          <td colSpan={columns.length + 3}>
            {problems.map((problem) => (
              <p key={problem} className="note bad">
                {problem}
              </p>
            ))}
            {response && !response.allowed && <p className="wrap">{response.message}</p>}
            {response?.warnings.map((warning) => (
              <p key={warning}>
                <span className="chip warn">{SHARED.warning}</span> {warning}
              </p>
            ))}
            {open && <Findings findings={findings} />}
          </td>
        </tr>
      )}
    </>
  )
}
