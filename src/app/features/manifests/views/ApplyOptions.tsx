/** How Apply works, and under whose name: shown on the button, changed in what opens below it. */

import { CLIENT_SIDE_MANAGER, SERVER_SIDE_MANAGER } from '../../../../console/managers'
import { Popover } from '../../../components/Popover'
import { useActors } from '../../../state/actors'
import { OwnerBadge } from '../../ownership/views/Owner'
import { type EditorTab, useEditors } from '../editors'
import { useResults } from '../results'
import type { ApplySide } from '../run'

const SIDES: { side: ApplySide; title: string; text: string }[] = [
  {
    side: 'server',
    title: 'Server-side',
    text: 'One request. The server merges and reports conflicts.',
  },
  {
    side: 'client',
    title: 'Client-side',
    text: 'Legacy kubectl: three-way merge using the last-applied annotation; no conflict detection.',
  },
]

export function ApplyOptions({ tab }: { tab: EditorTab }) {
  const side = useResults((state) => state.side)
  const force = useResults((state) => state.force)
  const actors = useActors((state) => state.fieldManager)
  const usual = actors || (side === 'server' ? SERVER_SIDE_MANAGER : CLIENT_SIDE_MANAGER)
  const manager = tab.manager || usual
  const forced = force && side === 'server'
  return (
    <Popover
      label={`Field manager: ${manager}${forced ? ', force conflicts' : ''} (change)`}
      kind="dialog"
      className="button quiet apply-as"
      face={
        <>
          <OwnerBadge name={manager} operation={side === 'server' ? 'Apply' : 'Update'} />
          <span className="cut apply-as-name">{manager}</span>
          {forced && <span className="chip warn">force</span>}
        </>
      }
    >
      {(close) => <Choices tab={tab} usual={usual} close={close} />}
    </Popover>
  )
}

function Choices({ tab, usual, close }: { tab: EditorTab; usual: string; close: () => void }) {
  const { side, force, set } = useResults()
  return (
    <div className="apply-options">
      <label className="apply-manager">
        <span>Field manager of this file</span>
        <input
          className="field mono"
          data-autofocus
          placeholder={usual}
          value={tab.manager ?? ''}
          spellCheck={false}
          autoCapitalize="off"
          maxLength={128}
          onChange={(event) => useEditors.getState().setManager(tab.id, event.target.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && close()}
        />
        <small>Fields you apply are owned under this name.</small>
      </label>
      <fieldset className="apply-sides">
        <legend>Apply method</legend>
        {SIDES.map((entry) => (
          <label key={entry.side} className="check">
            <input
              type="radio"
              name="apply-side"
              checked={side === entry.side}
              onChange={() => set({ side: entry.side })}
            />
            <span>
              {entry.title}
              <small>{entry.text}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <label className="check">
        <input
          type="checkbox"
          checked={force}
          disabled={side === 'client'}
          onChange={(event) => set({ force: event.target.checked })}
        />
        <span>
          Force
          <small>Take ownership of conflicting fields.</small>
        </span>
      </label>
    </div>
  )
}
