import { useEffect, useState } from 'react'
import type { Decider } from '../../../hosts/shared/access'
import { useConnection } from '../../state/connection'
import { CONFIGURATION } from './texts'

export function ActiveAuthorizers() {
  const connection = useConnection((state) => state.connection)
  const [row, setRow] = useState<Decider[]>([])
  useEffect(() => {
    let over = false
    connection?.channel.request('accessAuthorizers', undefined).then(
      (deciders) => over || setRow(deciders),
      () => over || setRow([]),
    )
    return () => {
      over = true
    }
  }, [connection])
  return (
    <ol className="authorizers" aria-label={CONFIGURATION.running}>
      {row.map(({ type, name }) => (
        <li key={`${type} ${name}`}>
          <strong className="cut">{type}</strong>
          {name.toLowerCase() !== type.toLowerCase() && <span className="cut soft">{name}</span>}
        </li>
      ))}
    </ol>
  )
}
