/** What an expression speaks of: values from the cluster, or as they are typed. */
import { useId } from 'react'
import type { BenchResult } from '../../policy/bench'
import { benchPlace } from '../../policy/bench-places'
import type { BenchInput, BenchText } from '../../policy/bench-state'
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
  { name: 'object', title: 'object', about: 'as it is to be stored; empty for a deletion', picks: true },
  { name: 'oldObject', title: 'oldObject', about: 'as it is stored; empty for a creation', picks: true },
  { name: 'params', title: 'params', about: 'the parameter that the binding names', picks: true },
  { name: 'variables', title: 'variables', about: 'a list of name and expression', picks: false },
  { name: 'request', title: 'request', about: 'what is typed here overrides what follows from the object and the actor', picks: false },
  { name: 'namespaceObject', title: 'namespaceObject', about: 'the namespace of the object', picks: true },
]

const RULE: readonly Field[] = [
  { name: 'schema', title: 'schema', about: 'of the value that the rule is about', picks: false },
  { name: 'object', title: 'self', about: 'the value', picks: true },
  { name: 'oldObject', title: 'oldSelf', about: 'the value before; empty for a creation', picks: true },
]

/** What a policy knows and a webhook does not. */
const OF_POLICIES: readonly BenchText[] = ['params', 'variables']

export function Inputs({ input, result, onChange }: InputsProps) {
  const place = benchPlace(input.place)
  const fields = place.kind === 'rule' ? RULE : POLICY.filter(({ name }) => place.ofPolicy || !OF_POLICIES.includes(name))
  const pick = (name: BenchText, { text, namespaceText }: PickedObject) =>
    onChange({ [name]: text, ...(name === 'object' && namespaceText !== undefined ? { namespaceObject: namespaceText } : {}) })
  return (
    <section className="bench-inputs scroll" aria-label="What it speaks of">
      {fields.map((field) => (
        <TextField
          key={field.name}
          field={field}
          value={input[field.name]}
          problem={result?.problems[field.name]}
          onChange={(text) => onChange({ [field.name]: text })}
          onPick={(picked) => pick(field.name, picked)}
        />
      ))}
      {place.kind === 'rule' && <RuleFields input={input} onChange={onChange} />}
    </section>
  )
}

interface TextFieldProps {
  field: Field
  value: string
  problem: string | undefined
  onChange(text: string): void
  onPick(picked: PickedObject): void
}

function TextField({ field: { title, about, picks }, value, problem, onChange, onPick }: TextFieldProps) {
  const id = useId()
  const rows = Math.min(16, Math.max(value === '' ? 1 : 3, value.split('\n').length))
  return (
    <div className="bench-input">
      <div className="bench-input-head">
        <label htmlFor={id} className="mono">
          {title}
        </label>
        <span className="soft small cut">{about}</span>
        <span className="grow" />
        {picks && <ObjectPicker label={`Take ${title} from the cluster`} onPick={onPick} />}
      </div>
      <textarea
        id={id}
        className="field mono bench-text"
        value={value}
        rows={rows}
        spellCheck={false}
        autoCapitalize="off"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="note bad small">
          {problem}
        </p>
      )}
    </div>
  )
}

function RuleFields({ input: { isRoot, count }, onChange }: Pick<InputsProps, 'input' | 'onChange'>) {
  return (
    <div className="bench-input">
      <label className="check">
        <input type="checkbox" checked={isRoot} onChange={(event) => onChange({ isRoot: event.target.checked })} />
        <span>
          The schema is of the whole object
          <small>It then has apiVersion, kind and metadata.</small>
        </span>
      </label>
      <label className="bench-count">
        <span>Times that it may occur in one object</span>
        <input
          className="field"
          type="number"
          min={1}
          value={count ?? ''}
          placeholder="any"
          onChange={(event) => onChange({ count: event.target.value === '' ? undefined : Number(event.target.value) })}
        />
      </label>
    </div>
  )
}
