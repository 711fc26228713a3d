import './branch.css'
import { useEffect, useMemo, useState } from 'react'
import { Dialog } from '../../components/Dialog'
import { TextDiff } from '../../components/TextDiff'
import { useView } from '../../state/view'
import { titleOf, WORKSPACE } from '../../state/workspace'
import { yamlText } from '../manifests/yaml'
import { type BranchChange, contentOf } from './branch-content'
import { branchRecord, changesIn, mergeChange, noteMerged } from './branches'
import { BRANCH } from './texts'
import { useWorkspaces } from './workspaces'

export function MergeBranch({ onClose }: { onClose: () => void }) {
  const [record, setRecord] = useState(branchRecord)
  const [changes, setChanges] = useState<BranchChange[]>()
  const [failure, setFailure] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, string>>(new Map())
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (record === undefined) return
    changesIn(record).then(
      (found) => {
        setChanges(found)
        setChosen(new Set(found.filter(({ conflict }) => !conflict).map(({ key }) => key)))
      },
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [record])
  if (record === undefined) return null
  const parent = titleOf(record.parent)
  const merge = async () => {
    setBusy(true)
    const merged: BranchChange[] = []
    const rejected = new Map<string, string>()
    for (const change of (changes ?? []).filter(({ key }) => chosen.has(key))) {
      const message = await mergeChange(change, record.parent).catch(String)
      if (message === undefined) merged.push(change)
      else rejected.set(change.key, message)
      setOutcomes(new Map(rejected))
    }
    setRecord(noteMerged(record, merged))
    setBusy(false)
  }
  const toggle = (key: string) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    setChosen(next)
  }
  return (
    <Dialog label={BRANCH.title(parent)} onClose={onClose}>
      <p className="soft">{BRANCH.about}</p>
      {failure !== undefined && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      {changes === undefined && failure === undefined && <p className="soft">{BRANCH.comparing}</p>}
      {changes?.length === 0 && <p role="status">{BRANCH.noChanges(titleOf(WORKSPACE), parent)}</p>}
      <ul className="branch-changes" aria-label={BRANCH.changes}>
        {(changes ?? []).map((change) => (
          <Change
            key={change.key}
            change={change}
            chosen={chosen.has(change.key)}
            outcome={outcomes.get(change.key)}
            onToggle={() => toggle(change.key)}
          />
        ))}
      </ul>
      <div className="branch-buttons">
        {(changes?.length ?? 0) > 0 && (
          <button
            type="button"
            className="button primary"
            aria-disabled={busy || chosen.size === 0}
            onClick={() => !busy && chosen.size > 0 && void merge()}
          >
            {busy ? BRANCH.merging : BRANCH.merge(chosen.size)}
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => useWorkspaces.getState().open(record.parent)}
        >
          {BRANCH.openParent(parent)}
        </button>
        <button
          type="button"
          className="button quiet danger"
          onClick={() => confirmDiscard(record)}
        >
          {BRANCH.discard}
        </button>
      </div>
    </Dialog>
  )
}

interface ChangeProps {
  change: BranchChange
  chosen: boolean
  outcome: string | undefined
  onToggle(): void
}

function Change({ change, chosen, outcome, onToggle }: ChangeProps) {
  const { type, object, parent, conflict } = change
  const { namespace, name } = object.metadata
  const [before, after] = useMemo(
    () => [
      parent === undefined ? '' : yamlText(contentOf(parent)),
      type === 'deleted' ? '' : yamlText(contentOf(object)),
    ],
    [type, object, parent],
  )
  return (
    <li>
      <label className="branch-change">
        <input type="checkbox" checked={chosen} onChange={onToggle} />
        <span
          className={`chip ${type === 'deleted' ? 'bad' : type === 'created' ? 'good' : 'mute'}`}
        >
          {BRANCH.types[type]}
        </span>
        <span className="mono cut">
          {object.kind} {namespace ? `${namespace}/` : ''}
          {name}
        </span>
        {conflict && <span className="chip warn">{BRANCH.conflict}</span>}
      </label>
      {outcome !== undefined && (
        <p className="note bad" role="alert">
          {outcome}
        </p>
      )}
      <details>
        <summary>{BRANCH.difference}</summary>
        <TextDiff before={before} after={after} />
      </details>
    </li>
  )
}

function confirmDiscard({ parent }: { parent: string }): void {
  useView.getState().set({
    dialog: undefined,
    question: {
      title: BRANCH.discardQuestion(titleOf(WORKSPACE)),
      text: BRANCH.discardConsequence,
      choices: [
        {
          title: BRANCH.discard,
          danger: true,
          run: () => useWorkspaces.getState().discard(parent),
        },
      ],
      onCancel: () => useView.getState().set({ dialog: 'merge' }),
    },
  })
}
