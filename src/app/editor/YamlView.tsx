/** YAML to read: light, selectable, coloured by a few rules. For editing there is the editor. */
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { Icon } from '../components/Icon'
import type { Fold, Line } from './object-lines'

/** More lines than anybody reads are not all laid out at once. */
const SHOWN = 3000

interface YamlViewProps {
  lines: Line[]
  label: string
  /** Changes with the object's version. */
  version: string
  onFold(what: Fold): void
}

export const YamlView = memo(function YamlView({ lines, label, version, onFold }: YamlViewProps) {
  const changed = useChanged(lines, version)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="code scroll" aria-label={label} tabIndex={0} data-pane-focus>
      {lines.slice(0, SHOWN).map(({ text, fold }, index) => (
        <div key={changed.has(index) ? `${index}-${version}` : index} className={changed.has(index) ? 'code-line changed' : 'code-line'}>
          <span className="code-number" aria-hidden="true">
            {index + 1}
          </span>
          <code>{coloured(text)}</code>
          {fold && (
            <button type="button" className="fold" aria-expanded={fold.summary === undefined} onClick={() => onFold(fold.what)}>
              <Icon name="chevron" size={10} />
              {fold.summary ?? 'fold'}
            </button>
          )}
        </div>
      ))}
      {lines.length > SHOWN && <p className="soft code-rest">{lines.length - SHOWN} more lines: copy the YAML to see them.</p>}
    </section>
  )
})

/** Lines that the version before did not have. Folding is no change. */
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

export function coloured(line: string): ReactNode {
  const match = LINE.exec(line)
  if (!match) {
    const [, lead = '', rest = ''] = /^(\s*(?:- )*)(.*)$/.exec(line) ?? []
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
      <span className="code-key">{key}</span>
      {colon}
      {value(rest)}
    </>
  )
}

function value(text: string): ReactNode {
  const plain = text.trim()
  if (plain === '' || plain === '{}' || plain === '[]' || plain === '|' || plain === '|-' || plain === '>') return text
  if (/^-?\d+(\.\d+)?$/.test(plain)) return <span className="code-number-value">{text}</span>
  if (/^(true|false|null)$/.test(plain)) return <span className="code-word">{text}</span>
  return <span className="code-text">{text}</span>
}
