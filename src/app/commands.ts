/** Everything a person can do, as values: the palette, the menus and the shortcuts all read this list. */
import { copyText } from './components/copy'
import { FORMS } from './kubectl/forms'
import { SAMPLES } from './manifests/samples'
import { closeTab } from './panels/editors/close-tab'
import { PLACES } from './places'
import { useScripts } from './scripts/runner'
import { SCRIPT_SAMPLES } from './scripts/samples'
import { type AccessView, openAccess } from './state/access'
import { useActors } from './state/actors'
import { activeTab, shownTabs, useEditors } from './state/editors'
import { saveEdit } from './state/edits'
import { useLayout } from './state/layout'
import { goToPolicy, type PolicyTab } from './state/policy'
import { requestLog, useRequests } from './state/requests'
import { useResults } from './state/results'
import { type ActivityTab, notify, type Pane, type Theme, useView } from './state/view'
import { useWatches } from './state/watches'

export type CommandGroup =
  | 'Manifest'
  | 'Script'
  | 'Cluster'
  | 'Policy'
  | 'View'
  | 'Access'
  | 'User'
  | 'Help'

export interface Command {
  id: string
  title: string
  group: CommandGroup
  /** As `keys.ts` reads them: `Mod+K`. */
  keys?: string
  run(): void
}

const view = () => useView.getState()
const share = () => import('./share/actions')
const results = () => useResults.getState()
const open = (title: string, language: 'yaml' | 'typescript', text: string): void => {
  useEditors.getState().open({ title, language, text })
  view().set({ pane: 'editor' })
}

function runPrimary(): void {
  if (saveEdit()) return
  const tab = activeTab(useEditors.getState())
  if (tab.language === 'yaml') {
    void results().run('apply')
    return
  }
  const start = () => {
    useEditors.getState().trust(tab.id)
    view().set({ activity: 'output', pane: 'activity' })
    void useScripts.getState().run(tab.text)
  }
  if (tab.from === undefined) start()
  else confirmRun(tab.from, start)
}

/** A script from elsewhere may do whatever this page may. */
function confirmRun(from: string, run: () => void): void {
  view().set({
    question: {
      title: 'Run a script that came with a shared link?',
      text: `The link names ${from} as its sender. Read it first: a script can read and change all clusters and files that this page stores in this browser.`,
      choices: [{ title: 'Run it', run }],
    },
  })
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

const MANIFESTS: Command[] = [
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
    run: () =>
      void import('./manifests/two-managers').then(({ openTwoManagers }) => openTwoManagers()),
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
    run: () => open('untitled.yaml', 'yaml', ''),
  },
  {
    id: 'open-files',
    title: 'Open files from this computer',
    group: 'Manifest',
    run: () => void share().then(({ openFiles }) => openFiles()),
  },
  ...SAMPLES.map(
    ({ title, about, text }): Command => ({
      id: `sample-${title}`,
      title: `Sample: ${about}`,
      group: 'Manifest',
      run: () => open(title, 'yaml', text),
    }),
  ),
]

const SCRIPTS: Command[] = [
  {
    id: 'new-script',
    title: 'New script',
    group: 'Script',
    run: () => open('script.ts', 'typescript', ''),
  },
  {
    id: 'stop-script',
    title: 'Stop the running script',
    group: 'Script',
    run: () => useScripts.getState().stop(),
  },
  ...SCRIPT_SAMPLES.map(
    ({ title, about, text }): Command => ({
      id: `script-${title}`,
      title: `Script: ${about}`,
      group: 'Script',
      run: () => open(title, 'typescript', text),
    }),
  ),
]

/** Compaction breaks open continue tokens and lagging watches: confirm first. */
function confirmCompact(): void {
  const compact = () =>
    useWatches
      .getState()
      .compact()
      .then(
        () => notify('History compacted. Watches that resume from an older revision get 410 Gone.'),
        (error: unknown) =>
          notify(
            `History could not be compacted: ${error instanceof Error ? error.message : String(error)}`,
            'bad',
          ),
      )
  view().set({
    question: {
      title: 'Compact history now?',
      text: 'Old revisions are discarded, as kube-apiserver does in etcd every five minutes. Watches and continue tokens from before get 410 Gone.',
      choices: [{ title: 'Compact', run: () => void compact() }],
    },
  })
}

