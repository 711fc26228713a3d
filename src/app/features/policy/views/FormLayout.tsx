import { type ReactNode, useId } from 'react'

export function Labelled({
  name,
  type,
  required,
  children,
}: {
  name: string
  type: string
  required: boolean
  children: (id: string) => ReactNode
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

export function Group({
  name,
  type,
  children,
}: {
  name: string
  type: string
  children: ReactNode
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
