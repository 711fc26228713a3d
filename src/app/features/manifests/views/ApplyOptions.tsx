import { CLIENT_SIDE_MANAGER, SERVER_SIDE_MANAGER } from '../../../../console/managers'
import { Popover } from '../../../components/Popover'
import { useActors } from '../../../state/actors'
import { OwnerBadge } from '../../ownership/views/Owner'
import { type EditorTab, useEditors } from '../editors'
import { useResults } from '../results'
import type { ApplySide } from '../run'
import * as texts from '../shell-texts'

const SIDES: { side: ApplySide; title: string; text: string }[] = [
  {
    side: 'server',
    title: texts.serverSideApply,
    text: texts.serverSideAbout,
  },
  {
    side: 'client',
    title: texts.clientSideApply,
    text: texts.clientSideAbout,
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
      label={texts.fieldManager(manager, forced ? texts.forced : '')}
      kind="dialog"
      className="button quiet apply-as"
      face={
        <>
          <OwnerBadge name={manager} operation={side === 'server' ? 'Apply' : 'Update'} />
          <span className="cut apply-as-name">{manager}</span>
          {forced && <span className="chip warn">{texts.force}</span>}
        </>
      }
    >
      {(close) => <Choices tab={tab} usual={usual} close={close} />}
    </Popover>
  )
}

function Choices({ tab, usual, close }: { tab: EditorTab; usual: string; close: () => void }) {
  const side = useResults((state) => state.side)
  const force = useResults((state) => state.force)
  const set = useResults((state) => state.set)
  return (
    <div className="apply-options">
      <label className="apply-manager">
        <span>{texts.fileManager}</span>
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
        <small>{texts.managerAbout}</small>
      </label>
      <fieldset className="apply-sides">
        <legend>{texts.applyMethod}</legend>
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
          {texts.forceConflicts}
          <small>{texts.forceAbout}</small>
        </span>
      </label>
    </div>
  )
}
