import './change.css'
import { useEffect, useState } from 'react'
import { ALL_RELEASES, compareReleases, type Release } from '../../../../engine/releases'
import type { KeptSnapshot } from '../../../../hosts/shared/channel'
import { Empty } from '../../../components/Empty'
import { Icon } from '../../../components/Icon'
import { useChosenInSight } from '../../../components/tabs'
import { useSettings } from '../../../state/settings'
import { useView } from '../../../state/view'
import { changeRelease, keptSnapshot, restoreSnapshot } from '../change-release'
import { changelogOf } from '../release-notes'
import { useReleases } from '../state'
import { CHANGE } from '../texts'
import { ChangePlan } from './ChangePlan'
import { ReleaseChoice } from './ReleaseChoice'
import { Replay } from './Replay'

export function ChangeRelease() {
  const settings = useSettings((state) => state.settings)
  const load = useSettings((state) => state.load)
  const target = useReleases((state) => state.target)
  const set = useReleases((state) => state.set)
  const [moving, setMoving] = useState(false)
  useEffect(() => void load(), [load])
  if (settings === undefined) return <Empty>{CHANGE.loading}</Empty>
  const now = settings.release
  const to = target ?? now
  const choose = (release: Release) => set({ target: release })
  const change = async () => {
    setMoving(true)
    await changeRelease(to)
    setMoving(false)
  }
  return (
    <div className="machine scroll">
      <div className="machine-choice">
        <p>
          {CHANGE.runs} <strong>{now}</strong>. {to === now && CHANGE.select}
        </p>
        <ReleaseRail now={now} target={to} onChoose={choose} />
        <div className="machine-buttons">
          <ReleaseChoice label={CHANGE.release} value={to} onChoose={choose} />
          <button
            type="button"
            className="button primary"
            disabled={to === now || moving}
            onClick={() => void change()}
          >
            {moving ? CHANGE.starting : to === now ? CHANGE.current : CHANGE.changeTo(to)}
          </button>
          <a className="link" href={changelogOf(to)} target="_blank" rel="noreferrer">
            {CHANGE.changelog(to)}
          </a>
        </div>
        <Way from={now} to={to} />
        <Snapshot key={now} />
      </div>
      {to !== now && <ChangePlan key={`${now} ${to}`} from={now} to={to} />}
      <Replay />
    </div>
  )
}

function Way({ from, to }: { from: Release; to: Release }) {
  const steps = compareReleases(to, from)
  const count = Math.abs(steps)
  const isDown = steps < 0
  return (
    <p className="soft small">
      {CHANGE.restarts(count > 1 ? (isDown ? CHANGE.manyDown : CHANGE.manyUp) : '')}
    </p>
  )
}

function ReleaseRail({
  now,
  target,
  onChoose,
}: {
  now: Release
  target: Release
  onChoose(release: Release): void
}) {
  const rail = useChosenInSight(target)
  return (
    <div className="release-rail" ref={rail} role="radiogroup" aria-label={CHANGE.rail}>
      {ALL_RELEASES.map((release) => (
        // biome-ignore lint/a11y/useSemanticElements: stops of a rail, not a list of labelled circles
        <button
          key={release}
          type="button"
          role="radio"
          aria-checked={release === target}
          className={release === now ? 'now' : undefined}
          title={release === now ? CHANGE.currentRelease(release) : release}
          onClick={() => onChoose(release)}
        >
          <span className="mono">{release}</span>
        </button>
      ))}
    </div>
  )
}

/** Mounted again for each release, because a change stores another snapshot. */
function Snapshot() {
  const [kept, setKept] = useState<KeptSnapshot>()
  useEffect(() => {
    let current = true
    keptSnapshot().then(
      (found) => current && setKept(found),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [])
  if (kept === undefined) return null
  const time = new Date(kept.at).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return (
    <div className="machine-kept">
      <span>
        <Icon name="layers" size={14} /> {CHANGE.saved} <strong>{kept.release}</strong>
        {CHANGE.savedDetails(kept.objects, time)}
      </span>
      <button
        type="button"
        className="button small"
        onClick={() => confirmRestore(kept, () => setKept(undefined))}
      >
        {CHANGE.goBackToIt}
      </button>
    </div>
  )
}

function confirmRestore({ release }: KeptSnapshot, onDone: () => void): void {
  useView.getState().set({
    question: {
      title: CHANGE.restoreQuestion(release),
      text: CHANGE.restoreConsequence,
      choices: [
        {
          title: CHANGE.goBack,
          danger: true,
          run: () => void restoreSnapshot().then(onDone),
        },
      ],
    },
  })
}
