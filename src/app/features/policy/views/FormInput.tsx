import type { Json } from '../../../../engine/core/object'
import { type FormField, jsonOrText } from '../form'
import { OBJECT_FORM } from '../texts'

interface FormInputProps {
  id: string
  field: Exclude<FormField, { kind: 'object' | 'list' | 'map' }>
  value: Json | undefined
  onChange(value: Json | undefined): void
}

export function FormInput({ id, field, value, onChange }: FormInputProps) {
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
          <option value="">{field.placeholder || OBJECT_FORM.unset}</option>
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

function JsonText({ id, value, onChange }: Omit<FormInputProps, 'field'>) {
  return (
    <input
      id={id}
      className="field mono"
      placeholder={OBJECT_FORM.json}
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      onBlur={(event) =>
        onChange(event.target.value === '' ? undefined : jsonOrText(event.target.value))
      }
    />
  )
}
