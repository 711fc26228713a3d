import './branch.css'
import { useState } from 'react'
import { runCommand } from '../../commands/registry'
import { Dialog } from '../../components/Dialog'
import { Icon } from '../../components/Icon'
import { notify, useView } from '../../state/view'
import { titleOf, WORKSPACE } from '../../state/workspace'
import { branchOff, branchRecord } from './branches'
import { BRANCH, WORKSPACES } from './texts'
import { freeName, nameFrom, useWorkspaces } from './workspaces'

export function Workspaces({ onClose }: { onClose: () => void }) {
  const names = useWorkspaces((state) => state.names)
  const open = useWorkspaces((state) => state.open)
  const [text, setText] = useState('')
  const name = nameFrom(text)
  return (
    <Dialog label={WORKSPACES.title} onClose={onClose}>
      <p className="soft">
        {WORKSPACES.about}{' '}
        <button
          type="button"
          className="link"
          onClick={() => useView.getState().set({ dialog: 'stored' })}
        >
          {WORKSPACES.stored}
        </button>
      </p>
      <Branching />
      <ul className="workspaces">
        {['', ...names].map((workspace) => (
          <li key={workspace}>
            <button
              type="button"
              className="menu-item"
              aria-current={workspace === WORKSPACE ? 'page' : undefined}
              disabled={workspace === WORKSPACE}
              onClick={() => open(workspace)}
            >
              <Icon name={workspace === WORKSPACE ? 'check' : 'layers'} size={14} />
              {titleOf(workspace)}
              {workspace === WORKSPACE && <span className="menu-hint">{WORKSPACES.current}</span>}
            </button>
            {workspace !== '' && workspace !== WORKSPACE && (
              <button
                type="button"
                className="button quiet icon-only"
                aria-label={WORKSPACES.remove(workspace)}
                onClick={() => confirmRemoval(workspace)}
              >
                <Icon name="trash" size={14} />
              </button>
            )}
          </li>
        ))}
      </ul>
      <form
        className="workspace-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name !== '') open(freeName(name))
        }}
      >
        <input
          className="field"
          data-autofocus
          placeholder={WORKSPACES.newName}
          aria-label={WORKSPACES.newNameLabel}
          value={text}
          maxLength={60}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button primary" disabled={name === ''}>
          {WORKSPACES.create}
        </button>
      </form>
    </Dialog>
  )
}

function Branching() {
  const [busy, setBusy] = useState(false)
  const record = branchRecord()
  const branch = () => {
    setBusy(true)
    branchOff().catch((error: unknown) => {
      setBusy(false)
      notify(BRANCH.failed(error instanceof Error ? error.message : String(error)), 'bad')
    })
  }
  const { set } = useView.getState()
  return (
    <div className="branch-buttons">
      <button
        type="button"
        className="button"
        aria-disabled={busy}
        title={BRANCH.branchAbout}
        onClick={() => busy || branch()}
      >
        <Icon name="branch" size={14} /> {busy ? BRANCH.branching : BRANCH.branch}
      </button>
      {record !== undefined && (
        <button type="button" className="button" onClick={() => set({ dialog: 'merge' })}>
          {BRANCH.review}
        </button>
      )}
      <button type="button" className="button quiet" onClick={() => runCommand('side-by-side')}>
        {BRANCH.compare}
      </button>
      {record !== undefined && <span className="soft">{BRANCH.of(titleOf(record.parent))}</span>}
    </div>
  )
}

function confirmRemoval(workspace: string): void {
  const remove = () =>
    useWorkspaces
      .getState()
      .remove(workspace)
      .then(
        () => notify(WORKSPACES.removed(workspace)),
        (error: unknown) =>
          notify(
            WORKSPACES.failed(workspace, error instanceof Error ? error.message : String(error)),
            'bad',
          ),
      )
  useView.getState().set({
    dialog: undefined,
    question: {
      title: WORKSPACES.question(workspace),
      text: WORKSPACES.consequence,
      choices: [{ title: WORKSPACES.confirm, danger: true, run: () => void remove() }],
      onCancel: () => useView.getState().set({ dialog: 'workspaces' }),
    },
  })
}
