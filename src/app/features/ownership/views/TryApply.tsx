/**
 * Previews an apply: a manifest and a field manager, and the effect on each field, from the
 * server's dry runs.
 */
import { useEffect, useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { useActors } from '../../../state/actors'
import { type SelectedObject, useView } from '../../../state/view'
import { TextField } from '../../editor/TextField'
import { useEditors } from '../../manifests/editors'
import { type Tried, tryApply } from '../dry-runs'
import { manifestOf } from '../extract'
import { isApplier, ownersOf } from '../owners'
import { Conflicts } from './Conflicts'
import { Effects } from './Effects'
import { OwnerBadge } from './Owner'

/** The debounce time of typing. */
const QUIET_MILLISECONDS = 350
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
          <span className="soft">Apply as</span>
          <span className="field with-icon">
            <OwnerBadge name={manager || '?'} />
            <input
              className="mono"
              value={manager}
              spellCheck={false}
              autoCapitalize="off"
              maxLength={128}
              aria-label="Field manager"
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
            {appliers.includes(name) ? `what ${name} applies` : 'a new manager'}
          </button>
        ))}
      </div>
      <TextField label="Manifest to try" text={text ?? ''} onChange={setText} fit={LINES} />
      <Outcome tried={tried} manager={manager} request={selected} />
      <div className="button-row">
        <button
          type="button"
          className="button small"
          disabled={!text}
          onClick={() => openInEditor(object, text ?? '', manager)}
        >
          <Icon name="edit" size={14} /> Open in the editor
        </button>
        <span className="soft small">
          Nothing was persisted. Each outcome is a dry run: see “Everything” in Requests.
        </span>
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

/** The fields that the manager applies now; for a new manager only the identity of the object. */
function startOf({ yamlText }: Yaml, object: KubeObject, manager: string): string {
  return yamlText(manifestOf(object, ({ owner }) => isApplier(owner, manager)))
}

type Try = Tried | { failure: string } | undefined

/** Tries again when the text, the name or the object changes. */
function useTried(
  selected: SelectedObject,
  object: KubeObject,
  text: string | undefined,
  manager: string,
): Try {
  const [tried, setTried] = useState<Try>()
  const version = object.metadata.resourceVersion
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is a reason to try again
  useEffect(() => {
    if (text === undefined || manager === '') return
    let current = true
    const timer = setTimeout(async () => {
      const { parseManifest } = await import('../../manifests/documents')
      const { documents, problems } = parseManifest(text)
      const [problem] = problems
      const result = problem
        ? { failure: `line ${problem.startLine}: ${problem.message}` }
        : await tryApply(selected, text, documents[0]?.value, manager).catch((error: unknown) => ({
            failure: error instanceof Error ? error.message : String(error),
          }))
      if (current) setTried(result)
    }, QUIET_MILLISECONDS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [selected, version, text, manager])
  return tried
}

function Outcome({
  tried,
  manager,
  request,
}: {
  tried: Try
  manager: string
  request: SelectedObject
}) {
  return (
    <section className="try-outcome" aria-label="What would happen" aria-live="polite">
      {tried === undefined ? (
        <p className="soft">Waiting for the server…</p>
      ) : 'failure' in tried ? (
        <p className="note bad">{tried.failure}</p>
      ) : tried.conflicts.length > 0 ? (
        <>
          <p className="try-verdict">
            <span className="chip bad">409</span>{' '}
            <strong>{conflictWords(tried.conflicts.length)}</strong>
          </p>
          <Conflicts conflicts={tried.conflicts} manager={manager} request={request} />
          <p className="try-verdict">
            <span className="chip warn">by force</span>{' '}
            <strong>{manager} would get its way:</strong>
          </p>
          {tried.rejection === undefined ? (
            <Effects effects={tried.effects} none="Nothing would change." />
          ) : (
            <p className="note bad">{tried.rejection}</p>
          )}
        </>
      ) : tried.rejection === undefined ? (
        <>
          <p className="try-verdict">
            <span className="chip good">{tried.status}</span>{' '}
            <strong>
              {tried.effects.length === 0 ? 'It would pass, and change nothing.' : 'It would pass:'}
            </strong>
          </p>
          {tried.effects.length > 0 && <Effects effects={tried.effects} none="" />}
        </>
      ) : (
        <p className="note bad">
          <strong>{tried.status}</strong> {tried.rejection}
        </p>
      )}
    </section>
  )
}

const conflictWords = (count: number): string =>
  `Conflict: ${count} field${count === 1 ? ' is' : 's are'} owned by other managers.`

function openInEditor(object: KubeObject, text: string, manager: string): void {
  const { open, setManager } = useEditors.getState()
  setManager(
    open({ title: `${object.metadata.name}-${manager}.yaml`, language: 'yaml', text }),
    manager,
  )
  useView.getState().set({ pane: 'editor' })
}
