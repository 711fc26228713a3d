/** Commands of manifests and files in the editor. */
import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'
import { runScriptOf } from '../scripts/commands'
import { activeTab, shownTabs, useEditors } from './editors'
import { saveEdit } from './edits'
import { openNewFile } from './open-new-file'
import { useResults } from './results'
import { SAMPLES } from './samples'
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

/** The active file and the one after it; or one file again. */
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
    title: 'Apply the manifest, or run the script',
    group: 'Manifest',
    keys: 'Mod+Enter',
    run: runPrimary,
  },
  {
    id: 'dry-run',
    title: 'Dry run: what would happen',
    group: 'Manifest',
    keys: 'Mod+Shift+Enter',
    run: () => void results().run('dry-run'),
  },
  {
    id: 'create',
    title: 'Create (fails if it exists)',
    group: 'Manifest',
    run: () => void results().run('create'),
  },
  {
    id: 'replace',
    title: 'Replace (PUT)',
    group: 'Manifest',
    run: () => void results().run('replace'),
  },
  {
    id: 'delete',
    title: 'Delete objects in this manifest',
    group: 'Manifest',
    run: () => void results().run('delete'),
  },
  { id: 'pair', title: 'Two files side by side', group: 'Manifest', run: togglePair },
  {
    id: 'two-managers',
    title: 'Experiment: two managers, one field',
    group: 'Manifest',
    run: () => void import('./two-managers').then(({ openTwoManagers }) => openTwoManagers()),
  },
  {
    id: 'new-object',
    title: 'New object of any kind',
    group: 'Manifest',
    run: () => view().set({ dialog: 'palette', search: 'new ' }),
  },
  {
    id: 'close-file',
    title: 'Close file',
    group: 'Manifest',
    run: () => closeTab(activeTab(useEditors.getState())),
  },
  {
    id: 'new',
    title: 'New manifest',
    group: 'Manifest',
    run: () => openNewFile('untitled.yaml', 'yaml', ''),
  },
  {
    id: 'open-files',
    title: 'Open files from this computer',
    group: 'Manifest',
    run: () => void import('../share/actions').then(({ openFiles }) => openFiles()),
  },
  ...SAMPLES.map(
    ({ title, about, text }): Command => ({
      id: `sample-${title}`,
      title: `Sample: ${about}`,
      group: 'Manifest',
      run: () => openNewFile(title, 'yaml', text),
    }),
  ),
]