const CLUSTER: Command[] = [
  {
    id: 'watch',
    title: 'Start a watch',
    group: 'Cluster',
    keys: 'Mod+Shift+E',
    run: () => view().set({ dialog: 'watch' }),
  },
  { id: 'compact', title: 'Compact history', group: 'Cluster', run: confirmCompact },
  {
    id: 'workspaces',
    title: 'Workspaces: other clusters and files in this browser',
    group: 'Cluster',
    run: () => view().set({ dialog: 'workspaces' }),
  },
  {
    id: 'stored',
    title: 'Data stored in this browser: inspect, keep, delete',
    group: 'Cluster',
    run: () => view().set({ dialog: 'stored' }),
  },
  {
    id: 'share',
    title: 'Share a link',
    group: 'Cluster',
    run: () => view().set({ dialog: 'share' }),
  },
  {
    id: 'copy-issue',
    title: 'Copy as issue: the last requests, with a link to all this',
    group: 'Cluster',
    run: () => void import('./share/copy-issue').then(({ copyAsIssue }) => copyAsIssue()),
  },
  {
    id: 'export',
    title: 'Export the cluster as YAML',
    group: 'Cluster',
    run: () => void share().then(({ exportCluster }) => exportCluster()),
  },
  {
    id: 'import',
    title: 'Import a cluster from YAML',
    group: 'Cluster',
    run: () => void share().then(({ importCluster }) => importCluster()),
  },
  {
    id: 'reset',
    title: 'Reset the cluster',
    group: 'Cluster',
    run: () => void share().then(({ resetCluster }) => resetCluster()),
  },
]

const TABS: ActivityTab[] = ['results', 'requests', 'watches', 'audit', 'output']
const THEMES: Theme[] = ['system', 'light', 'dark']

