import { lazy, Suspense } from 'react'
import type { Handler } from '../../../../hosts/shared/handlers'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { notify, useView } from '../../../state/view'
import { useEditors } from '../../manifests/editors'
import {
  CONFIGURATIONS,
  type ConfigurationKind,
  configurationOf,
  kindOfSource,
} from '../configuration'
import { type Draft, draftProblem, useHandlers } from '../handlers'
import {
  CONFIRM,
  deleted,
  deleteNamed,
  deleteTitle,
  FORM,
  formOf,
  fromLink,
  listens,
  switchOnAbout,
  switchOnTitle,
} from '../texts'

const SourceEditor = lazy(() => import('./SourceEditor'))

export function HandlerForm({ draft, handlers }: { draft: Draft; handlers: readonly Handler[] }) {
  const open = useHandlers((state) => state.open)
  const opening = useHandlers((state) => state.opening)
  const edit = useHandlers((state) => state.edit)
  const save = useHandlers((state) => state.save)
  const remove = useHandlers((state) => state.remove)
  const kept = handlers.find(({ name }) => name === open)
  const from = kept?.from
  const changed =
    kept === undefined ||
    from !== undefined ||
    kept.name !== draft.name ||
    kept.address !== draft.address ||
    kept.source !== draft.source
  const problem = draftProblem(draft, open, handlers)
  const listen = async () => {
    if (await save()) notify(listens(draft.name, draft.address))
  }
  const store = () => (from === undefined ? listen() : confirmEnable(draft.name, from, listen))
  return (
    <section className="panel handlers-form" aria-label={formOf(draft.name)}>
      <div className="bar sub handlers-bar">
        <input
          className="field"
          aria-label={FORM.name}
          value={draft.name}
          onChange={({ target }) => edit({ name: target.value })}
          spellCheck={false}
          size={16}
        />
        <input
          className="field mono handlers-address"
          aria-label={FORM.addressLabel}
          title={FORM.addressTitle}
          value={draft.address}
          onChange={({ target }) => edit({ address: target.value })}
          spellCheck={false}
        />
        <button
          type="button"
          className="button small primary"
          disabled={!changed || problem !== undefined}
          onClick={() => void store()}
        >
          {from !== undefined ? FORM.switchOn : changed ? FORM.save : FORM.saved}
        </button>
        <Configure draft={draft} ready={!changed} />
        <button
          type="button"
          className="button small quiet icon-only"
          aria-label={deleteNamed(draft.name)}
          title={FORM.delete}
          onClick={() => confirmRemoval(draft.name, kept !== undefined, remove)}
        >
          <Icon name="trash" size={14} />
        </button>
      </div>
      {problem && (
        <p className="handlers-problem" role="alert">
          {problem}
        </p>
      )}
      {from !== undefined && <p className="note warn">{fromLink(from)}</p>}
      <Suspense fallback={<p className="arriving">{FORM.loading}</p>}>
        <SourceEditor
          key={opening}
          text={draft.source}
          onChange={(source) => edit({ source })}
          onSave={() => void store()}
        />
      </Suspense>
    </section>
  )
}

function Configure({ draft, ready }: { draft: Draft; ready: boolean }) {
  const likely = kindOfSource(draft.source)
  return (
    <div className="joined">
      <button
        type="button"
        className="button small"
        disabled={!ready}
        title={FORM.generateTitle}
        onClick={() => openConfiguration(likely, draft)}
      >
        {FORM.generate}
      </button>
      <Menu
        label={FORM.otherConfigurations}
        className="button small"
        side="right"
        face={<Icon name="down" size={14} />}
        items={CONFIGURATIONS.map(({ kind, title }) => ({
          title,
          checked: kind === likely,
          run: () => openConfiguration(kind, draft),
        }))}
      />
    </div>
  )
}

function openConfiguration(kind: ConfigurationKind, draft: Draft): void {
  useEditors
    .getState()
    .open({ title: `${draft.name}.yaml`, language: 'yaml', text: configurationOf(kind, draft) })
  useView.getState().set({ pane: 'editor', welcome: false })
}

/** Another person's webhook sees everything that the API server sends it. */
function confirmEnable(name: string, from: string, listen: () => Promise<void>): void {
  useView.getState().set({
    question: {
      title: switchOnTitle(name),
      text: switchOnAbout(from),
      choices: [{ title: CONFIRM.switchOn, run: () => void listen() }],
    },
  })
}

function confirmRemoval(name: string, isKept: boolean, remove: () => Promise<boolean>): void {
  const run = () => void remove().then((gone) => gone && isKept && notify(deleted(name)))
  if (!isKept) {
    run()
    return
  }
  useView.getState().set({
    question: {
      title: deleteTitle(name),
      text: CONFIRM.deleteAbout,
      choices: [{ title: FORM.delete, danger: true, run }],
    },
  })
}
