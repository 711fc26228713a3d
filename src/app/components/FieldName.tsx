/** A field's path, which wraps between its parts. */
import { Fragment } from 'react'

export function FieldName({ path }: { path: string }) {
  const parts = path.split(/(?=[.[])/)
  return (
    <code className="field-name">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  )
}