/** Moves to a part of the page: on a phone it comes to the front, everywhere the focus goes there. */
function goTo(pane: Pane): void {
  view().set({ pane })
  if (pane === 'editor')
    return void import('./editor/CodeEditor').then(({ focusEditor }) => focusEditor())
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-pane=${pane}] [data-pane-focus]`)?.focus(),
  )
}

function find(): void {
  view().set({ pane: 'explorer' })
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-filter]')?.focus())
}

const PANELS: { panel: Pane; title: string }[] = [
  { panel: 'explorer', title: 'explorer' },
  { panel: 'editor', title: 'editor' },
  { panel: 'object', title: 'object' },
  { panel: 'activity', title: 'activity' },
]

const LAYOUT: Command[] = [
  ...PANELS.map(
    ({ panel, title }): Command => ({
      id: `toggle-${panel}`,
      title: `Hide or show the ${title}`,
      group: 'View',
      run: () => useLayout.getState().toggle(panel),
    }),
  ),
  ...PANELS.map(
    ({ panel, title }): Command => ({
      id: `enlarge-${panel}`,
      title: `Enlarge the ${title}, or put it back`,
      group: 'View',
      run: () => useLayout.getState().enlarge(panel),
    }),
  ),
  { id: 'swap', title: 'Swap panels', group: 'View', run: () => useLayout.getState().swap() },
  {
    id: 'reset-layout',
    title: 'Reset the layout',
    group: 'View',
    run: () => useLayout.getState().reset(),
  },
]

const VIEWS: Command[] = [
  ...PLACES.map(
    ({ id, title, about }): Command => ({
      id: `place-${id}`,
      title: `Go to ${title}: ${about}`,
      group: 'View',
      run: () => view().set({ place: id }),
    }),
  ),
  { id: 'find', title: 'Find in the explorer', group: 'View', keys: '/', run: find },
  {
    id: 'go-explorer',
    title: 'Go to the explorer',
    group: 'View',
    keys: 'Mod+Shift+1',
    run: () => goTo('explorer'),
  },
  {
    id: 'go-editor',
    title: 'Go to the editor',
    group: 'View',
    keys: 'Mod+Shift+2',
    run: () => goTo('editor'),
  },
  {
    id: 'go-object',
    title: 'Go to the object',
    group: 'View',
    keys: 'Mod+Shift+3',
    run: () => goTo('object'),
  },
  {
    id: 'go-activity',
    title: 'Go to the activity',
    group: 'View',
    keys: 'Mod+Shift+4',
    run: () => goTo('activity'),
  },
  {
    id: 'show-console',
    title: 'Open the console: kubectl for this cluster',
    group: 'View',
    keys: 'Mod+Shift+5',
    run: () => view().set({ activity: 'console', pane: 'activity' }),
  },
  ...TABS.map(
    (activity): Command => ({
      id: `show-${activity}`,
      title: `Show ${activity}`,
      group: 'View',
      run: () => view().set({ activity, pane: 'activity' }),
    }),
  ),
  {
    id: 'clear-log',
    title: 'Clear the request log',
    group: 'View',
    run: () => useRequests.getState().clear(),
  },
  {
    id: 'welcome',
    title: 'Show welcome panel',
    group: 'View',
    run: () => view().set({ welcome: true, pane: 'editor' }),
  },
  ...THEMES.map(
    (theme): Command => ({
      id: `theme-${theme}`,
      title: `Theme: ${theme}`,
      group: 'View',
      run: () => view().set({ theme }),
    }),
  ),
]

const POLICY_TABS: { tab: PolicyTab; title: string }[] = [
  { tab: 'bench', title: 'Open the CEL playground' },
  { tab: 'workbench', title: 'Try a policy on test objects, and on what is stored' },
  { tab: 'designer', title: 'Design a CustomResourceDefinition' },
]
const POLICY: Command[] = POLICY_TABS.map(({ tab, title }) => ({
  id: `policy-${tab}`,
  title,
  group: 'Policy',
  run: () => goToPolicy(tab),
}))

const ACCESS_VIEWS: { view: AccessView; title: string }[] = [
  { view: 'rights', title: "Show a user's permissions" },
  { view: 'who-can', title: 'Who can do something?' },
  { view: 'try', title: 'Check whether a request is allowed' },
  { view: 'roles', title: 'Least-privilege role for recorded requests' },
  { view: 'configuration', title: 'Configure authorization' },
  { view: 'identities', title: 'Add a user: token, service account, certificate' },
]

const ACCESS: Command[] = ACCESS_VIEWS.map(({ view, title }) => ({
  id: `access-${view}`,
  title,
  group: 'Access',
  run: () => openAccess(view),
}))

/** Actors come and go. */
export const actorCommands = (): Command[] =>
  useActors.getState().actors.map(({ name, groups }) => ({
    id: `actor-${name}`,
    title: `Act as ${name} (${groups.join(', ') || 'no groups'})`,
    group: 'User',
    run: () => useActors.getState().actAs(name),
  }))

function copyLast({ format, what }: (typeof FORMS)[number]): void {
  const last = requestLog().findLast(({ origin }) => origin === 'action')
  if (last) void copyText(format(last), what)
  else notify('No requests yet: do something first', 'bad')
}

const FORMS_OF_LAST: Command[] = FORMS.map((form) => ({
  id: `copy-${form.title}`,
  title: `Copy the last request as ${form.title}`,
  group: 'Cluster',
  run: () => copyLast(form),
}))

const HELP: Command[] = [
  {
    id: 'explain-field',
    title: 'Explain the field at the cursor',
    group: 'Help',
    keys: 'Shift+F1',
    run: () => void import('./editor/CodeEditor').then(({ explainField }) => explainField()),
  },
  {
    id: 'palette',
    title: 'Search everything',
    group: 'Help',
    keys: 'Mod+K',
    run: () => view().set({ dialog: 'palette' }),
  },
  {
    id: 'shortcuts',
    title: 'Keyboard shortcuts',
    group: 'Help',
    keys: '?',
    run: () => view().set({ dialog: 'shortcuts' }),
  },
  {
    id: 'about',
    title: "What's simulated and what isn't",
    group: 'Help',
    run: () => view().set({ dialog: 'about' }),
  },
]

export const COMMANDS: readonly Command[] = [
  ...MANIFESTS,
  ...SCRIPTS,
  ...CLUSTER,
  ...POLICY,
  ...ACCESS,
  ...VIEWS,
  ...LAYOUT,
  ...FORMS_OF_LAST,
  ...HELP,
]

export function runCommand(id: string): void {
  COMMANDS.find((command) => command.id === id)?.run()
}
