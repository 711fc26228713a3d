/** An explanation next to its anchor, or at the lower edge on a phone. */
import './explain.css'
import {
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Icon } from '../../components/Icon'
import { type Entry, type Source, WORD_KINDS } from './entry'
import { explainField, type FieldExplanation, placeText } from './fields'
import { entryOf } from './glossary'
import type { FieldAddress } from './served-field'
import { closeExplanation, type ExplainTarget, useExplain } from './state'
import { EXPLANATION, fieldOf, meaningOf, noEntry } from './texts'

export default function Explanation({ target }: { target: ExplainTarget }) {
  const anchor = useExplain((state) => state.anchor)
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<CSSProperties>({})
  const [grown, setGrown] = useState(0)
  const title = 'field' in target ? placeText(target.field.path) : target.name
  useEffect(() => {
    const { current } = box
    if (current === null) return
    current.showPopover()
    current.focus()
    const elsewhere = (event: PointerEvent) => {
      const at = event.target as Node
      // The anchor may have requested another explanation, which needs the focus.
      if (!current.contains(at) && !anchor?.contains(at))
        useExplain.setState({ target: undefined, anchor: undefined })
    }
    addEventListener('pointerdown', elsewhere)
    return () => removeEventListener('pointerdown', elsewhere)
  }, [anchor])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has come since needs more room
  useLayoutEffect(() => {
    if (box.current) setPlace(placeOf(anchor, box.current))
  }, [anchor, target, grown])
  return (
    <div
      ref={box}
      popover="manual"
      className="explanation"
      role="dialog"
      aria-label={meaningOf(title)}
      tabIndex={-1}
      style={place}
      onKeyDown={press}
    >
      <div className="explanation-head">
        <p className="explanation-kind">
          {'field' in target ? fieldOf(target.field.kind) : WORD_KINDS[target.word]}
        </p>
        <button
          type="button"
          className="button quiet icon-only small"
          aria-label={EXPLANATION.close}
          onClick={closeExplanation}
        >
          <Icon name="close" size={14} />
        </button>
      </div>
      {'field' in target ? (
        <Field address={target.field} onCome={() => setGrown(grown + 1)} />
      ) : (
        <Word entry={entryOf(target.word, target.name)} name={target.name} />
      )}
    </div>
  )
}

/** Escape and Tab close it, because it is outside of the tab order. */
function press(event: KeyboardEvent<HTMLDivElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')]
  const leaving =
    event.key === 'Tab' && document.activeElement === (event.shiftKey ? stops[0] : stops.at(-1))
  if (event.key !== 'Escape' && !leaving) return
  event.preventDefault()
  event.stopPropagation()
  closeExplanation()
}

function Word({ entry, name }: { entry: Entry | undefined; name: string }) {
  if (entry === undefined) return <p>{noEntry(name)}</p>
  return (
    <>
      <h2 className="mono">{entry.name}</h2>
      <p>{entry.text}</p>
      <Sources sources={entry.see} />
    </>
  )
}

function Field({ address, onCome }: { address: FieldAddress; onCome: () => void }) {
  const [found, setFound] = useState<FieldExplanation>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again for another field
  useEffect(() => {
    let current = true
    void explainField(address).then((explanation) => {
      if (!current) return
      setFound(explanation)
      onCome()
    })
    return () => {
      current = false
    }
  }, [address])
  const { words, served, value } = found ?? {}
  const [text, ...see] = words ?? []
  return (
    <>
      <h2 className="mono">{placeText(address.path)}</h2>
      {served && (
        <p className="explanation-type">
          <code>{served.type}</code>
          {served.notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </p>
      )}
      {text && <p>{text}</p>}
      {value && (
        <p>
          <code>{value.name}</code> {value.text}
        </p>
      )}
      {found === undefined ? (
        <p className="soft">{EXPLANATION.waiting}</p>
      ) : served?.description ? (
        <blockquote className="explanation-served">
          <p className="explanation-kind">{EXPLANATION.fromServer}</p>
          <p>{served.description}</p>
        </blockquote>
      ) : (
        !text && <p className="soft">{EXPLANATION.noDescription}</p>
      )}
      <Sources sources={[...see, ...(value?.see ?? [])]} />
    </>
  )
}

function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  return (
    <ul className="explanation-sources" aria-label={EXPLANATION.references}>
      {sources.map(({ title, url }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

const MARGIN = 8
const APART = 6
/** The server's description arrives later and adds to it. */
const COMFORTABLE = 340

/** Below the anchor, or above; explain.css places it on a phone. */
function placeOf(anchor: HTMLElement | undefined, box: HTMLElement): CSSProperties {
  if (matchMedia('(max-width: 767px)').matches) return {}
  const { width } = box.getBoundingClientRect()
  const at = anchor?.isConnected ? anchor.getBoundingClientRect() : undefined
  if (at === undefined)
    return { left: (innerWidth - width) / 2, top: Math.max(MARGIN, innerHeight / 5) }
  const left = Math.max(MARGIN, Math.min(at.left, innerWidth - width - MARGIN))
  const below = innerHeight - at.bottom - APART - MARGIN
  if (below >= COMFORTABLE || below >= at.top)
    return { left, top: at.bottom + APART, maxHeight: below }
  return { left, bottom: innerHeight - at.top + APART, maxHeight: at.top - APART - MARGIN }
}
