/** Tabs of manifests and scripts, and the buttons that send or run them. */
import { lazy, Suspense } from 'react'
import { keysText } from '../commands'
import { Menu } from '../components/Menu'
import { SAMPLES } from '../manifests/samples'
import { useScripts } from '../scripts/runner'
import { SCRIPT_SAMPLES } from '../scripts/samples'
import { activeTab, type EditorTab, useEditors } from '../state/editors'
import { useResults } from '../state/results'
import { useView } from '../state/view'

const CodeEditor = lazy(() => import('../editor/CodeEditor'))

export function Editors() {
  const state = useEditors()
  const tab = activeTab(state)
  return (
    <section className="panel" aria-label="Editor">
      <div className="bar">
        <div className="tabs" role="tablist" aria-label="Open files">
          {state.tabs.map((entry) => (
            <span key={entry.id} style={{ display: 'inline-flex', alignItems: 'stretch' }}>
              <button
                type="button"
                role="tab"
                className="tab"
                aria-selected={entry.id === tab.id}
                onClick={() => state.activate(entry.id)}
                onDoubleClick={() => rename(entry)}
                title="Double-click to rename"
              >
                {entry.title}
              </button>
              {state.tabs.length > 1 && (
                <button
                  type="button"
                  className="button quiet icon"
                  aria-label={`Close ${entry.title}`}
                  style={{ alignSelf: 'center', minHeight: 22, padding: '0 4px' }}
                  onClick={() => close(entry)}
                >
                  ×
                </button>
              )}
            </span>
          ))}
        </div>
        <Menu
          label="New file"
          className="button quiet icon"
          items={[
            { title: 'New manifest', run: () => state.open({ title: 'untitled.yaml', language: 'yaml', text: '' }) },
            { title: 'New script', run: () => state.open({ title: 'script.ts', language: 'typescript', text: '' }) },
            'line',
            ...SAMPLES.map(({ title, about, text }) => ({ title: about, run: () => void state.open({ title, language: 'yaml', text }) })),
            'line',
            ...SCRIPT_SAMPLES.map(({ title, about, text }) => ({
              title: about,
              run: () => void state.open({ title, language: 'typescript', text }),
            })),
          ]}
        >
          +
        </Menu>
        <span className="grow" />
        {tab.language === 'yaml' ? <ManifestButtons /> : <ScriptButtons source={tab.text} />}
      </div>
      {state.unsaved && <div className="banner">This browser has no room to keep what you type: copy it before you close the page.</div>}
      <div className="editor-host">
        <Suspense
          fallback={
            <textarea
              className="plain-editor"
              aria-label={tab.title}
              value={tab.text}
              onChange={(event) => state.edit(tab.id, event.target.value)}
              spellCheck={false}
            />
          }
        >
          <CodeEditor tab={tab} />
        </Suspense>
      </div>
    </section>
  )
}

function rename(tab: EditorTab): void {
  const title = prompt('Name of this file', tab.title)?.trim()
  if (title) useEditors.getState().rename(tab.id, title)
}

function close(tab: EditorTab): void {
  const shut = () => useEditors.getState().close(tab.id)
  const known = [...SAMPLES, ...SCRIPT_SAMPLES].some(({ text }) => text === tab.text)
  if (tab.text.trim() === '' || known) shut()
  else
    useView.getState().set({
      question: {
        title: `Close ${tab.title}?`,
        text: 'Its text is not kept anywhere else.',
        confirm: 'Close',
        danger: true,
        onConfirm: shut,
      },
    })
}

function ManifestButtons() {
  const { run, running } = useResults()
  return (
    <>
      <button type="button" className="button wide-only" disabled={running} onClick={() => void run('dry-run')}>
        Dry run
      </button>
      <button type="button" className="button primary" disabled={running} onClick={() => void run('apply')}>
        Apply <kbd className="wide-only">{keysText('Mod+Enter')}</kbd>
      </button>
      <Menu
        label="More ways to send the manifest"
        className="button icon"
        items={[
          { title: 'Create', hint: 'POST', run: () => void run('create') },
          { title: 'Apply', hint: 'create or patch', run: () => void run('apply') },
          { title: 'Replace', hint: 'PUT', run: () => void run('replace') },
          { title: 'Dry run', hint: 'nothing is stored', run: () => void run('dry-run') },
          'line',
          { title: 'Delete', hint: 'DELETE', run: () => void run('delete') },
        ]}
      >
        ▾
      </Menu>
    </>
  )
}

function ScriptButtons({ source }: { source: string }) {
  const { running, run, stop } = useScripts()
  if (running) {
    return (
      <button type="button" className="button danger" onClick={stop}>
        Stop
      </button>
    )
  }
  return (
    <button
      type="button"
      className="button primary"
      onClick={() => {
        useView.getState().set({ activity: 'console' })
        void run(source)
      }}
    >
      Run <kbd className="wide-only">{keysText('Mod+Enter')}</kbd>
    </button>
  )
}
