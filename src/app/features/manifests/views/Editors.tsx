/** Tabs of manifests and scripts, with their actions; one file, or two side by side. */

import { lazy, Suspense } from 'react'
import { runCommand } from '../../../commands/registry'
import { Icon } from '../../../components/Icon'
import { IN_LESSON } from '../../../state/lesson-workspace'
import { useView } from '../../../state/view'
import { PlainEditor } from '../../editor/PlainEditor'
import { type EditorTab, shownTabs, useEditors } from '../editors'
import { useEdits } from '../edits'
import { EditButtons } from './EditButtons'
import { EditorTabs } from './EditorTabs'
import { ManifestButtons } from './ManifestButtons'
import { ScriptButtons } from './ScriptButtons'
import { Welcome } from './Welcome'

const CodeEditor = lazy(() => import('../../editor/CodeEditor'))

export function Editors() {
  const state = useEditors()
  const shown = shownTabs(state)
  const welcome = useView((view) => view.welcome)
  const [only, second] = shown
  return (
    <section className="panel" aria-label="Editor" data-pane="editor">
      {welcome && !IN_LESSON && <Welcome />}
      <div className="bar editor-bar">
        <EditorTabs />
        <div className="bar-actions">
          {second ? (
            <button
              type="button"
              className="button quiet small"
              onClick={() => state.setPair(undefined)}
            >
              <Icon name="close" size={14} /> Close split
            </button>
          ) : (
            only && <Buttons tab={only} />
          )}
        </div>
      </div>
      {state.unsaved && (
        <p className="note warn">Browser storage is full. Copy your text before closing.</p>
      )}
      {second ? (
        <div className="editor-pair">
          {shown.map((tab) => (
            <section
              key={tab.id}
              className="editor-column"
              aria-label={tab.title}
              onFocus={() => state.activate(tab.id)}
            >
              <div className="bar sub">
                <strong className="cut">{tab.title}</strong>
                <span className="grow" />
                <Buttons tab={tab} short />
              </div>
              <Host tab={tab} />
            </section>
          ))}
        </div>
      ) : (
        only && <Host tab={only} />
      )}
    </section>
  )
}

function Host({ tab }: { tab: EditorTab }) {
  const awaited = useIsAwaited(tab)
  return (
    <>
      {awaited && (
        <p className="note" role="status">
          <code>kubectl edit</code> is waiting. Save to apply your changes; close to cancel.
        </p>
      )}
      {tab.from !== undefined && (
        <p className="note warn">
          This script came with a shared link from {tab.from}. It runs only when you start it.{' '}
          <button type="button" className="link" onClick={() => runCommand('run')}>
            Run it
          </button>
        </p>
      )}
      <div className="editor-host">
        <Suspense fallback={<PlainEditor tab={tab} />}>
          <CodeEditor tab={tab} />
        </Suspense>
      </div>
    </>
  )
}

function Buttons({ tab, short = false }: { tab: EditorTab; short?: boolean }) {
  if (useIsAwaited(tab)) return <EditButtons tab={tab} short={short} />
  return tab.language === 'yaml' ? (
    <ManifestButtons tab={tab} short={short} />
  ) : (
    <ScriptButtons source={tab.text} />
  )
}

const useIsAwaited = ({ id }: EditorTab): boolean => useEdits(({ awaited }) => id in awaited)
