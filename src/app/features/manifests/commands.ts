import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'
import { runScriptOf } from '../scripts/commands'
import { activeTab, shownTabs, useEditors } from './editors'
import { saveEdit } from './edits'
import { openNewFile } from './open-new-file'
import { useResults } from './results'
import { SAMPLES } from './samples'
import * as texts from './shell-texts'
import { closeTab } from './views/close-tab'

const view = () => useView.getState()
const results = () => useResults.getState()

function runPrimary(): void {
  if (saveEdit()) return
  const tab = activeTab(useEditors.getState())
  if (tab.language === 'yaml') {
    void results().run('apply')
    return
  }
  runScriptOf(tab)
}

/** Pairs the active file with the next one, or separates them. */
function togglePair(): void {
  const editors = useEditors.getState()
  const { tabs, active, pair } = editors
  if (pair && shownTabs(editors).length === 2) {
    editors.setPair(undefined)
    return
  }
  const at = tabs.findIndex(({ id }) => id === active)
  const other = tabs[at + 1] ?? tabs[at - 1]
  const otherPane =
    other?.id ?? editors.open({ title: 'untitled.yaml', language: 'yaml', text: '' })
  editors.setPair([active, otherPane])
  editors.activate(active)
  view().set({ pane: 'editor' })
}

export const MANIFEST_COMMANDS: Command[] = [
  {
    id: 'run',
    title: texts.applyOrRun,
    group: texts.group,
    keys: 'Mod+Enter',
    run: runPrimary,
  },
  {
    id: 'dry-run',
    title: texts.dryRunCommand,
    group: texts.group,
    keys: 'Mod+Shift+Enter',
    run: () => void results().run('dry-run'),
  },
  {
    id: 'create',
    title: texts.createCommand,
    group: texts.group,
    run: () => void results().run('create'),
  },
  {
    id: 'replace',
    title: texts.replaceCommand,
    group: texts.group,
    run: () => void results().run('replace'),
  },
  {
    id: 'delete',
    title: texts.deleteCommand,
    group: texts.group,
    run: () => void results().run('delete'),
  },
  { id: 'pair', title: texts.sideBySide, group: texts.group, run: togglePair },
  {
    id: 'two-managers',
    title: texts.experiment,
    group: texts.group,
    run: () => void import('./two-managers').then(({ openTwoManagers }) => openTwoManagers()),
  },
  {
    id: 'new-object',
    title: texts.newObjectCommand,
    group: texts.group,
    run: () => view().set({ dialog: 'palette', search: 'new ' }),
  },
  {
    id: 'close-file',
    title: texts.closeFileCommand,
    group: texts.group,
    run: () => closeTab(activeTab(useEditors.getState())),
  },
  {
    id: 'new',
    title: texts.newManifest,
    group: texts.group,
    run: () => openNewFile('untitled.yaml', 'yaml', ''),
  },
  {
    id: 'open-files',
    title: texts.openFilesCommand,
    group: texts.group,
    run: () => void import('../share/actions').then(({ openFiles }) => openFiles()),
  },
  ...SAMPLES.map(
    ({ title, about, text }): Command => ({
      id: `sample-${title}`,
      title: texts.sample(about),
      group: texts.group,
      run: () => openNewFile(title, 'yaml', text),
    }),
  ),
]
