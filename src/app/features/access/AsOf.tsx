import { useState } from 'react'
import { useCluster } from '../../state/cluster'
import { revisionIn } from './grid'
import { useAccess } from './state'
import { AS_OF, asOfTitle } from './texts'

export function AsOf() {
  const revision = useAccess((state) => state.revision)
  const set = useAccess((state) => state.set)
  const newest = useCluster((state) => state.revision)
  const [text, setText] = useState(revision === undefined ? '' : String(revision))
  const choose = (typed: string) => {
    setText(typed)
    set({ revision: revisionIn(typed) })
  }
  return (
    <label className="as-of">
      <span className="soft">{AS_OF.short}</span>
      <input
        className="field mono"
        inputMode="numeric"
        aria-label={AS_OF.label}
        placeholder={AS_OF.now}
        title={asOfTitle(newest)}
        value={revision === undefined ? text : String(revision)}
        onChange={(event) => choose(event.target.value)}
      />
    </label>
  )
}
