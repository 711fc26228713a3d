/** Generated from the schema; empty fields are omitted. */
import { isJsonObject, type JsonObject } from '../../../../engine/core/object'
import { type FormField, formField, withMember } from '../form'
import { type FieldProps, FormEntries, FormItems } from './FormCollections'
import { FormInput } from './FormInput'
import { Group, Labelled } from './FormLayout'

interface FormProps {
  schema: JsonObject
  object: JsonObject
  onChange(object: JsonObject): void
}

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

const renderField = (field: FieldProps) => <Field {...field} />

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
        <FormItems
          name={name}
          field={field}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
          renderField={renderField}
        />
      )
    case 'map':
      return (
        <FormEntries
          name={name}
          field={field}
          value={isJsonObject(value) ? value : {}}
          onChange={onChange}
          renderField={renderField}
        />
      )
    default:
      return (
        <Labelled name={name} type={field.type} required={required}>
          {(id) => <FormInput id={id} field={field} value={value} onChange={onChange} />}
        </Labelled>
      )
  }
}
