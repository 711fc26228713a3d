import { Fragment, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Keys } from '../../commands/Keys'
import { Dialog } from '../../components/Dialog'
import { Icon } from '../../components/Icon'
import { useView } from '../../state/view'
import type { Found } from './search'
import * as texts from './shell-texts'
import { useSearch } from './use-search'

export function Palette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState(useView.getState().search)
  const [at, setAt] = useState(0)
  // Enter before the results opens the first one when they arrive.
  const [hurried, setHurried] = useState(false)
  const { groups, settled } = useSearch(query)
  const entries = groups.flatMap((group) => group.entries)
  const choose = (entry: Found | undefined) => {
    if (entry === undefined) return
    onClose()
    // Restores the focus first, because the entry may move it.
    setTimeout(entry.run)
  }
  // The browser also reports entries that move under a resting pointer.
  const pointer = useRef<string>(undefined)
  function point(entry: Found, { clientX, clientY }: PointerEvent): void {
    const place = `${clientX} ${clientY}`
    if (pointer.current !== undefined && pointer.current !== place) setAt(entries.indexOf(entry))
    pointer.current = place
  }
  const chosen = entries[at]
  useEffect(() => {
    if (!hurried || !settled) return
    setHurried(false)
    choose(chosen)
  })
  useEffect(() => () => useView.getState().set({ search: '' }), [])
  useEffect(() => {
    if (chosen) document.getElementById(`entry-${chosen.key}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  function press(event: KeyboardEvent): void {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key]
    if (to !== undefined) setAt(Math.max(0, Math.min(to, entries.length - 1)))
    else if (event.key === 'Enter') setHurried(true)
    else return
    event.preventDefault()
  }
  return (
    <Dialog label={texts.search} plain onClose={onClose}>
      <div className="palette-head">
        <Icon name="search" />
        <input
          data-autofocus
          placeholder={texts.placeholder}
          aria-label={texts.label}
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={chosen && `entry-${chosen.key}`}
          value={query}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
            setHurried(false)
          }}
          onKeyDown={press}
        />
      </div>
      <div className="palette-list" id="palette-list" role="listbox" aria-label={texts.results}>
        {groups.map(({ title, entries: members, more }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is not a fieldset
          <div key={title} role="group" aria-label={title}>
            {query !== '' && (
              <p className="palette-group" aria-hidden="true">
                {title}
              </p>
            )}
            {members.map((entry) => (
              <Entry
                key={entry.key}
                entry={entry}
                chosen={entry === chosen}
                onPoint={(event) => point(entry, event)}
                onChoose={() => choose(entry)}
              />
            ))}
            {more > 0 && <p className="palette-more">{texts.more(more)}</p>}
          </div>
        ))}
      </div>
      {entries.length === 0 && (
        <p className="empty" role="status">
          {texts.noResults} <code>{texts.fieldExample}</code>
        </p>
      )}
      <p className="palette-foot" aria-hidden="true">
        {FOOT.map(({ keys, text }) => (
          <Fragment key={text}>
            <Keys keys={keys} /> {text}
          </Fragment>
        ))}
      </p>
    </Dialog>
  )
}

const FOOT = [
  { keys: '↑', text: '' },
  { keys: '↓', text: texts.move },
  { keys: 'Enter', text: texts.choose },
  { keys: 'Esc', text: texts.closeKey },
]

interface EntryProps {
  entry: Found
  chosen: boolean
  onPoint(event: PointerEvent): void
  onChoose(): void
}

function Entry({
  entry: { key, title, hint, keys, isName },
  chosen,
  onPoint,
  onChoose,
}: EntryProps) {
  return (
    <button
      id={`entry-${key}`}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className="palette-item"
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      <span className={isName ? 'cut mono' : 'cut'}>{title}</span>
      <span className="grow" />
      <span className="menu-hint">{hint}</span>
      {keys && <Keys keys={keys} />}
    </button>
  )
}
