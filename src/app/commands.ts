/** Everything a person can do, as values: the palette, the menus and the shortcuts all read this list. */
import { SAMPLES } from './manifests/samples'
import { useScripts } from './scripts/runner'
import { SCRIPT_SAMPLES } from './scripts/samples'
import { openScenario } from './share/arrival'
import { download, exportObjects, fromYamlFile, importObjects, resetCluster, toYamlFile } from './share/cluster-file'
import { ACTORS, useActors } from './state/actors'
import { activeTab, useEditors } from './state/editors'
import { useRequests } from './state/requests'
import { useResults } from './state/results'
import { notify, type Theme, useView } from './state/view'

export interface Command {
  id: string
  title: string
  group: 'Manifest' | 'View' | 'Cluster' | 'Actor' | 'Script' | 'Help'
  /** `Mod` is Ctrl, or Cmd on a Mac. */
  keys?: string
  run(): void
}

const view = () => useView.getState()

function runPrimary(): void {
  const tab = activeTab(useEditors.getState())
  if (tab.language === 'typescript') {
    view().set({ activity: 'console', pane: 'activity' })
    void useScripts.getState().run(tab.text)
  } else void useResults.getState().run('apply')
}

async function exportCluster(): Promise<void> {
  try {
    const objects = await exportObjects()
    const save = () => download('cluster.yaml', toYamlFile(objects))
    const secrets = objects.filter(({ kind }) => kind === 'Secret').length
    if (secrets === 0) save()
    else
      view().set({
        question: {
          title: 'Export secrets too?',
          text: `The file will hold the values of ${secrets} Secret object${secrets === 1 ? '' : 's'}, readable by whoever gets it.`,
          confirm: 'Export with values',
          danger: true,
          onConfirm: save,
        },
      })
  } catch (error) {
    notify(`The export failed: ${error instanceof Error ? error.message : String(error)}`, 'bad')
  }
}

function pickFile(accept: string, use: (text: string) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.onchange = () => void input.files?.[0]?.text().then(use)
  input.click()
}

function importCluster(): void {
  pickFile('.yaml,.yml', (text) => {
    try {
      const objects = fromYamlFile(text)
      view().set({
        question: {
          title: `Replace the cluster by ${objects.length} objects?`,
          text: 'Everything that is in the cluster now is removed. Export it first if you want to keep it.',
          confirm: 'Replace',
          danger: true,
          onConfirm: () => void importObjects(objects).then(() => notify(`${objects.length} objects imported`), fail('The import failed')),
        },
      })
    } catch (error) {
      notify(`This file cannot be imported: ${error instanceof Error ? error.message : String(error)}`, 'bad')
    }
  })
}

const fail = (what: string) => (error: unknown) => notify(`${what}: ${error instanceof Error ? error.message : String(error)}`, 'bad')

function reset(): void {
  view().set({
    question: {
      title: 'Start with an empty cluster?',
      text: 'Every object is removed and the server begins anew. Your editors stay as they are.',
      confirm: 'Reset the cluster',
      danger: true,
      onConfirm: () => void resetCluster().then(() => notify('The cluster is as fresh as on the first day'), fail('The reset failed')),
    },
  })
}

const THEMES: Theme[] = ['system', 'light', 'dark']

