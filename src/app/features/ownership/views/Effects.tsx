import { FieldName } from '../../../components/FieldName'
import type { Effect, FieldEffect } from '../effects'
import { initialsOf } from '../looks'
import type { Owner } from '../owners'
import { EFFECTS, namesOf, ownedBy, thenOwnedBy } from '../texts'
import { valueText, valueTexts } from '../value-text'
import { OwnerBadges, UnownedBadge } from './Owner'

const TONE: Record<Effect, string> = {
  added: 'good',
  changed: 'accent',
  removed: 'bad',
  reset: 'warn',
  taken: 'warn',
  shared: 'good',
  claimed: 'good',
  relinquished: 'mute',
  followed: 'mute',
}

/** Further badges are counted. */
const MAX_BADGES = 4

/** @param none text if nothing changes */
export function Effects({ effects, none }: { effects: readonly FieldEffect[]; none: string }) {
  if (effects.length === 0) return <p className="soft small">{none}</p>
  const initials = initialsOf(
    effects
      .flatMap(({ ownersBefore, ownersAfter }) => [...ownersBefore, ...ownersAfter])
      .map(({ name }) => name),
  )
  return (
    <ul className="effects">
      {effects.map((effect) => (
        <li key={effect.field} className="effect">
          <span className={`chip ${TONE[effect.effect]}`}>{EFFECTS[effect.effect]}</span>
          <span className="effect-field">
            <FieldName path={effect.field} /> <Values effect={effect} />
          </span>
          <Hands effect={effect} initials={initials} />
        </li>
      ))}
    </ul>
  )
}

function Values({ effect: { effect, before, after } }: { effect: FieldEffect }) {
  if (['shared', 'taken', 'claimed', 'relinquished'].includes(effect))
    return <span className="soft mono">{valueText(after)}</span>
  const [was, is] =
    before === undefined || after === undefined
      ? [valueText(before), valueText(after)]
      : valueTexts(before, after)
  return (
    <span className="mono">
      {before !== undefined && <del>{was}</del>}
      {before !== undefined && after !== undefined && <span className="soft"> → </span>}
      {after !== undefined && <ins>{is}</ins>}
    </span>
  )
}

function Hands({
  effect: { effect, ownersBefore, ownersAfter },
  initials,
}: {
  effect: FieldEffect
  initials: Map<string, string>
}) {
  if (effect === 'followed') return <span className="hands soft small">{EFFECTS.byServer}</span>
  const words = thenOwnedBy(namesOf(ownersBefore), namesOf(ownersAfter))
  return (
    <span className="hands" title={words}>
      <span className="visually-hidden">{ownedBy(words)}</span>
      <Badges owners={ownersBefore} initials={initials} />
      <span className="soft" aria-hidden="true">
        →
      </span>
      <Badges owners={ownersAfter} initials={initials} />
    </span>
  )
}

export function Badges({
  owners,
  initials,
}: {
  owners: readonly Owner[]
  initials: Map<string, string>
}) {
  return owners.length === 0 ? (
    <UnownedBadge />
  ) : (
    <OwnerBadges owners={owners} initials={initials} most={MAX_BADGES} />
  )
}
