/** Read-only YAML, lighter than Monaco. */

import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Icon } from '../../components/Icon'
import { explain } from '../explain/state'
import { placeAt } from './cursor'
import type { Fold, Line } from './object-lines'
import * as texts from './shell-texts'

/** Further lines are rendered on demand. */
const SHOWN = 3000

interface YamlViewProps {
  lines: Line[]
  label: string
  /** The object's resourceVersion. */
  version: string
  onFold(what: Fold): void
}

export const YamlView = memo(function YamlView({ lines, label, version, onFold }: YamlViewProps) {
  const changed = useChanged(lines, version)
  return (
    <section
      className="code scroll"
      aria-label={label}
      aria-description={texts.keys}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      data-pane-focus
      onClick={({ target }) =>
        getSelection()?.isCollapsed !== false && explainKey(lines, target as HTMLElement)
      }
      onKeyDown={(event) => press(lines, event)}
    >
      {lines.slice(0, SHOWN).map(({ text, fold }, index) => (
        <div
          key={changed.has(index) ? `${index}-${version}` : index}
          className={changed.has(index) ? 'code-line changed' : 'code-line'}
        >
          <span className="code-number" aria-hidden="true">
            {index + 1}
          </span>
          <code>{highlighted(text, true)}</code>
          {fold && (
            <button
              type="button"
              className="fold"
              aria-expanded={fold.summary === undefined}
              onClick={() => onFold(fold.what)}
            >
              <Icon name="chevron" size={10} />
              <span className="cut">{fold.summary ?? texts.fold}</span>
            </button>
          )}
        </div>
      ))}
      {lines.length > SHOWN && <p className="soft code-rest">{texts.more(lines.length - SHOWN)}</p>}
    </section>
  )
})

function explainKey(lines: readonly Line[], element: HTMLElement): void {
  const row = element.closest('.code-line')
  if (!element.matches('.code-key') || row?.parentElement == null) return
  const line = [...row.parentElement.children].indexOf(row)
  const { parents, key, apiVersion, kind } = placeAt(
    lines.map(({ text }) => text).join('\n'),
    line,
    0,
  )
  if (key === undefined) return
  const value = row.querySelector('code')?.textContent?.split(/:\s/)[1]?.trim()
  explain(
    { field: { apiVersion, kind, path: [...parents, key], ...(value ? { value } : {}) } },
    element,
  )
}

function press(lines: readonly Line[], event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: view, key } = event
  if ((key === 'Enter' || key === ' ') && (target as HTMLElement).matches('.code-key'))
    explainKey(lines, target as HTMLElement)
  else if (key === 'ArrowDown' || key === 'ArrowUp')
    stepKeys(view, target as HTMLElement, key === 'ArrowDown' ? 1 : -1)
  else return
  event.preventDefault()
}

/** Moves the focus to the first visible name, then from name to name. */
function stepKeys(view: HTMLElement, from: HTMLElement, by: 1 | -1): void {
  const keys = [...view.querySelectorAll<HTMLElement>('.code-key')]
  const top = view.getBoundingClientRect().top
  const at = keys.indexOf(from)
  const next = at < 0 ? keys.find((key) => key.getBoundingClientRect().top >= top) : keys[at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** Lines that the previous version did not have. Folding is not a change. */
function useChanged(lines: Line[], version: string): ReadonlySet<number> {
  const before = useRef<{ version: string; texts: Set<string> }>(undefined)
  const changed = useMemo(() => {
    const known = before.current
    if (known === undefined || known.version === version) return new Set<number>()
    return new Set(lines.flatMap(({ text }, index) => (known.texts.has(text) ? [] : [index])))
  }, [lines, version])
  useEffect(() => {
    before.current = { version, texts: new Set(lines.map(({ text }) => text)) }
  }, [lines, version])
  return changed
}

const LINE = /^(\s*(?:- )*)([^\s:'"#-][^:#]*|"[^"]*"|'[^']*'|-[^\s:][^:]*)(:)(\s.*|$)/

/** @param explained makes the name a button whose text can still be selected */
export function highlighted(line: string, explained = false): ReactNode {
  const match = LINE.exec(line)
  if (!match) {
    const [, lead = '', rest = ''] = /^(\s*(?:- )*)(.*)$/s.exec(line) ?? []
    return (
      <>
        {lead}
        {value(rest)}
      </>
    )
  }
  const [, lead, key, colon, rest = ''] = match
  return (
    <>
      {lead}
      {explained ? (
        // biome-ignore lint/a11y/useSemanticElements: a button's text cannot be marked
        <span className="code-key" role="button" tabIndex={-1}>
          {key}
        </span>
      ) : (
        <span className="code-key">{key}</span>
      )}
      {colon}
      {value(rest)}
    </>
  )
}

function value(text: string): ReactNode {
  const plain = text.trim()
  if (
    plain === '' ||
    plain === '{}' ||
    plain === '[]' ||
    plain === '|' ||
    plain === '|-' ||
    plain === '>'
  )
    return text
  if (/^-?\d+(\.\d+)?$/.test(plain)) return <span className="code-number-value">{text}</span>
  if (/^(true|false|null)$/.test(plain)) return <span className="code-word">{text}</span>
  return <span className="code-text">{text}</span>
}