export function commands(): Command[] {
  const results = useResults.getState()
  return [
    { id: 'run', title: 'Apply the manifest, or run the script', group: 'Manifest', keys: 'Mod+Enter', run: runPrimary },
    {
      id: 'dry-run',
      title: 'Dry run: what would happen',
      group: 'Manifest',
      keys: 'Mod+Shift+Enter',
      run: () => void results.run('dry-run'),
    },
    { id: 'create', title: 'Create (fails if it is there)', group: 'Manifest', run: () => void results.run('create') },
    { id: 'replace', title: 'Replace (PUT)', group: 'Manifest', run: () => void results.run('replace') },
    { id: 'delete', title: 'Delete what the manifest names', group: 'Manifest', run: () => void results.run('delete') },
    {
      id: 'new',
      title: 'New manifest',
      group: 'Manifest',
      run: () => useEditors.getState().open({ title: 'untitled.yaml', language: 'yaml', text: '' }),
    },
    ...SAMPLES.map(({ title, about, text }) => ({
      id: `sample-${title}`,
      title: `Sample: ${about}`,
      group: 'Manifest' as const,
      run: () => void useEditors.getState().open({ title, language: 'yaml', text }),
    })),
    {
      id: 'new-script',
      title: 'New script',
      group: 'Script',
      run: () => useEditors.getState().open({ title: 'script.ts', language: 'typescript', text: '' }),
    },
    ...SCRIPT_SAMPLES.map(({ title, about, text }) => ({
      id: `script-${title}`,
      title: `Script: ${about}`,
      group: 'Script' as const,
      run: () => void useEditors.getState().open({ title, language: 'typescript', text }),
    })),
    { id: 'watch', title: 'Start a watch', group: 'Cluster', keys: 'Mod+Shift+E', run: () => view().set({ dialog: 'watch' }) },
    { id: 'share', title: 'Share a link', group: 'Cluster', run: () => view().set({ dialog: 'share' }) },
    {
      id: 'open-scenario',
      title: 'Open a scenario file',
      group: 'Cluster',
      run: () => pickFile('.kubetab', (text) => openScenario(text.trim())),
    },
    { id: 'export', title: 'Export the cluster as YAML', group: 'Cluster', run: () => void exportCluster() },
    { id: 'import', title: 'Import a cluster from YAML', group: 'Cluster', run: importCluster },
    { id: 'reset', title: 'Reset the cluster', group: 'Cluster', run: reset },
    { id: 'clear-log', title: 'Clear the request log', group: 'View', run: () => useRequests.getState().clear() },
    ...(['results', 'requests', 'watches', 'console'] as const).map((activity) => ({
      id: `show-${activity}`,
      title: `Show ${activity}`,
      group: 'View' as const,
      run: () => view().set({ activity, pane: 'activity' }),
    })),
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      title: `Theme: ${theme}`,
      group: 'View' as const,
      run: () => view().set({ theme }),
    })),
    ...ACTORS.map(({ name, groups }) => ({
      id: `actor-${name}`,
      title: `Act as ${name} (${groups.join(', ') || 'no groups'})`,
      group: 'Actor' as const,
      run: () => useActors.getState().actAs(name),
    })),
    { id: 'palette', title: 'Search commands and objects', group: 'Help', keys: 'Mod+K', run: () => view().set({ dialog: 'palette' }) },
    { id: 'shortcuts', title: 'Keyboard shortcuts', group: 'Help', keys: '?', run: () => view().set({ dialog: 'shortcuts' }) },
    { id: 'about', title: 'What is simulated, and what is not', group: 'Help', run: () => view().set({ dialog: 'about' }) },
  ]
}

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** `Mod+K` -> `⌘K` or `Ctrl K` */
export function keysText(keys: string): string {
  return mac
    ? keys.replace('Mod+', '⌘').replace('Shift+', '⇧').replace('Enter', '↵')
    : keys.replace('Mod', 'Ctrl').replaceAll('+', ' ').replace('Enter', '↵')
}

/** @returns the command that the key press means, if any */
export function commandOf(event: KeyboardEvent): Command | undefined {
  const typing =
    event.target instanceof HTMLElement && (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName))
  const parts = [
    ...(event.ctrlKey || event.metaKey ? ['Mod'] : []),
    ...(event.shiftKey && event.key !== '?' ? ['Shift'] : []),
    event.key.length === 1 ? event.key.toUpperCase() : event.key,
  ]
  const pressed = parts.join('+')
  if (typing && !pressed.startsWith('Mod+')) return undefined
  return commands().find(({ keys }) => keys === pressed)
}
