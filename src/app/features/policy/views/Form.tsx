/** An object as fields, generated from its schema; empty fields are left out of the object. */
import { useId } from 'react'
import { isJsonObject, type Json, type JsonObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { type FormField, formField, withItem, withMember } from '../form'
import { sampleValue } from '../sample'

interface FormProps {
  schema: JsonObject
  object: JsonObject
  onChange(object: JsonObject): void
}

/** Members of every object, which are not part of the schema. */
const META = new Set(['apiVersion', 'kind', 'metadata', 'status'])

export function Form({ schema, object, onChange }: FormProps) {
  const field = formField(schema)
  const metadata = isJsonObject(object.metadata) ? object.metadata : {}
  return (
    <div className="form">
      <Labelled name="metadata.name" type="string" required>
        {(id) => (
          <input
            id={id}
            className="field mono"
            value={String(metadata.name ?? '')}
            onChange={(event) =>
              onChange({ ...object, metadata: withMember(metadata, 'name', event.target.value) })
            }
          />
        )}
      </Labelled>
      {field.kind === 'object' && (
        <Members
          field={{ ...field, members: field.members.filter(({ name }) => !META.has(name)) }}
          value={object}
          onChange={onChange}
        />
      )}
    </div>
  )
}

interface MembersProps {
  field: FormField & { kind: 'object' }
  value: JsonObject
  onChange(value: JsonObject): void
}

function Members({ field, value, onChange }: MembersProps) {
  return field.members.map(({ name, schema, required }) => (
    <Field
      key={name}
      name={name}
      schema={schema}
      required={required}
      value={value[name]}
      onChange={(member) => onChange(withMember(value, name, member))}
    />
  ))
}

interface FieldProps {
  name: string
  schema: JsonObject
  required?: boolean
  value: Json | undefined
  /** undefined: it is left out. */
  onChange(value: Json | undefined): void
}

function Field({ name, schema, required = false, value, onChange }: FieldProps) {
  const field = formField(schema)
  switch (field.kind) {
    case 'object':
      return (
        <Group name={name} type={field.type}>
          <Members field={field} value={isJsonObject(value) ? value : {}} onChange={onChange} />
        </Group>
      )
    case 'list':
      return (
        <Items
          name={name}
          field={field}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      )
    case 'map':
      return (
        <Entries
          name={name}
          field={field}
          value={isJsonObject(value) ? value : {}}
          onChange={onChange}
        />
      )
    default:
      return (
        <Labelled name={name} type={field.type} required={required}>
          {(id) => <Single id={id} field={field} value={value} onChange={onChange} />}
        </Labelled>
      )
  }
}

interface SingleProps {
  id: string
  field: Exclude<FormField, { kind: 'object' | 'list' | 'map' }>
  value: Json | undefined
  onChange(value: Json | undefined): void
}

function Single({ id, field, value, onChange }: SingleProps) {
  switch (field.kind) {
    case 'choice':
    case 'flag': {
      const values = field.kind === 'flag' ? [true, false] : field.values
      return (
        <select
          id={id}
          className="field mono"
          value={value === undefined ? '' : JSON.stringify(value)}
          onChange={(event) =>
            onChange(
              event.target.value === '' ? undefined : (JSON.parse(event.target.value) as Json),
            )
          }
        >
          <option value="">{field.placeholder || 'not set'}</option>
          {values.map((one) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {typeof one === 'string' ? one : JSON.stringify(one)}
            </option>
          ))}
        </select>
      )
    }
    case 'number':
      return (
        <input
          id={id}
          className="field mono"
          type="number"
          step={field.whole ? 1 : 'any'}
          placeholder={field.placeholder}
          value={typeof value === 'number' ? value : ''}
          onChange={(event) =>
            onChange(event.target.value === '' ? undefined : Number(event.target.value))
          }
        />
      )
    case 'text':
      return (
        <input
          id={id}
          className="field mono"
          placeholder={field.placeholder}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        />
      )
    default:
      return <JsonText id={id} value={value} onChange={onChange} />
  }
}

/** A JSON text field for values without a form field; strings need no quotes. */
function JsonText({ id, value, onChange }: Omit<SingleProps, 'field'>) {
  return (
    <input
      id={id}
      className="field mono"
      placeholder="JSON"
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      onBlur={(event) =>
        onChange(event.target.value === '' ? undefined : parsed(event.target.value))
      }
    />
  )
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function Labelled({
  name,
  type,
  required,
  children,
}: {
  name: string
  type: string
  required: boolean
  children: (id: string) => React.ReactNode
}) {
  const id = useId()
  return (
    <div className="form-field">
      <label htmlFor={id}>
        <span className="mono">{name}</span>
        {required && <span aria-hidden="true"> *</span>} <span className="soft small">{type}</span>
      </label>
      {children(id)}
    </div>
  )
}

function Group({
  name,
  type,
  children,
}: {
  name: string
  type: string
  children: React.ReactNode
}) {
  return (
    <fieldset className="form-group">
      <legend>
        <span className="mono">{name}</span> <span className="soft small">{type}</span>
      </legend>
      {children}
    </fieldset>
  )
}

function Items({
  name,
  field,
  value,
  onChange,
}: {
  name: string
  field: FormField & { kind: 'list' }
  value: Json[]
  onChange(value: Json | undefined): void
}) {
  return (
    <Group name={name} type={field.type}>
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no name but their place
        <div key={index} className="form-item">
          <Field
            name={`${name}[${index}]`}
            schema={field.items}
            value={item}
            onChange={(next) => next !== undefined && onChange(withItem(value, index, next))}
          />
          <button
            type="button"
            className="button quiet icon-only small"
            aria-label={`Remove ${name}[${index}]`}
            onClick={() => onChange(withItem(value, index, undefined))}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button small"
        onClick={() => onChange(withItem(value, value.length, sampleValue(field.items)))}
      >
        <Icon name="add" size={14} /> Add to {name}
      </button>
    </Group>
  )
}

function Entries({
  name,
  field,
  value,
  onChange,
}: {
  name: string
  field: FormField & { kind: 'map' }
  value: JsonObject
  onChange(value: Json | undefined): void
}) {
  return (
    <Group name={name} type={field.type}>
      {Object.entries(value).map(([key, item]) => (
        <div key={key} className="form-item">
          <Field
            name={key}
            schema={field.values}
            value={item}
            onChange={(next) => next !== undefined && onChange(withMember(value, key, next))}
          />
          <button
            type="button"
            className="button quiet icon-only small"
            aria-label={`Remove ${key}`}
            onClick={() => onChange(withMember(value, key, undefined))}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
      <AddEntry
        name={name}
        onAdd={(key) => onChange(withMember(value, key, sampleValue(field.values)))}
      />
    </Group>
  )
}

function AddEntry({ name, onAdd }: { name: string; onAdd(key: string): void }) {
  return (
    <input
      className="field mono"
      aria-label={`New key of ${name}`}
      placeholder="New key, then Enter"
      onKeyDown={(event) => {
        const key = event.currentTarget.value.trim()
        if (event.key !== 'Enter' || key === '') return
        event.currentTarget.value = ''
        onAdd(key)
      }}
    />
  )
}
