import { useMemo, useState } from 'react'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { type DesignResult, RULE_LIMIT, SCHEMA_LIMIT } from '../design'
import type { DesignInput } from '../design-state'
import { tryRule } from '../rule-to-bench'
import {
  foldedAtFirst,
  type SchemaRow,
  type SchemaRule,
  type ShownRow,
  shownRows,
  turnedOver,
} from '../schema-rows'
import { fieldsInside, LIMITS, SCHEMA, SHARED } from '../texts'
import { Meter } from './Meter'

interface SchemaTreeProps {
  result: DesignResult
  input: DesignInput
  onVersion(name: string): void
}

export function SchemaTree({ result, input, onVersion }: SchemaTreeProps) {
  const { design, version, rows, costs, total } = result
  // Paths that the user folded or unfolded; they survive edits of the schema.
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const folded = useMemo(() => turnedOver(foldedAtFirst(rows), turned), [rows, turned])
  const turn = (paths: string[]) => setTurned((before) => turnedOver(before, paths))
  const outer = rows.filter(
    ({ depth }, index) => depth > 0 && (rows[index + 1]?.depth ?? 0) > depth,
  )
  const open = outer.filter(({ path }) => !folded.has(path))
  return (
    <>
      <div className="bar sub">
        <h2>{design.kind}</h2>
        <span className="grow" />
        {outer.length > 0 && (
          <button
            type="button"
            className="link"
            onClick={() => turn((open.length > 0 ? open : outer).map(({ path }) => path))}
          >
            {open.length > 0 ? SCHEMA.collapse : SCHEMA.expand}
          </button>
        )}
        {design.versions.length > 1 && (
          <Segments
            label={SCHEMA.version}
            value={version.name}
            choices={design.versions.map(({ name }) => ({ value: name, title: name }))}
            onChoose={onVersion}
          />
        )}
      </div>
      {costs.size > 0 && (
        <div className="schema-budget">
          <Meter value={total} most={SCHEMA_LIMIT} of={LIMITS.schema} />
        </div>
      )}
      <table className="schema-table">
        <thead className="visually-hidden">
          <tr>
            <th>{SCHEMA.field}</th>
            <th>{SCHEMA.type}</th>
          </tr>
        </thead>
        <tbody>
          {shownRows(rows, folded).map((row) => (
            <Row
              key={row.path}
              row={row}
              costs={costs}
              sample={input.sample}
              onFold={() => turn([row.path])}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}

interface RuleProps {
  row: SchemaRow
  costs: ReadonlyMap<string, number>
  sample: string
}

function Row({ row, costs, sample, onFold }: RuleProps & { row: ShownRow; onFold(): void }) {
  const { depth, name, type, required, markers, bounds, rules, description, within, folded } = row
  const title = name || SCHEMA.root
  return (
    <>
      <tr title={description}>
        <th scope="row" style={{ '--depth': depth } as React.CSSProperties}>
          {within > 0 ? (
            <button type="button" className="schema-fold" aria-expanded={!folded} onClick={onFold}>
              <Icon name="chevron" size={12} />
              <span className="mono">{title}</span>
            </button>
          ) : (
            <span className="mono">{title}</span>
          )}
          {folded && <span className="chip mute">{fieldsInside(within)}</span>}
          {required && <span className="chip">{SCHEMA.required}</span>}
        </th>
        <td>
          <span className="mono">{type}</span>
          {row.default !== undefined && (
            <span className="chip good mono">= {JSON.stringify(row.default)}</span>
          )}
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

function Rule({ rule, row, costs, sample }: RuleProps & { rule: SchemaRule }) {
  const cost = costs.get(rule.path)
  return (
    <tr className="schema-rule">
      <td colSpan={2} style={{ '--depth': row.depth } as React.CSSProperties}>
        <code className="wrap">{rule.rule}</code>
        {rule.message && <span className="soft"> {rule.message}</span>}
        {cost === undefined ? (
          <p className="soft small">{SCHEMA.noEstimate}</p>
        ) : (
          <Meter value={cost} most={RULE_LIMIT} of={LIMITS.rule} />
        )}
        <button type="button" className="link" onClick={() => tryRule(rule.rule, row, sample)}>
          {SHARED.openInPlayground}
        </button>
      </td>
    </tr>
  )
}
