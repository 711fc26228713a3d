import { useEffect, useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { useActors } from '../../../state/actors'
import { type SelectedObject, useView } from '../../../state/view'
import { TextField } from '../../editor/TextField'
import { useEditors } from '../../manifests/editors'
import { manifestOf } from '../extract'
import { isApplier, ownersOf } from '../owners'
import { TRY, whatApplies } from '../texts'
import { useTried } from '../use-tried'
import { OwnerBadge } from './Owner'
import { TryOutcome } from './TryOutcome'

const NEWCOMER = 'you'

/** Pixels. */
const LINES = { least: 140, most: 340 }

type Yaml = typeof import('../../manifests/yaml')

interface TryApplyProps {
  selected: SelectedObject
  object: KubeObject
}

export function TryApply({ selected, object }: TryApplyProps) {
  const appliers = useMemo(
    () =>
      ownersOf(object)
        .filter((owner) => isApplier(owner, owner.name))
        .map(({ name }) => name),
    [object],
  )
  const own = useActors((state) => state.fieldManager)
  const [manager, setManager] = useState(own || (appliers[0] ?? NEWCOMER))
  const [text, setText] = useState<string>()
  const yaml = useYaml()
  useEffect(() => {
    if (yaml && text === undefined) setText(startOf(yaml, object, manager))
  }, [yaml, text, object, manager])
  const tried = useTried(selected, object, text, manager)
  const become = (name: string) => {
    setManager(name)
    if (yaml) setText(startOf(yaml, object, name))
  }
  return (
    <div className="scroll try-apply">
      <div className="try-as">
        <label>
          <span className="soft">{TRY.applyAs}</span>
          <span className="field with-icon">
            <OwnerBadge name={manager || '?'} />
            <input
              className="mono"
              value={manager}
              spellCheck={false}
              autoCapitalize="off"
              maxLength={128}
              aria-label={TRY.manager}
              onChange={(event) => setManager(event.target.value.trim())}
            />
          </span>
        </label>
        {[...new Set([...appliers, NEWCOMER])].map((name) => (
          <button
            key={name}
            type="button"
            className="button quiet small"
            onClick={() => become(name)}
          >
            {appliers.includes(name) ? whatApplies(name) : TRY.newManager}
          </button>
        ))}
      </div>
      <TextField label={TRY.manifest} text={text ?? ''} onChange={setText} fit={LINES} />
      <TryOutcome tried={tried} manager={manager} request={selected} />
      <div className="button-row">
        <button
          type="button"
          className="button small"
          disabled={!text}
          onClick={() => openInEditor(object, text ?? '', manager)}
        >
          <Icon name="edit" size={14} /> {TRY.open}
        </button>
        <span className="soft small">{TRY.dryRun}</span>
      </div>
    </div>
  )
}

function useYaml(): Yaml | undefined {
  const [yaml, setYaml] = useState<Yaml>()
  useEffect(() => {
    void import('../../manifests/yaml').then(setYaml)
  }, [])
  return yaml
}

/** The fields that the manager applies now; for a new manager only the object's identity. */
function startOf({ yamlText }: Yaml, object: KubeObject, manager: string): string {
  return yamlText(manifestOf(object, ({ owner }) => isApplier(owner, manager)))
}

function openInEditor(object: KubeObject, text: string, manager: string): void {
  const { open, setManager } = useEditors.getState()
  setManager(
    open({ title: `${object.metadata.name}-${manager}.yaml`, language: 'yaml', text }),
    manager,
  )
  useView.getState().set({ pane: 'editor' })
}
