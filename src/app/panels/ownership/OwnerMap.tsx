/** The object as YAML, with the owners of each line in the gutter. Pointing at a manager dims what is not its own. */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { KubeObject } from '../../../engine/object'
import type { StructType } from '../../../engine/schema/model'
import { runCommand } from '../../commands'
import { Empty } from '../../components/Empty'
import { OwnerSign } from '../../components/Owner'
import { coloured } from '../../editor/YamlView'
import { type OwnedLine, ownedLines } from '../../ownership/lines'
import { initialsOf } from '../../ownership/looks'
import { claimsOf, type Owner, ownersOf } from '../../ownership/owners'
import { actText, ownerWords, sinceText } from '../../ownership/words'
import { clusterNow } from '../../state/clock'
import { LineDetail, ManagerDetail, NobodyDetail } from './LineDetail'

/** Stands among the managers for fields without one. */
const NOBODY = 'nobody'
/** More signs than this would push the text away. */
const SIGNS = 2
const LONGEST_LINE = 200

export function OwnerMap({ object, type }: { object: KubeObject; type: StructType | undefined }) {
  const owners = useMemo(() => ownersOf(object), [object])
  const lines = useMemo(() => ownedLines(object, claimsOf(object, type)), [object, type])
  const initials = useMemo(() => initialsOf(owners.map(({ name }) => name)), [owners])
  const [pinned, setPinned] = useState<string>()
  const [pointed, setPointed] = useState<string>()
  const [at, setAt] = useState<number>()
  const chosen = pointed ?? pinned
  if (owners.length === 0)
    return (
      <Empty icon="scales" title="Nobody owns a field of it">
        Its managedFields are empty or were never kept: the next write begins them.
      </Empty>
    )
  const line = at === undefined ? undefined : lines[at]
  const owner = owners.find(({ id }) => id === chosen)
  return (
    <div className="owner-map">
      <Managers
        owners={owners}
        lines={lines}
        initials={initials}
        pinned={pinned}
        onPin={(id) => {
          setPinned(id === pinned ? undefined : id)
          setPointed(undefined)
          setAt(undefined)
        }}
        onPoint={setPointed}
      />
      <Lines lines={lines} initials={initials} chosen={chosen} pinned={pinned} at={at} onMove={setAt} />
      <div className="owner-detail" aria-live="polite">
        {pointed !== undefined || line === undefined ? (
          owner ? (
            <ManagerDetail owner={owner} object={object} initials={initials} />
          ) : chosen === NOBODY ? (
            <NobodyDetail />
          ) : (
            <Hint alone={owners.length === 1} />
          )
        ) : (
          <LineDetail object={object} line={line} initials={initials} />
        )}
      </div>
    </div>
  )
}

function Hint({ alone }: { alone: boolean }) {
  return (
    <p className="soft small">
      Choose a line to see who owns it and since when, or a manager to see only what is its own.
      {alone && (
        <>
          {' '}
          <button type="button" className="link" onClick={() => runCommand('two-managers')}>
            What if two managers want the same field?
          </button>
        </>
      )}
    </p>
  )
}

interface ManagersProps {
  owners: Owner[]
  lines: OwnedLine[]
  initials: Map<string, string>
  pinned: string | undefined
  onPin(id: string): void
  onPoint(id: string | undefined): void
}

function Managers({ owners, lines, initials, pinned, onPin, onPoint }: ManagersProps) {
  const count = (id: string) => lines.filter((line) => isOf(line, id)).length
  const chip = (id: string, name: string, sign: React.ReactNode, hint: string) => (
    <button
      key={id}
      type="button"
      className="owner-chip"
      aria-pressed={pinned === id}
      title={`Show only what ${name} owns`}
      onClick={() => onPin(id)}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && onPoint(id)}
      onPointerLeave={() => onPoint(undefined)}
      onFocus={({ target }) => target.matches(':focus-visible') && onPoint(id)}
      onBlur={() => onPoint(undefined)}
    >
      {sign}
      <span className="cut">{name}</span>
      {hint && <span className="soft small">{hint}</span>}
      <span className="count">{count(id)}</span>
    </button>
  )
  return (
    <fieldset className="owner-chips" aria-label="Managers">
      {owners.map((owner) => {
        const { id, name, operation } = owner
        return chip(
          id,
          name,
          <OwnerSign name={name} initials={initials.get(name) ?? ''} operation={operation} />,
          // To apply is the usual way.
          operation === 'Update' ? ['Update', owner.subresource].filter(Boolean).join(' · ') : owner.subresource,
        )
      })}
      {chip(NOBODY, 'nobody', <NobodySign />, '')}
    </fieldset>
  )
}

