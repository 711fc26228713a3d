import { useState } from 'react'
import { CONTROLLER_NAMES } from '../../../../hosts/shared/engine-settings'
import { Icon } from '../../../components/Icon'
import { Popover } from '../../../components/Popover'
import { useSettings } from '../../../state/settings'
import { CONTROL_PLANE } from '../texts'

export function Switches() {
  return (
    <Popover
      label={CONTROL_PLANE.open}
      kind="dialog"
      className="button small"
      face={
        <>
          <Icon name="layers" size={14} /> {CONTROL_PLANE.open}
        </>
      }
    >
      {() => <SwitchList />}
    </Popover>
  )
}

function SwitchList() {
  const settings = useSettings((state) => state.settings)
  const change = useSettings((state) => state.change)
  const [busy, setBusy] = useState(false)
  if (settings === undefined) return <p className="soft small">{CONTROL_PLANE.unknown}</p>
  const { controllers, scheduler, nodes } = settings
  const off = CONTROLLER_NAMES.filter((name) => !runs(controllers, name))
  const set = async (wanted: Parameters<typeof change>[0]) => {
    setBusy(true)
    await change(wanted)
    setBusy(false)
  }
  const toggle = (name: string) => set({ controllers: toggled(off, name) })
  return (
    <fieldset className="switches" disabled={busy} aria-label={CONTROL_PLANE.title}>
      <p className="small soft">{CONTROL_PLANE.about}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={scheduler}
          onChange={() => void set({ scheduler: !scheduler })}
        />
        <span>
          {CONTROL_PLANE.scheduler} <small>{CONTROL_PLANE.schedulerAbout}</small>
        </span>
      </label>
      <label className="switch-number">
        {CONTROL_PLANE.nodes}
        <input
          className="field"
          type="number"
          min={0}
          max={50}
          defaultValue={nodes}
          onBlur={({ target }) =>
            Number(target.value) !== nodes &&
            void set({ nodes: Math.min(50, Math.max(0, Math.floor(Number(target.value) || 0))) })
          }
        />
      </label>
      <div className="button-row">
        <strong className="small">{CONTROL_PLANE.controllers}</strong>
        <span className="grow" />
        <button
          type="button"
          className="button small"
          onClick={() => void set({ controllers: ['*'] })}
        >
          {CONTROL_PLANE.all}
        </button>
        <button
          type="button"
          className="button small"
          onClick={() => void set({ controllers: ['off'] })}
        >
          {CONTROL_PLANE.none}
        </button>
      </div>
      <div className="switch-list">
        {CONTROLLER_NAMES.map((name) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={!off.includes(name)}
              onChange={() => void toggle(name)}
            />
            <span className="small">{name.replace(/-controller$/, '')}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const runs = (checked: readonly string[], name: string): boolean =>
  !checked.includes(`-${name}`) && (checked.includes('*') || checked.includes(name))

/** @param off disabled controllers @returns the value of `--controllers` after the toggle */
function toggled(off: readonly string[], name: string): string[] {
  const next = off.includes(name) ? off.filter((other) => other !== name) : [...off, name]
  return next.length === CONTROLLER_NAMES.length
    ? ['off']
    : ['*', ...next.map((other) => `-${other}`)]
}
