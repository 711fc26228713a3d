import { type KeyboardEvent, useState } from 'react'
import { runCommand } from '../../../commands/registry'
import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { useChosenInSight } from '../../../components/tabs'
import { SCRIPT_SAMPLES } from '../../scripts/samples'
import { activeTab, type EditorTab, useEditors } from '../editors'
import { SAMPLES } from '../samples'
import * as texts from '../shell-texts'
import { closeTab } from './close-tab'

export function EditorTabs() {
  const tabs = useEditors((state) => state.tabs)
  const active = useEditors(activeTab)
  const list = useChosenInSight(active.id)
  const [renaming, setRenaming] = useState('')
  function press(event: KeyboardEvent): void {
    const at = tabs.indexOf(active)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to !== undefined) focusTab(tabs[(to + tabs.length) % tabs.length])
    else if (event.key === 'F2') setRenaming(active.id)
    else if (event.key === 'Delete') closeTab(active)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div
        className="file-tabs"
        role="tablist"
        aria-label={texts.openFiles}
        ref={list}
        onKeyDown={renaming === '' ? press : undefined}
      >
        {tabs.map((tab) =>
          tab.id === renaming ? (
            <Rename key={tab.id} tab={tab} done={() => setRenaming('')} />
          ) : (
            <Tab
              key={tab.id}
              tab={tab}
              active={tab.id === active.id}
              onRename={() => setRenaming(tab.id)}
            />
          ),
        )}
      </div>
      <NewFile />
    </>
  )
}

function focusTab(tab: EditorTab | undefined): void {
  if (tab === undefined) return
  useEditors.getState().activate(tab.id)
  requestAnimationFrame(() => document.getElementById(`tab-of-${tab.id}`)?.focus())
}

function Tab({ tab, active, onRename }: { tab: EditorTab; active: boolean; onRename: () => void }) {
  return (
    <div className={active ? 'file-tab active' : 'file-tab'}>
      <button
        type="button"
        role="tab"
        id={`tab-of-${tab.id}`}
        aria-selected={active}
        tabIndex={active ? 0 : -1}
        data-after-editor={active ? '' : undefined}
        onClick={() => useEditors.getState().activate(tab.id)}
        onDoubleClick={onRename}
        title={texts.tabHint(tab.title)}
      >
        <Icon name={tab.language === 'yaml' ? 'file' : 'code'} size={14} />
        {tab.title}
      </button>
      {/* For pointers only, because a tablist may contain nothing but tabs. Keyboard users have
          Delete and a command. */}
      <button
        type="button"
        className="file-close"
        tabIndex={-1}
        aria-hidden="true"
        title={texts.closeFile(tab.title)}
        onClick={() => closeTab(tab)}
      >
        <Icon name="close" size={12} />
      </button>
    </div>
  )
}

function Rename({ tab, done }: { tab: EditorTab; done: () => void }) {
  const rename = (title: string) => {
    if (title.trim() !== '') useEditors.getState().rename(tab.id, title.trim())
    done()
  }
  return (
    <input
      className="file-rename"
      aria-label={texts.fileName}
      defaultValue={tab.title}
      // biome-ignore lint/a11y/noAutofocus: it appears where the user just clicked
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => rename(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') rename(event.currentTarget.value)
        if (event.key === 'Escape') done()
      }}
    />
  )
}

function NewFile() {
  return (
    <Menu
      label={texts.newFile}
      className="button quiet icon-only"
      side="left"
      face={<Icon name="add" />}
      items={[
        {
          title: texts.newObject,
          hint: texts.anyKind,
          icon: 'object',
          run: () => runCommand('new-object'),
        },
        {
          title: texts.newManifest,
          hint: texts.emptyFile,
          icon: 'file',
          run: () => runCommand('new'),
        },
        { title: texts.newScript, icon: 'code', run: () => runCommand('new-script') },
        { title: texts.sideBySide, icon: 'columns', run: () => runCommand('pair') },
        { title: texts.openFile, icon: 'share', run: () => runCommand('open-files') },
        { heading: texts.sampleManifests },
        ...SAMPLES.map(({ title, about }) => ({
          title: about,
          icon: 'file' as const,
          run: () => runCommand(`sample-${title}`),
        })),
        {
          title: texts.twoManagers,
          icon: 'scales',
          run: () => runCommand('two-managers'),
        },
        { heading: texts.sampleScripts },
        ...SCRIPT_SAMPLES.map(({ title, about }) => ({
          title: about,
          icon: 'code' as const,
          run: () => runCommand(`script-${title}`),
        })),
      ]}
    />
  )
}
