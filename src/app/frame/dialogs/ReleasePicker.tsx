import './release-picker.css'
import { useState } from 'react'
import { DEFAULT_RELEASE, type Release } from '../../../engine/releases/release'
import { Dialog } from '../../components/Dialog'
import { changeRelease } from '../../features/releases/change-release'
import { changelogOf, RELEASE_NOTES, type ReleaseNote } from '../../features/releases/release-notes'
import { showChange, useReleases } from '../../features/releases/state'
import { useSettings } from '../../state/settings'
import { RELEASE } from './texts'

export function ReleasePicker({ onClose }: { onClose: () => void }) {
  const now = useSettings((state) => state.settings?.release ?? DEFAULT_RELEASE)
  const [chosen, setChosen] = useState<Release>(useReleases.getState().target ?? now)
  const [changing, setChanging] = useState(false)
  const change = async () => {
    setChanging(true)
    if (await changeRelease(chosen)) onClose()
    setChanging(false)
  }
  const changeLabel = (): string => {
    if (changing) return RELEASE.starting
    return chosen === now ? RELEASE.current : RELEASE.change(chosen)
  }
  const isOffered = RELEASE_NOTES.some(({ release }) => release === now)
  return (
    <Dialog label={RELEASE.title} onClose={onClose}>
      <form
        className="releases-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen !== now) void change()
        }}
      >
        <p className="soft">
          {isOffered ? '' : RELEASE.runs(now)}
          {RELEASE.restarts}{' '}
          <button type="button" className="link" onClick={() => showChange('1.30')}>
            {RELEASE.earlier}
          </button>
        </p>
        <fieldset className="release-list" aria-label={RELEASE.list}>
          {RELEASE_NOTES.map((note) => (
            <ReleaseRow
              key={note.release}
              note={note}
              runs={note.release === now}
              chosen={note.release === chosen}
              onChoose={() => setChosen(note.release)}
            />
          ))}
        </fieldset>
        <div className="dialog-actions">
          <a className="link" href={changelogOf(chosen)} target="_blank" rel="noreferrer">
            {RELEASE.changelog(chosen)}
          </a>
          <span className="grow" />
          <button
            type="button"
            className="button"
            disabled={chosen === now}
            onClick={() => showChange(chosen)}
          >
            {RELEASE.changes}
          </button>
          <button type="submit" className="button primary" disabled={chosen === now || changing}>
            {changeLabel()}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

interface ReleaseRowProps {
  note: ReleaseNote
  runs: boolean
  chosen: boolean
  onChoose(): void
}

function ReleaseRow({
  note: { release, name, day, hint },
  runs,
  chosen,
  onChoose,
}: ReleaseRowProps) {
  return (
    <label className="release-row">
      <input
        type="radio"
        name="release"
        value={release}
        checked={chosen}
        data-autofocus={chosen ? '' : undefined}
        onChange={onChoose}
      />
      <strong className="mono">{release}</strong>
      <span className="release-what">
        <span>
          {name} <span className="soft small">{day}</span>
          {runs && <span className="chip good">{RELEASE.runsNow}</span>}
        </span>
        <span className="soft">{hint}</span>
      </span>
    </label>
  )
}
