import { ALL_RELEASES, parseRelease } from '../../../../engine/releases'
import { useActors } from '../../../state/actors'
import { titleOf } from '../../../state/workspace'
import { useWorkspaces } from '../../workspaces/workspaces'
import { type Side, type SideName, useComparison } from '../comparison-state'
import { COMPARE } from '../texts'

interface SideFieldsProps {
  name: SideName
  side: Side
}

export function SideFields({ name, side }: SideFieldsProps) {
  const names = useWorkspaces((state) => state.names)
  const actors = useActors((state) => state.actors)
  const setSide = useComparison((state) => state.setSide)
  const title = name === 'left' ? COMPARE.left : COMPARE.right
  const set = (change: Partial<Side>) => setSide(name, change)
  return (
    <fieldset className="compare-side" aria-label={title}>
      <legend>{title}</legend>
      <label>
        {COMPARE.workspace}
        <select
          className="field"
          value={side.workspace}
          onChange={(event) => set({ workspace: event.target.value })}
        >
          {['', ...names].map((workspace) => (
            <option key={workspace} value={workspace}>
              {titleOf(workspace)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {COMPARE.release}
        <select
          className="field"
          value={side.release ?? ''}
          onChange={(event) => set({ release: parseRelease(event.target.value) })}
        >
          <option value="">{COMPARE.ofWorkspace}</option>
          {ALL_RELEASES.map((release) => (
            <option key={release}>{release}</option>
          ))}
        </select>
      </label>
      <label>
        {COMPARE.user}
        <select
          className="field"
          value={side.user ?? ''}
          onChange={(event) => set({ user: event.target.value || undefined })}
        >
          <option value="">{COMPARE.ofRequest}</option>
          {actors.map((actor) => (
            <option key={actor.name}>{actor.name}</option>
          ))}
        </select>
      </label>
      <label>
        {COMPARE.gates}
        <input
          className="field mono"
          placeholder={COMPARE.gatesHint}
          value={side.gates}
          spellCheck={false}
          onChange={(event) => set({ gates: event.target.value })}
        />
      </label>
    </fieldset>
  )
}
