/** Search over commands and live objects. */
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { apiVersionOf } from '../../engine/object'
import { actorCommands, COMMANDS } from '../commands'
import { Dialog } from '../components/Dialog'
import { Icon } from '../components/Icon'
import { Keys } from '../components/Keys'
import { openNew } from '../manifests/new-object'
import { useCluster } from '../state/cluster'
import { idOf, type ServedResource, useDiscovery } from '../state/discovery'
import { selectObject, useView } from '../state/view'

interface Entry {
  key: string
  title: string
  hint: string
  keys?: string
  isObject: boolean
  run(): void
}

const SHOWN = 60

/** Every word of the query occurs, in any order. */
const holds = (text: string, words: string[]): boolean => words.every((word) => text.toLowerCase().includes(word))

/** `new deploy`: a file with an example, for every kind that can be made. */
function newEntries(resources: readonly ServedResource[], words: string[]): Entry[] {
  return resources
    .filter(({ verbs, kind, resource, shortNames, group }) => {
      return verbs.includes('create') && holds(`New ${kind} ${resource} ${shortNames.join(' ')} ${group}`, words)
    })
    .map((resource) => ({
      key: `new ${idOf(resource)}`,
      title: `New ${resource.kind}`,
      hint: apiVersionOf(resource.group, resource.version),
      isObject: false,
      run: () => void openNew(resource),
    }))
}

function useEntries(query: string): Entry[] {
  const kinds = useCluster((state) => state.kinds)
  const resources = useDiscovery((state) => state.resources)
  return useMemo(() => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const found: Entry[] = [...COMMANDS, ...actorCommands()]
      .filter(({ id, title, group }) => id !== 'palette' && holds(`${title} ${group}`, words))
      .map(({ id, title, group, keys, run }) => ({ key: id, title, hint: group, isObject: false, run, ...(keys ? { keys } : {}) }))
    if (words.length === 0) return found
    const news = newEntries(resources, words)
    if (words.includes('new')) found.push(...news)
    for (const { resource, objects } of kinds.values()) {
      const names = `${resource.kind} ${resource.resource} ${resource.shortNames.join(' ')}`
      for (const { name, namespace, uid } of objects.values()) {
        if (found.length >= SHOWN) return found
        if (!holds(`${name} ${names} ${namespace}`, words)) continue
        const hint = `${resource.kind}${namespace ? ` in ${namespace}` : ''}`
        found.push({ key: uid, title: name, hint, isObject: true, run: () => selectObject({ resource, namespace, name }) })
      }
    }
    return words.includes('new') ? found : [...found, ...news]
  }, [query, kinds, resources])
}

export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState(useView.getState().search)
  const [at, setAt] = useState(0)
  const entries = useEntries(query)
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const chosen = entries[at]
  useEffect(() => () => useView.getState().set({ search: '' }), [])
  useEffect(() => {
    if (chosen) document.getElementById(`entry-${chosen.key}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  function press(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, entries.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else if (event.key === 'Enter') choose(chosen)
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Search" plain onClose={onClose}>
      <div className="palette-head">
        <Icon name="search" />
        <input
          data-autofocus
          placeholder="Search commands and objects, or “new” and a kind"
          aria-label="Search commands and objects"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen && `entry-${chosen.key}`}
          value={query}
          spellCheck={false}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
      </div>
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
            <span className={entry.isObject ? 'cut mono' : 'cut'}>{entry.title}</span>
            <span className="grow" />
            <span className="menu-hint">{entry.hint}</span>
            {entry.keys && <Keys keys={entry.keys} />}
          </button>
        ))}
        {entries.length === 0 && <p className="empty">Nothing is called that.</p>}
      </div>
    </Dialog>
  )
}
