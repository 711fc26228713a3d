/** Pointing at a manager dims the lines of others. */
import { useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import type { StructType } from '../../../../engine/schema/model'
import { runCommand } from '../../../commands/registry'
import { Empty } from '../../../components/Empty'
import { type OwnedLine, ownedLines } from '../lines'
import { initialsOf } from '../looks'
import { claimsOf, type Owner, ownersOf } from '../owners'
import { MANAGERS, MAP, showOnly } from '../texts'
import { LineDetail, ManagerDetail, UnownedDetail } from './LineDetail'
import { isOf, OwnedLines, UNOWNED } from './OwnedLines'
import { OwnerBadge, UnownedBadge } from './Owner'

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
      <Empty icon="scales" title={MAP.noneTitle}>
        {MAP.none}
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
      <OwnedLines
        lines={lines}
        initials={initials}
        chosen={chosen}
        pinned={pinned}
        at={at}
        onMove={setAt}
      />
      <div className="owner-detail" aria-live="polite">
        {pointed !== undefined || line === undefined ? (
          owner ? (
            <ManagerDetail owner={owner} object={object} initials={initials} />
          ) : chosen === UNOWNED ? (
            <UnownedDetail />
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
      {MAP.hint}
      {alone && (
        <>
          {' '}
          <button type="button" className="link" onClick={() => runCommand('two-managers')}>
            {MAP.twoManagers}
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
      title={showOnly(name)}
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
    <fieldset className="owner-chips" aria-label={MAP.managers}>
      {owners.map((owner) => {
        const { id, name, operation } = owner
        return chip(
          id,
          name,
          <OwnerBadge name={name} initials={initials.get(name) ?? ''} operation={operation} />,
          operation === 'Update'
            ? ['Update', owner.subresource].filter(Boolean).join(' · ')
            : owner.subresource,
        )
      })}
      {chip(UNOWNED, MANAGERS.none, <UnownedBadge />, '')}
    </fieldset>
  )
}