/** @param id of an owner, or NOBODY */
function isOf({ claims, state }: OwnedLine, id: string | undefined): boolean {
  return id === NOBODY ? state === 'nobody' : claims.some(({ owner }) => owner.id === id)
}

function NobodySign() {
  return (
    <span className="owner-sign nobody" aria-hidden="true">
      ··
    </span>
  )
}

interface LinesProps {
  lines: OwnedLine[]
  initials: Map<string, string>
  /** Whose lines are shown, the others dimmed. */
  chosen: string | undefined
  /** Chosen by more than pointing: its first line is brought into view. */
  pinned: string | undefined
  at: number | undefined
  onMove(at: number): void
}

function Lines({ lines, initials, chosen, pinned, at, onMove }: LinesProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // What is told of the line takes room from the lines: it must not cover the one it tells of.
  useEffect(() => {
    if (at !== undefined) list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the object is no reason to scroll
  useEffect(() => {
    const first = lines.findIndex((line) => isOf(line, pinned))
    if (pinned !== undefined) list.current?.children[first]?.scrollIntoView({ block: 'nearest' })
  }, [pinned])
  const step = (event: KeyboardEvent) => {
    const from = at ?? -1
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + 12, PageUp: from - 12, Home: 0, End: lines.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(to, 0), lines.length - 1)
    onMove(next)
  }
  const dimmed = (line: OwnedLine) => chosen !== undefined && !isOf(line, chosen)
  return (
    <div
      ref={list}
      className="scroll owned-lines"
      role="listbox"
      aria-label="Lines and their owners"
      tabIndex={0}
      data-pane-focus
      aria-activedescendant={at === undefined ? undefined : `${id}-${at}`}
      onKeyDown={step}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the list do the same
        // biome-ignore lint/a11y/useFocusableInteractive: the list keeps the focus
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its position
          key={index}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          className={['owned-line', line.state, dimmed(line) ? 'dimmed' : ''].join(' ')}
          onClick={() => onMove(index)}
        >
          <Signs line={line} initials={initials} />
          <span className={`piece ${line.piece ?? ''}`} aria-hidden="true" />
          <code>{coloured(line.text.length > LONGEST_LINE ? `${line.text.slice(0, LONGEST_LINE)} …` : line.text)}</code>
          <span className="visually-hidden">{ownerWords(line)}</span>
          <Remark line={line} />
        </div>
      ))}
    </div>
  )
}

/** The owners of a line, each once. */
function ownersOn({ claims }: OwnedLine): Owner[] {
  return [...new Map(claims.map(({ owner }) => [owner.id, owner])).values()]
}

function Signs({ line, initials }: { line: OwnedLine; initials: Map<string, string> }) {
  const owners = ownersOn(line)
  const shown = owners.length > SIGNS ? owners.slice(0, SIGNS - 1) : owners
  return (
    <span className="signs" title={owners.map((owner) => `${owner.name}: ${actText(owner)}, ${sinceText(owner, clusterNow())}`).join('\n')}>
      {shown.map(({ id, name, operation }) => (
        <OwnerSign key={id} name={name} initials={initials.get(name) ?? ''} operation={operation} />
      ))}
      {owners.length > shown.length && (
        <span className="owner-sign more" aria-hidden="true">
          +{owners.length - shown.length}
        </span>
      )}
      {line.state === 'nobody' && <NobodySign />}
    </span>
  )
}

function Remark({ line }: { line: OwnedLine }) {
  const owners = ownersOn(line)
  const shared = owners.length > 1 ? `shared: ${owners.map(({ name }) => name).join(', ')}` : ''
  const whole = line.piece === 'first' ? 'one piece' : ''
  const words = [whole, shared].filter(Boolean).join(' · ')
  return words === '' || (line.piece !== undefined && line.piece !== 'first') ? null : (
    <span className="remark" aria-hidden="true">
      {words}
    </span>
  )
}
