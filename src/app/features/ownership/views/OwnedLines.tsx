/** The lines of an object with their field managers. Only visible lines are rendered. */
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import { equalRows } from '../../../components/row-layout'
import { type Span, useRowsInSight } from '../../../components/rows-in-sight'
import { shownNow } from '../../../state/clock'
import { highlighted } from '../../editor/YamlView'
import type { OwnedLine } from '../lines'
import type { Owner } from '../owners'
import { actText, andMore, MAP, namesOf, ownerWords, sharedBy, sinceText } from '../texts'
import { OwnerBadges, UnownedBadge } from './Owner'

export const UNOWNED = 'unowned'
/** More would displace the text. */
const MAX_BADGES = 2
const LONGEST_LINE = 200
const MAX_NAMED = 12
/** As in owner-map.css; `EDGE` is the padding above the first line. */
const LINE_HEIGHT = 21
const EDGE = 6
/** Up to this many lines, all are rendered, for the browser's find command. */
const FEW = 400
/** Above the first owned line when the view opens. */
const BEFORE_FIRST = 2

/** @param id of an owner, or UNOWNED */
export function isOf({ claims, state }: OwnedLine, id: string | undefined): boolean {
  return id === UNOWNED ? state === 'unowned' : claims.some(({ owner }) => owner.id === id)
}

interface OwnedLinesProps {
  lines: OwnedLine[]
  initials: Map<string, string>
  chosen: string | undefined
  /** Chosen by click or keyboard: its first line is scrolled into view. */
  pinned: string | undefined
  at: number | undefined
  onMove(at: number): void
}

export function OwnedLines({ lines, initials, chosen, pinned, at, onMove }: OwnedLinesProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const layout = useMemo(() => equalRows(lines.length, LINE_HEIGHT), [lines.length])
  const { span: seen, scrollTo } = useRowsInSight(list, layout, { edge: EDGE / 2 })
  const { from, to }: Span = lines.length > FEW ? seen : { from: 0, to: lines.length }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the object does not scroll
  useLayoutEffect(() => {
    const first = lines.findIndex(({ claims }) => claims.length > 0)
    const { current } = list
    const hidden = current !== null && (first + 1) * LINE_HEIGHT > current.clientHeight
    if (hidden) current.scrollTop = (first - BEFORE_FIRST) * LINE_HEIGHT + EDGE
  }, [])
  // The detail shrinks the list: scrolls the line back into view.
  useEffect(() => {
    if (at !== undefined) scrollTo(at)
  }, [at, scrollTo])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the object does not scroll
  useEffect(() => {
    const first = lines.findIndex((line) => isOf(line, pinned))
    if (pinned !== undefined && first >= 0) scrollTo(first)
  }, [pinned])
  const step = (event: KeyboardEvent) => {
    const now = at ?? -1
    const last = lines.length - 1
    const next = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      PageDown: now + 12,
      PageUp: now - 12,
      Home: 0,
      End: last,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    onMove(Math.min(Math.max(next, 0), last))
  }
  const dimmed = (line: OwnedLine) => chosen !== undefined && !isOf(line, chosen)
  return (
    <div
      ref={list}
      className="scroll owned-lines"
      role="listbox"
      aria-label={MAP.lines}
      tabIndex={0}
      data-pane-focus
      aria-activedescendant={at === undefined ? undefined : `${id}-${at}`}
      onKeyDown={step}
    >
      <div role="presentation" style={{ height: from * LINE_HEIGHT }} />
      {lines.slice(from, to).map((line, row) => {
        const index = from + row
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the list do the same
          // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            aria-posinset={index + 1}
            aria-setsize={lines.length}
            className={['owned-line', line.state, dimmed(line) ? 'dimmed' : ''].join(' ')}
            onClick={() => onMove(index)}
          >
            <Badges line={line} initials={initials} />
            <span className={`piece ${line.piece ?? ''}`} aria-hidden="true" />
            <code>
              {highlighted(
                line.text.length > LONGEST_LINE
                  ? `${line.text.slice(0, LONGEST_LINE)} …`
                  : line.text,
              )}
            </code>
            <span className="visually-hidden">{ownerWords(line)}</span>
            <Remark line={line} />
          </div>
        )
      })}
      <div role="presentation" style={{ height: (lines.length - to) * LINE_HEIGHT }} />
    </div>
  )
}

function ownersOn({ claims }: OwnedLine): Owner[] {
  return [...new Map(claims.map(({ owner }) => [owner.id, owner])).values()]
}

function Badges({ line, initials }: { line: OwnedLine; initials: Map<string, string> }) {
  const owners = ownersOn(line)
  const names = owners
    .slice(0, MAX_NAMED)
    .map((owner) => `${owner.name}: ${actText(owner)}, ${sinceText(owner, shownNow())}`)
  return (
    <span
      className="owner-badges"
      title={[
        ...names,
        ...(owners.length > MAX_NAMED ? [andMore(owners.length - MAX_NAMED)] : []),
      ].join('\n')}
    >
      <OwnerBadges owners={owners} initials={initials} most={MAX_BADGES} />
      {line.state === 'unowned' && <UnownedBadge />}
    </span>
  )
}

function Remark({ line }: { line: OwnedLine }) {
  const owners = ownersOn(line)
  const shared = owners.length > 1 ? sharedBy(namesOf(owners)) : ''
  const whole = line.piece === 'first' ? MAP.atomic : ''
  const words = [whole, shared].filter(Boolean).join(' · ')
  return words === '' || (line.piece !== undefined && line.piece !== 'first') ? null : (
    <span className="remark" aria-hidden="true">
      {words}
    </span>
  )
}
