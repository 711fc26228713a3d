/** Search over commands and live objects. */
import { useMemo, useState } from 'react'
import { commands, keysText } from '../commands'
import { Dialog } from '../components/Dialog'
import { useCluster } from '../state/cluster'
import { useView } from '../state/view'

interface Entry {
  key: string
  title: string
  hint: string
  run(): void
}

const SHOWN = 60

/** Every word of the query occurs, in any order. */
const matches = (text: string, words: string[]): boolean => words.every((word) => text.toLowerCase().includes(word))

function useEntries(query: string): Entry[] {
  const kinds = useCluster((state) => state.kinds)
  return useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const found: Entry[] = commands()
      .filter(({ id, title, group }) => id !== 'palette' && matches(`${title} ${group}`, words))
      .map(({ id, title, group, keys, run }) => ({ key: id, title, hint: keys ? keysText(keys) : group, run }))
    if (words.length === 0) return found.slice(0, SHOWN)
    for (const { resource, objects } of kinds.values()) {
      for (const { name, namespace, uid } of objects.values()) {
        if (found.length >= SHOWN) return found
        if (!matches(`${name} ${resource.kind} ${namespace}`, words)) continue
        found.push({
          key: uid,
          title: name,
          hint: `${resource.kind}${namespace ? ` · ${namespace}` : ''}`,
          run: () => useView.getState().set({ selected: { resource, namespace, name }, pane: 'object' }),
        })
      }
    }
    return found
  }, [query, kinds])
}

export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const entries = useEntries(query)
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  return (
    <Dialog label="Search" onClose={onClose}>
      <input
        className="palette-input"
        placeholder="Search commands and objects"
        aria-label="Search commands and objects"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[at] ? `entry-${entries[at].key}` : undefined}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(at + 1, entries.length - 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
          else if (event.key === 'Enter') choose(entries[at])
          else return
          event.preventDefault()
        }}
      />
      <div className="palette-list" id="palette-list" role="listbox" aria-label="Found">
        {entries.map((entry, index) => (
          <button
            key={entry.key}
            id={`entry-${entry.key}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="palette-item"
            onPointerMove={() => setAt(index)}
            onClick={() => choose(entry)}
          >
            <span className="cut">{entry.title}</span>
            <span className="grow" />
            <span className="faint">{entry.hint}</span>
          </button>
        ))}
        {entries.length === 0 && <p className="empty">Nothing is called that.</p>}
      </div>
    </Dialog>
  )
}
