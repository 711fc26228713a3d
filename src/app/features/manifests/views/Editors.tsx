import { lazy, Suspense } from 'react'
import { runCommand } from '../../../commands/registry'
import { Icon } from '../../../components/Icon'
import { IN_LESSON } from '../../../state/lesson-workspace'
import { useView } from '../../../state/view'
import { PlainEditor } from '../../editor/PlainEditor'
import { type EditorTab, shownTabs, useEditors } from '../editors'
import { useEdits } from '../edits'
import * as texts from '../shell-texts'
import { EditButtons } from './EditButtons'
import { EditorTabs } from './EditorTabs'
import { ManifestButtons } from './ManifestButtons'
import { ScriptButtons } from './ScriptButtons'
import { Welcome } from './Welcome'

const CodeEditor = lazy(() => import('../../editor/CodeEditor'))

export function Editors() {
  const tabs = useEditors((state) => state.tabs)
  const active = useEditors((state) => state.active)
  const pair = useEditors((state) => state.pair)
  const unsaved = useEditors((state) => state.unsaved)
  const shown = shownTabs({ tabs, active, pair })
  const welcome = useView((view) => view.welcome)
  const [only, second] = shown
  return (
    <section className="panel" aria-label={texts.editor} data-pane="editor">
      {welcome && !IN_LESSON && <Welcome />}
      <div className="bar editor-bar">
        <EditorTabs />
        <div className="bar-actions">
          {second ? (
            <button
              type="button"
              className="button quiet small"
              onClick={() => useEditors.getState().setPair(undefined)}
            >
              <Icon name="close" size={14} /> {texts.closeSplit}
            </button>
          ) : (
            only && <Buttons tab={only} />
          )}
        </div>
      </div>
      {unsaved && <p className="note warn">{texts.storageFull}</p>}
      {second ? (
        <div className="editor-pair">
          {shown.map((tab) => (
            <section
              key={tab.id}
              className="editor-column"
              aria-label={tab.title}
              onFocus={() => useEditors.getState().activate(tab.id)}
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
          {texts.editWaits}
        </p>
      )}
      {tab.from !== undefined && (
        <p className="note warn">
          {texts.sharedScript(tab.from)}{' '}
          <button type="button" className="link" onClick={() => runCommand('run')}>
            {texts.runShared}
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
