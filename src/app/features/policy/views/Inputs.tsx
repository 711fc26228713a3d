import { TextField } from '../../editor/TextField'
import type { BenchResult } from '../bench'
import { benchPlace } from '../bench-places'
import type { BenchInput, BenchText } from '../bench-state'
import { INPUTS, takeFromCluster, VARIABLES } from '../texts'
import { ObjectPicker, type PickedObject } from './ObjectPicker'

interface InputsProps {
  input: BenchInput
  result: BenchResult | undefined
  onChange(change: Partial<BenchInput>): void
}

interface Field {
  name: BenchText
  title: string
  about: string
  picks: boolean
}

const POLICY: readonly Field[] = [
  { name: 'object', title: 'object', about: VARIABLES.object, picks: true },
  { name: 'oldObject', title: 'oldObject', about: VARIABLES.oldObject, picks: true },
  {
    name: 'params',
    title: 'params',
    about: VARIABLES.params,
    picks: true,
  },
  { name: 'variables', title: 'variables', about: VARIABLES.variables, picks: false },
  { name: 'request', title: 'request', about: VARIABLES.request, picks: false },
  {
    name: 'namespaceObject',
    title: 'namespaceObject',
    about: VARIABLES.namespaceObject,
    picks: true,
  },
]

const RULE: readonly Field[] = [
  { name: 'schema', title: 'schema', about: VARIABLES.schema, picks: false },
  { name: 'object', title: 'self', about: VARIABLES.self, picks: true },
  {
    name: 'oldObject',
    title: 'oldSelf',
    about: VARIABLES.oldSelf,
    picks: true,
  },
]

/** Variables that webhooks lack. */
const OF_POLICIES: readonly BenchText[] = ['params', 'variables']

export function Inputs({ input, result, onChange }: InputsProps) {
  const place = benchPlace(input.place)
  const fields =
    place.kind === 'rule'
      ? RULE
      : POLICY.filter(({ name }) => place.ofPolicy || !OF_POLICIES.includes(name))
  const pick = (name: BenchText, { text, namespaceText }: PickedObject) =>
    onChange({
      [name]: text,
      ...(name === 'object' && namespaceText !== undefined
        ? { namespaceObject: namespaceText }
        : {}),
    })
  return (
    <section className="bench-inputs scroll" aria-label={INPUTS.region}>
      {fields.map((field) => (
        <Value
          key={field.name}
          field={field}
          text={input[field.name]}
          problem={result?.problems[field.name]}
          onChange={(text) => onChange({ [field.name]: text })}
          onPick={(picked) => pick(field.name, picked)}
        />
      ))}
      {place.kind === 'rule' && <RuleFields input={input} onChange={onChange} />}
    </section>
  )
}

interface ValueProps {
  field: Field
  text: string
  problem: string | undefined
  onChange(text: string): void
  onPick(picked: PickedObject): void
}

const LINES = { least: 38, most: 340 }

function Value({ field: { title, about, picks }, text, problem, onChange, onPick }: ValueProps) {
  return (
    <div className="bench-input">
      <div className="bench-input-head">
        <span className="mono bench-input-title">{title}</span>
        <span className="soft small cut">{about}</span>
        <span className="grow" />
        {picks && <ObjectPicker label={takeFromCluster(title)} onPick={onPick} />}
      </div>
      <TextField label={title} of="values" text={text} onChange={onChange} fit={LINES} />
      {problem !== undefined && <p className="note bad small">{problem}</p>}
    </div>
  )
}

function RuleFields({
  input: { isRoot, count },
  onChange,
}: Pick<InputsProps, 'input' | 'onChange'>) {
  return (
    <div className="bench-input">
      <label className="check">
        <input
          type="checkbox"
          checked={isRoot}
          onChange={(event) => onChange({ isRoot: event.target.checked })}
        />
        <span>
          {INPUTS.wholeObject}
          <small>{INPUTS.wholeObjectAbout}</small>
        </span>
      </label>
      <label className="bench-count">
        <span>{INPUTS.occurrences}</span>
        <input
          className="field"
          type="number"
          min={1}
          value={count ?? ''}
          placeholder={INPUTS.any}
          onChange={(event) =>
            onChange({ count: event.target.value === '' ? undefined : Number(event.target.value) })
          }
        />
      </label>
    </div>
  )
}
