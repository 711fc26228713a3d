import { useMemo, useState } from 'react'
import { countText } from '../../../components/format'
import { Icon } from '../../../components/Icon'
import { selectObject, useView } from '../../../state/view'
import { type Audit, type AuditRow, auditCluster } from '../audit'
import { cellOf, columnsOf, totalCost } from '../findings-table'
import {
  AUDIT,
  auditedCount,
  auditProgress,
  inNamespace,
  withWarnings,
  wouldBeDenied,
} from '../texts'
import { FindingCell } from './FindingCell'
import { FindingHead } from './FindingHead'

interface Progress {
  done: number
  all: number
}

export function ClusterAudit({ policies }: { policies: string }) {
  const [audit, setAudit] = useState<Audit>()
  const [progress, setProgress] = useState<Progress>()
  const [failure, setFailure] = useState<string>()
  const run = async () => {
    setFailure(undefined)
    setProgress({ done: 0, all: 0 })
    try {
      const { readTestSet } = await import('../../../../policy-test/documents')
      const { objects } = readTestSet([{ name: 'policies', text: policies }])
      setAudit(await auditCluster(objects, (done, all) => setProgress({ done, all })))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <div className="scroll audit">
      <div className="audit-head">
        <button
          type="button"
          className="button small primary"
          disabled={progress !== undefined}
          onClick={() => void run()}
        >
          <Icon name="search" size={14} /> {AUDIT.run}
        </button>
        <p className="soft small">{AUDIT.about}</p>
      </div>
      {progress && <p role="status">{auditProgress(progress.done, progress.all)}</p>}
      {failure !== undefined && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      {audit && <AuditTable audit={audit} policies={policies} />}
    </div>
  )
}

const VERDICTS: Record<AuditRow['verdict'], { words: string; tone: string; rank: number }> = {
  denied: { words: AUDIT.denied, tone: 'bad', rank: 0 },
  warned: { words: AUDIT.warned, tone: 'warn', rank: 1 },
  'not-evaluated': { words: AUDIT.notEvaluated, tone: 'mute', rank: 2 },
  passes: { words: AUDIT.passes, tone: 'good', rank: 3 },
}
const SHOWN = 300

function AuditTable({ audit: { rows, written }, policies }: { audit: Audit; policies: string }) {
  const columns = useMemo(() => columnsOf(rows.map(({ findings }) => findings)), [rows])
  const sorted = useMemo(
    () =>
      [...rows].sort((a, b) => VERDICTS[a.verdict].rank - VERDICTS[b.verdict].rank).slice(0, SHOWN),
    [rows],
  )
  const count = (verdict: AuditRow['verdict']) =>
    rows.filter((row) => row.verdict === verdict).length
  return (
    <>
      <p className="policy-summary" role="status" aria-label={AUDIT.region}>
        <span className={`chip ${count('denied') > 0 ? 'bad' : 'good'}`}>
          {wouldBeDenied(count('denied'))}
        </span>
        {count('warned') > 0 && <span className="chip warn">{withWarnings(count('warned'))}</span>}
        <span className="chip mute">{countText(count('passes'), AUDIT.passes, AUDIT.pass)}</span>
        <span className="soft small">
          {auditedCount(
            countText(written, AUDIT.object),
            rows.length,
            rows.length > SHOWN ? SHOWN : undefined,
          )}
        </span>
      </p>
      {rows.length > 0 && (
        <table className="findings">
          <FindingHead columns={columns} policies={policies} />
          <tbody>
            {sorted.map((row) => (
              <Row
                key={`${row.resource.group} ${row.resource.resource} ${row.namespace}/${row.name}`}
                row={row}
                columns={columns}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Row({
  row: { resource, namespace, name, verdict, message, findings },
  columns,
}: {
  row: AuditRow
  columns: ReturnType<typeof columnsOf>
}) {
  const { words, tone } = VERDICTS[verdict]
  const show = () => {
    selectObject({ resource, namespace, name })
    useView.getState().set({ pane: 'object' })
  }
  return (
    <>
      <tr>
        <th scope="row">
          <button type="button" className="link mono" onClick={show}>
            {name}
          </button>{' '}
          <span className="soft small">
            {resource.kind}
            {namespace && ` ${inNamespace(namespace)}`}
          </span>
        </th>
        <td>
          <span className={`chip ${tone}`}>{words}</span>
        </td>
        {columns.map((column) => (
          <FindingCell key={`${column.policy} ${column.index}`} cell={cellOf(findings, column)} />
        ))}
        <td className="mono number">{totalCost(findings).toLocaleString('en')}</td>
      </tr>
      {message !== '' && (
        <tr className="finding-detail">
          <td colSpan={columns.length + 3} className="wrap">
            {message}
          </td>
        </tr>
      )}
    </>
  )
}
