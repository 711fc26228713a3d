import type { ReactNode } from 'react'
import type { Json, JsonObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { type FormField, withItem, withMember } from '../form'
import { sampleValue } from '../sample'
import { addTo, newKeyOf, OBJECT_FORM, removeItem } from '../texts'
import { Group } from './FormLayout'

export interface FieldProps {
  name: string
  schema: JsonObject
  required?: boolean
  value: Json | undefined
  /** undefined removes the member. */
  onChange(value: Json | undefined): void
}

interface CollectionProps {
  name: string
  onChange(value: Json | undefined): void
  /** Passed by the form, to avoid an import cycle. */
  renderField(field: FieldProps): ReactNode
}

export function FormItems({
  name,
  field,
  value,
  onChange,
  renderField,
}: CollectionProps & { field: FormField & { kind: 'list' }; value: Json[] }) {
  return (
    <Group name={name} type={field.type}>
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no name but their place
        <div key={index} className="form-item">
          {renderField({
            name: `${name}[${index}]`,
            schema: field.items,
            value: item,
            onChange: (next) => next !== undefined && onChange(withItem(value, index, next)),
          })}
          <button
            type="button"
            className="button quiet icon-only small"
            aria-label={removeItem(`${name}[${index}]`)}
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
        <Icon name="add" size={14} /> {addTo(name)}
      </button>
    </Group>
  )
}

export function FormEntries({
  name,
  field,
  value,
  onChange,
  renderField,
}: CollectionProps & { field: FormField & { kind: 'map' }; value: JsonObject }) {
  return (
    <Group name={name} type={field.type}>
      {Object.entries(value).map(([key, item]) => (
        <div key={key} className="form-item">
          {renderField({
            name: key,
            schema: field.values,
            value: item,
            onChange: (next) => next !== undefined && onChange(withMember(value, key, next)),
          })}
          <button
            type="button"
            className="button quiet icon-only small"
            aria-label={removeItem(key)}
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
      aria-label={newKeyOf(name)}
      placeholder={OBJECT_FORM.newKey}
      onKeyDown={(event) => {
        const key = event.currentTarget.value.trim()
        if (event.key !== 'Enter' || key === '') return
        event.currentTarget.value = ''
        onAdd(key)
      }}
    />
  )
}
