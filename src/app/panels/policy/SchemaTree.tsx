/** The schema row by row, with the rules that speak of each value and what they may cost at most. */
import { Segments } from '../../components/Segments'
import { type DesignResult, RULE_LIMIT, SCHEMA_LIMIT } from '../../policy/design'
import type { DesignInput } from '../../policy/design-state'
import { tryRule } from '../../policy/rule-to-bench'
import type { SchemaRow, SchemaRule } from '../../policy/schema-rows'
import { Meter } from './Meter'

interface SchemaTreeProps {
  result: DesignResult
  input: DesignInput
  onVersion(name: string): void
}

export function SchemaTree({ result, input, onVersion }: SchemaTreeProps) {
  const { design, version, rows, costs, total } = result
  return (
    <>
      <div className="bar sub">
        <h2>{design.kind}</h2>
        <span className="grow" />
        {design.versions.length > 1 && (
          <Segments
            label="Version"
            value={version.name}
            choices={design.versions.map(({ name }) => ({ value: name, title: name }))}
            onChoose={onVersion}
          />
        )}
      </div>
      {costs.size > 0 && (
        <div className="schema-budget">
          <Meter value={total} most={SCHEMA_LIMIT} of="for all rules of the schema" />
        </div>
      )}
      <table className="schema-table">
        <thead className="visually-hidden">
          <tr>
            <th>Field</th>
            <th>Type and markers</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.path} row={row} costs={costs} sample={input.sample} />
          ))}
        </tbody>
      </table>
    </>
  )
}

interface RowProps {
  row: SchemaRow
  costs: ReadonlyMap<string, number>
  sample: string
}

function Row({ row, costs, sample }: RowProps) {
  const { depth, name, type, required, markers, bounds, rules, description } = row
  return (
    <>
      <tr title={description}>
        <th scope="row" style={{ '--depth': depth } as React.CSSProperties}>
          <span className="mono">{name || 'the object'}</span>
          {required && <span className="chip">required</span>}
        </th>
        <td>
          <span className="mono">{type}</span>
          {row.default !== undefined && <span className="chip good mono">= {JSON.stringify(row.default)}</span>}
          {[...markers, ...bounds].map((words) => (
            <span key={words} className="chip mute">
              {words}
            </span>
          ))}
        </td>
      </tr>
      {rules.map((rule) => (
        <Rule key={rule.path} rule={rule} row={row} costs={costs} sample={sample} />
      ))}
    </>
  )
}

function Rule({ rule, row, costs, sample }: RowProps & { rule: SchemaRule }) {
  const cost = costs.get(rule.path)
  return (
    <tr className="schema-rule">
      <td colSpan={2} style={{ '--depth': row.depth } as React.CSSProperties}>
        <code className="wrap">{rule.rule}</code>
        {rule.message && <span className="soft"> {rule.message}</span>}
        {cost === undefined ? (
          <p className="soft small">It has no cost: it is not understood.</p>
        ) : (
          <Meter value={cost} most={RULE_LIMIT} of="for one rule" />
        )}
        <button type="button" className="link" onClick={() => tryRule(rule.rule, row, sample)}>
          Try it on the bench
        </button>
      </td>
    </tr>
  )
}
